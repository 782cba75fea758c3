"""Passages in archives: stored with their source, found by words and tags."""

import pytest

from memory import archival, core, provenance
from memory.archival import BadPassage
from memory.models import Archive, Derivation, IndexEntry, Passage
from tests.cast import Cast, Person
from tests.memory.remembering import AGENT, new_conversation, remember
from tests.memory.searching import found

PASSAGE = {"kinds": [IndexEntry.Kind.PASSAGE]}


def new_archive(person: Person) -> Archive:
    with person.scope():
        return archival.create_archive(workspace_id=person.personal, name="notes")


def insert(person: Person, archive: Archive, content: str, *tags: str) -> Passage:
    with person.scope():
        return archival.insert_passage(archive, content=content, tags=list(tags), actor=core.by_me())


@pytest.fixture
def archive(alice: Person) -> Archive:
    made = new_archive(alice)
    insert(alice, made, "Tea from Assam", "drink", "india")
    insert(alice, made, "Tea from Shizuoka", "drink", "japan")
    insert(alice, made, "Rice from Niigata", "food", "japan")
    return made


@pytest.mark.parametrize(
    ("tags", "every", "texts"),
    [
        (["drink"], False, {"Tea from Assam", "Tea from Shizuoka"}),
        (["drink", "japan"], False, {"Tea from Assam", "Tea from Shizuoka", "Rice from Niigata"}),
        (["drink", "japan"], True, {"Tea from Shizuoka"}),
        (["nothing"], False, set()),
        (None, False, {"Tea from Assam", "Tea from Shizuoka", "Rice from Niigata"}),
    ],
)
def test_it_finds_by_any_or_all_of_the_tags(
    alice: Person, archive: Archive, tags: list[str] | None, every: bool, texts: set[str]
) -> None:
    assert set(found(alice, "", tags=tags, tag_mode="all" if every else "any", **PASSAGE)) == texts


def test_it_finds_by_words_within_the_archives_that_are_named(alice: Person, archive: Archive) -> None:
    other = new_archive(alice)
    insert(alice, other, "Tea from Kent")
    assert found(alice, "tea kent", containers=[archive.id], **PASSAGE) == [
        "Tea from Shizuoka",
        "Tea from Assam",
    ]
    assert found(alice, "tea", containers=[other.id], **PASSAGE) == ["Tea from Kent"]


@pytest.mark.parametrize(
    ("content", "tags"),
    [("", []), (" \n", []), ("x" * 20_001, []), ("x", ["t"] * 21), ("x", [" "]), ("x", ["t" * 65])],
)
def test_it_refuses_what_is_no_passage(
    alice: Person, archive: Archive, content: str, tags: list[str]
) -> None:
    with pytest.raises(BadPassage):
        insert(alice, archive, content, *tags)


def test_it_derives_a_passage_from_its_message(alice: Person, archive: Archive) -> None:
    message = remember(alice, new_conversation(alice), "I drink tea.")
    with alice.scope():
        source = provenance.source_of_message(message)
        passage = archival.insert_passage(archive, content="Drinks tea.", tags=[], actor=AGENT, source=source)
        derived = Derivation.objects.get(child_id=passage.id)
    assert (derived.parent_kind, derived.parent_id, derived.child_kind) == ("message", message.id, "passage")
    assert (passage.source_id, passage.actor_kind) == (source.id, "agent")


def test_it_shows_nothing_to_others(cast: Cast) -> None:
    insert(cast.alice, new_archive(cast.alice), "Tea from Assam")
    assert found(cast.bob, "tea", **PASSAGE) == []
    assert found(cast.charlie, "tea", **PASSAGE) == []
