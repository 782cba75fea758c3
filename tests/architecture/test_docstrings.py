"""What a module, a class or a function is for stands at its beginning."""

import ast

from tests.architecture.source import Function, Module, modules


def test_every_public_thing_says_what_it_is() -> None:
    silent = [name for module in modules() for name in without_words(module)]
    assert silent == []


def without_words(module: Module) -> list[str]:
    """Public things of a module's top level without a docstring; an empty module needs none."""
    if not module.tree.body:
        return []
    silent = [] if ast.get_docstring(module.tree) else [module.path]
    return silent + [
        f"{module.path}:{node.lineno} {node.name}"
        for node in module.tree.body
        if isinstance(node, Function | ast.ClassDef)
        if not node.name.startswith("_") and not ast.get_docstring(node)
    ]
