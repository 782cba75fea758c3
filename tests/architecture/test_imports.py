"""No circles, none hidden in a function, and what belongs to one place is imported there alone."""

from graphlib import CycleError, TopologicalSorter

from tests.architecture.source import FLOORS, Module, imports, module_names, modules

# Imports inside functions, each with its reason.
INSIDE: set[str] = set()
# Where a library may be imported: a file, or every file of that name.
PLACES = {
    "openai": ("agents/llm/openai.py", "memory/embedding/"),
    "celery": ("*/tasks.py", "memsite/celery.py"),
    "kombu": ("*/tasks.py", "memsite/celery.py"),
}


def neighbours(module: Module) -> set[str]:
    """The project's modules that are run when this one is imported, itself left out.

    To import a module is to import the packages above it, other than those that this one lies in.
    """
    found = {each.name for each in imports(module) if not each.inside and each.name.split(".")[0] in FLOORS}
    above = {".".join(name.split(".")[:depth]) for name in found for depth in range(1, name.count(".") + 1)}
    around = {name for name in above if not f"{module.name}.".startswith(f"{name}.")}
    return ((found | around) & module_names()) - {module.name}


def test_no_module_imports_itself_over_others() -> None:
    graph = {module.name: neighbours(module) for module in modules(generated=True)}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" imports ".join(reversed(error.args[1]))) from None


def test_no_import_stands_in_a_function() -> None:
    found = {
        f"{module.path} {each.inside}()" for module in modules() for each in imports(module) if each.inside
    }
    assert found == INSIDE


def test_no_import_takes_everything() -> None:
    stars = [module.path for module in modules() if "import *" in module.text]
    assert stars == []


def test_what_belongs_to_one_place_is_imported_there_alone() -> None:
    wrong = [
        f"{module.path}:{each.line} imports {each.name}"
        for module in modules()
        for each in imports(module)
        if not may_import(module, each.name.split(".")[0])
    ]
    assert wrong == []


def may_import(module: Module, library: str) -> bool:
    places = PLACES.get(library)
    return places is None or any(
        module.path.endswith(place[1:]) if place.startswith("*") else module.path.startswith(place)
        for place in places
    )
