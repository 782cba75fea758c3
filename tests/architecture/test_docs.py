"""The documents are held to the code: what they name is there."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.source import FLOORS, ROOT, Module, definitions, module_names

DOCS = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))
ROW = re.compile(r"^\|(?P<word>.*)\|(?P<what>.*)\|(?P<here>.*)\|(?P<file>.*)\|$", re.MULTILINE)
PATH = re.compile(r"(?:[\w.-]+/)+(?:[\w.-]+\.\w+)?|\w+\.(?:py|md|toml)")
NAME = re.compile(rf"\b(?:{'|'.join(FLOORS)})(?:\.\w+)+\b")
# Kinds of files and folders, of which there are many; and documents that anybody writes.
KINDS = {"web/", "api/", "tasks.py", "management/", "middleware.py"}


def text_of(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def ticked(text: str) -> list[str]:
    """What stands between backticks, outside of drawings."""
    return re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))


def rows() -> Iterator[tuple[str, str, str]]:
    """The glossary's rows: word, names, file."""
    for match in ROW.finditer(text_of("docs/glossary.md")):
        names, files = ticked(match["here"]), ticked(match["file"])
        for name in names:
            yield match["word"].strip(), name, "".join(files)


def test_there_are_the_documents_that_were_promised() -> None:
    assert {"docs/architecture.md", "docs/glossary.md"} <= set(DOCS)
    assert {"docs/decisions/0001-one-workspace-per-row.md", "docs/decisions/0002-two-locks.md"} <= set(DOCS)


def test_every_word_of_the_glossary_is_defined_where_it_says() -> None:
    found = list(rows())
    assert len(found) > 40
    wrong = [f"{word}: {name} is not in {path}" for word, name, path in found if not _is_in(path, name)]
    assert wrong == []


def _is_in(path: str, name: str) -> bool:
    """Whether a file defines a name: alone, as `Class.name`, or with its module in front."""
    module = Module(path)
    return (ROOT / path).is_file() and name.removeprefix(f"{module.name}.") in definitions(module)


def test_the_glossary_tells_context_memory_and_checkpoint_apart() -> None:
    words = {word: name for word, name, _ in rows() if word in {"context", "memory", "checkpoint"}}
    assert set(words) == {"context", "memory", "checkpoint"}
    assert len(set(words.values())) == 3


@pytest.mark.parametrize("document", DOCS)
def test_every_file_that_a_document_names_is_there(document: str) -> None:
    named = {name for name in ticked(text_of(document)) if PATH.fullmatch(name)} - KINDS
    named |= {_beside(document, link) for link in re.findall(r"\]\(([^)#:]+)\)", text_of(document))}
    assert sorted(name for name in named if not (ROOT / name).exists()) == []


def _beside(document: str, link: str) -> str:
    return str((Path(document).parent / link).as_posix())


@pytest.mark.parametrize("document", DOCS)
def test_every_name_that_a_document_uses_is_there(document: str) -> None:
    """`floor.module.name`, in drawings too."""
    gone = [name for name in NAME.findall(text_of(document)) if not _exists(name)]
    assert gone == []


def _exists(name: str) -> bool:
    parts = name.split(".")
    if parts[-1] in {"py", "md"}:  # a path's end
        return True
    module = max((each for each in module_names() if f"{name}.".startswith(f"{each}.")), key=len, default="")
    rest = name.removeprefix(module).strip(".")
    path = module.replace(".", "/")
    files = [path for path in (f"{path}.py", f"{path}/__init__.py") if (ROOT / path).is_file()]
    return bool(files) and (not rest or rest in definitions(Module(files[0])))


def test_the_readme_leads_to_what_is_there() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", readme):
        if "://" not in target:
            assert (ROOT / target).exists(), target
