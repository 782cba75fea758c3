"""HTTP stays at the doors: below them nothing knows of requests and answers."""

import ast
import re

from tests.architecture.source import Function, Module, imports, modules

DOORS = re.compile(
    r"(?:tenants|memory|agents|evaluation)/(?:web|api|mcp|compat|admin|management|templatetags)/"
    r"|(?:tenants|memory|agents)/(?:tasks|middleware|authentication|accounts)\.py"
    r"|memsite/"
)
HTTP = ("django.http", "django.shortcuts", "django.urls", "django.views", "rest_framework", "django.template")


def below_the_doors() -> list[Module]:
    return [module for module in modules() if not DOORS.match(module.path)]


def test_nothing_below_the_doors_imports_http() -> None:
    wrong = [
        f"{module.path}:{each.line} imports {each.name}"
        for module in below_the_doors()
        for each in imports(module)
        if each.name.startswith(HTTP)
    ]
    assert wrong == []


def test_nothing_below_the_doors_takes_a_request() -> None:
    wrong = [
        f"{module.path}:{node.lineno} {node.name}"
        for module in below_the_doors()
        for node in ast.walk(module.tree)
        if isinstance(node, Function) and "request" in _arguments(node) and not _is_of_a_model(node)
    ]
    assert wrong == []


def _arguments(node: Function) -> set[str]:
    given = node.args
    return {each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)}


def _is_of_a_model(node: Function) -> bool:
    """A request to a language model is another thing than one of HTTP."""
    given = [*node.args.args, *node.args.kwonlyargs]
    hints = {each.arg: each.annotation for each in given}
    hint = hints["request"]
    return hint is not None and "ModelRequest" in ast.unparse(hint)


def test_doors_are_not_imported_from_below() -> None:
    wrong = [
        f"{module.path}:{each.line} imports {each.name}"
        for module in below_the_doors()
        for each in imports(module)
        if re.match(
            r"(?:tenants|memory|agents|evaluation)\.(?:web|api|mcp|compat|admin|management)\b", each.name
        )
    ]
    assert wrong == []
