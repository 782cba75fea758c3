"""The folders of the tests mirror the tree, the names of tests are sentences, and keys do not race."""

import ast

from tests.architecture.source import ROOT, Function, modules

# Tests of the whole, which mirror no folder.
OF_THE_WHOLE = {"architecture", "browser"}
# Where keys are pressed that wait for a page's scripts; and a tool that takes a picture.
PRESSES_KEYS = {"tests/browser/conftest.py", "tests/browser/picture.py"}


def test_each_folder_of_tests_has_its_folder_in_the_tree() -> None:
    folders = {
        path.parent.relative_to(ROOT / "tests").as_posix() for path in (ROOT / "tests").rglob("test_*.py")
    }
    mirrored = {folder for folder in folders if folder.split("/")[0] not in OF_THE_WHOLE}
    assert sorted(folder for folder in mirrored if not (ROOT / folder).is_dir()) == []


def test_each_name_of_a_test_is_a_sentence() -> None:
    short = [
        f"{module.path}:{node.lineno} {node.name}"
        for module in modules("tests")
        for node in module.tree.body
        if isinstance(node, Function) and node.name.startswith("test_") and node.name.count("_") < 2
    ]
    assert short == []


def test_keys_are_pressed_only_where_they_wait_for_the_scripts_of_a_page() -> None:
    found = {
        module.path
        for module in modules("tests")
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute) and node.attr == "keyboard"
    }
    assert found == PRESSES_KEYS
