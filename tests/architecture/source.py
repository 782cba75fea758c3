"""The project's own source as these tests read it: with `ast`, without importing any of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FLOORS = ("tenants", "memory", "agents", "evaluation", "memsite")
GENERATED = "migrations"
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    """One Python file: its path from the project's root, and its dotted name."""

    path: str

    @property
    def name(self) -> str:
        """As it is imported; a package's is that of its `__init__`."""
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @property
    def floor(self) -> str:
        return self.path.split("/")[0]

    @property
    def text(self) -> str:
        return (ROOT / self.path).read_text(encoding="utf-8")

    @property
    def tree(self) -> ast.Module:
        return _parsed(self.path)


@cache
def _parsed(path: str) -> ast.Module:
    return ast.parse((ROOT / path).read_text(encoding="utf-8"))


def modules(*folders: str, generated: bool = False) -> list[Module]:
    """The modules of the floors, or of the folders that are named; migrations only where asked for."""
    paths = (path for folder in folders or FLOORS for path in (ROOT / folder).rglob("*.py"))
    found = (Module(path.relative_to(ROOT).as_posix()) for path in paths)
    return sorted(
        (each for each in found if generated or f"/{GENERATED}/" not in each.path), key=lambda each: each.path
    )


@cache
def module_names() -> frozenset[str]:
    """Every module and package of the floors."""
    return frozenset(each.name for each in modules(generated=True))


@dataclass(frozen=True)
class Import:
    """One imported module, where the statement stands, and whether it is inside a function."""

    name: str
    line: int
    inside: str = ""


def imports(module: Module) -> Iterator[Import]:
    """Every import of a module; `from package import module` counts as the module."""
    yield from _imports(module, module.tree, "")


def _imports(module: Module, node: ast.AST, inside: str) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        within = child.name if isinstance(child, Function) else inside
        if isinstance(child, ast.Import):
            yield from (Import(each.name, child.lineno, inside) for each in child.names)
        elif isinstance(child, ast.ImportFrom):
            yield from (Import(name, child.lineno, inside) for name in _from(module, child))
        else:
            yield from _imports(module, child, within)


def _from(module: Module, node: ast.ImportFrom) -> Iterator[str]:
    base = node.module or ""
    if node.level:
        package = (
            module.name.split(".") if module.path.endswith("__init__.py") else module.name.split(".")[:-1]
        )
        base = ".".join([*package[: len(package) - node.level + 1], *([base] if base else [])])
    for each in node.names:
        whole = f"{base}.{each.name}"
        yield whole if whole in module_names() else base


def definitions(module: Module) -> dict[str, ast.AST]:
    """What a module defines at its top level, and in its classes as `Class.name`."""
    found: dict[str, ast.AST] = {}
    for node in module.tree.body:
        for name in _names(node):
            found[name] = node
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{name}": child for child in node.body for name in _names(child)}
    return found


def _names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, Function | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign):
        yield from (target.id for target in node.targets if isinstance(target, ast.Name))
        yield from (
            item.id
            for target in node.targets
            if isinstance(target, ast.Tuple)
            for item in target.elts
            if isinstance(item, ast.Name)
        )
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield node.target.id
