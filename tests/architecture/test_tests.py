"""The folders of the tests mirror the tree, and the names of tests are sentences."""

from tests.architecture.source import ROOT, Function, modules

# Tests of the whole, which mirror no folder.
OF_THE_WHOLE = {"architecture", "browser"}


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
