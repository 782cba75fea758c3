"""tenants, memory, agents, evaluation, memsite: each floor stands on those before it, knows none above."""

import ast
import re

from tests.architecture.source import FLOORS, Module, imports, module_names, modules


def floors_above(floor: str) -> set[str]:
    return set(FLOORS[FLOORS.index(floor) + 1 :])


def test_a_floor_imports_only_from_those_before_it() -> None:
    wrong = [
        f"{module.path}:{each.line} imports {each.name}"
        for module in modules(generated=True)
        for each in imports(module)
        if each.name.split(".")[0] in floors_above(module.floor)
    ]
    assert wrong == []


def test_a_floor_does_not_name_those_above_it_in_a_text_either() -> None:
    """A lazy reference, such as a foreign key to "agents.Agent", is an import by another name."""
    wrong = [
        f"{module.path}:{line} names {text}"
        for module in modules(generated=True)
        for text, line in texts(module)
        if text.split(".")[0] in floors_above(module.floor) and is_reference(text)
    ]
    assert wrong == []


def is_reference(text: str) -> bool:
    """Whether a text can stand for a module, for something in one, or for a model."""
    return ".".join(text.split(".")[:2]) in module_names() or bool(re.fullmatch(r"\w+\.[A-Z]\w*", text))


def texts(module: Module) -> list[tuple[str, int]]:
    """Texts of one word."""
    nodes = (node for node in ast.walk(module.tree) if isinstance(node, ast.Constant))
    return [(node.value, node.lineno) for node in nodes if isinstance(node.value, str)]


def test_the_product_does_not_import_its_tests_and_benchmarks() -> None:
    wrong = [
        f"{module.path}:{each.line}"
        for module in modules(generated=True)
        for each in imports(module)
        if each.name.split(".")[0] in {"tests", "benchmarks"}
    ]
    assert wrong == []


def test_every_floor_is_there() -> None:
    assert {module.floor for module in modules()} == set(FLOORS)
