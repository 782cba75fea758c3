"""Small rules of the house: size, names, faults that are caught, and nothing left for later."""

import ast
import re
from pathlib import PurePosixPath

from tests.architecture.source import FLOORS, ROOT, Function, Module, modules

LINES = 300
NAMES = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "managers", "base_manager"}
VERSIONED = re.compile(r".*_?v\d+")
# Who may catch everything, and why.
CATCHES_ALL = {
    # A transaction has to be left in order, whatever happened in it; the error goes on.
    "tenants/scope.py __enter__",
    "tenants/scope.py __exit__",
    # The turn: an error of ours ends it as failed, with the person's message kept.
    "agents/turns/loop.py outcome",
    # A turn that cannot even be claimed, read or ended: counted, and given up in a stated way.
    "agents/turns/loop.py run_turn",
    # A thread hands whatever ends the model's stream to the turn, which judges it.
    "agents/llm/pump.py _read",
}
LATER = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X)\b")
TEXTS = ("*.py", "*.html", "*.js", "*.css", "*.md", "*.toml", "*.txt", "Makefile")
FOLDERS = (*FLOORS, "tests", "benchmarks", "templates", "static", "docs")


def everything() -> list[Module]:
    return modules(*FLOORS, "tests", "benchmarks")


def test_no_module_is_longer_than_a_person_reads_at_once() -> None:
    long = {module.path: module.text.count("\n") for module in everything()}
    assert {path: lines for path, lines in long.items() if lines > LINES} == {}


def test_no_module_is_named_for_nothing() -> None:
    wrong = [
        module.path
        for module in everything()
        for part in PurePosixPath(module.path.removesuffix(".py")).parts
        if part in NAMES or VERSIONED.fullmatch(part)
    ]
    assert wrong == []


def test_nothing_is_called_the_second_version_of_something() -> None:
    wrong = [
        f"{module.path}:{node.lineno} {node.name}"
        for module in everything()
        for node in ast.walk(module.tree)
        if isinstance(node, Function | ast.ClassDef) and re.search(r"(?:_v|V)\d+$", node.name)
    ]
    assert wrong == []


def test_everything_is_caught_only_at_an_outer_edge() -> None:
    found = {
        f"{module.path} {name}" for module in modules() for name in _blind(module.tree, "the module itself")
    }
    assert found == CATCHES_ALL


def _blind(node: ast.AST, inside: str) -> list[str]:
    """The functions in which `except` names nothing, or everything."""
    found = [inside] if isinstance(node, ast.ExceptHandler) and _catches_all(node) else []
    for child in ast.iter_child_nodes(node):
        found += _blind(child, child.name if isinstance(child, Function) else inside)
    return found


def _catches_all(node: ast.ExceptHandler) -> bool:
    if node.type is None:
        return True
    caught = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    return bool({ast.unparse(each) for each in caught} & {"Exception", "BaseException"})


def test_nothing_is_left_for_later() -> None:
    paths = [path for folder in FOLDERS for kind in TEXTS for path in (ROOT / folder).rglob(kind)]
    paths += [ROOT / name for name in ("Makefile", "manage.py", "pyproject.toml", "README.md")]
    left = [
        str(path.relative_to(ROOT))
        for path in paths
        if path.is_file() and LATER.search(path.read_text(encoding="utf-8"))
    ]
    assert left == []
