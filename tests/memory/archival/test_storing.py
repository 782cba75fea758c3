"""Passages are written by SQL made by hand: each column as it was given, and only where one may write."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection

from memory import provenance
from memory.actors import ActorKind
from memory.archival.storing import store
from memory.models import Document, Passage
from tenants.scope import OutsideScope
from tests.cast import Cast, Person
from tests.memory.archival.filing import found, new_archive

A_MOMENT = datetime(2024, 5, 1, 12, 30, 15, 123456, tzinfo=UTC)
ODD = "Ünïcode 记忆, 'quotes', \"double\", back\\slash, {braces}, 100 %s, a\ttab and\na line 🦓"


@dataclass(frozen=True)
class Desk:
    """Where a person writes, and what every passage there has."""

    person: Person
    fields: dict[str, Any]

    def passage(self, **said: Any) -> Passage:
        return Passage(**self.fields | said)


@pytest.fixture
def desk(cast: Cast) -> Desk:
    person = cast.alice
    archive = new_archive(person)
    with person.scope():
        source = provenance.source_of_person(person.personal, person.user.id)
    fields = {
        "workspace_id": person.personal,
        "archive": archive,
        "source": source,
        "actor_kind": ActorKind.USER,
        "actor_id": person.user.id,
    }
    return Desk(person, fields)


def values(passage: Passage) -> dict[str, Any]:
    return {field.attname: getattr(passage, field.attname) for field in Passage._meta.concrete_fields}


def test_each_column_is_read_as_it_was_given(desk: Desk) -> None:
    with desk.person.scope():
        first = desk.passage(content="the first of two")
        store([first], parent=None)
        document = Document.objects.create(
            workspace_id=desk.person.personal,
            archive=desk.fields["archive"],
            source=desk.fields["source"],
            name="plan.md",
            status=Document.Status.READY,
        )
        full = desk.passage(
            content=ODD,
            tags=["a, b", 'c"d', "{e}", "记忆"],
            importance=0.1,
            trust=1,
            version=2,
            valid_from=A_MOMENT,
            valid_to=A_MOMENT,
            expires_at=A_MOMENT,
            supersedes=first,
            document=document,
            place=7,
            page=2,
            page_to=3,
            start=10,
            end=20,
            headings=["One", "Two 'and' a half"],
            occurred_at=A_MOMENT,
            created_at=A_MOMENT,
            retired_at=A_MOMENT,
        )
        bare = desk.passage(content="bare")
        store([full, bare], parent=None)
        stored = Passage.objects.in_bulk([full.id, bare.id])
    # Nothing that a passage can say is left out, here or by a column that is new.
    assert None not in values(full).values()
    assert values(stored[full.id]) == values(full)
    assert values(stored[bare.id]) == values(bare)


def test_it_is_found_at_once_and_knows_what_it_was_made_of(desk: Desk) -> None:
    made = desk.passage(content="a zebra in the garden")
    with desk.person.scope():
        store([made], parent=("document", desk.person.personal))
        with connection.cursor() as cursor:
            cursor.execute("SELECT parent_kind FROM memory_derivation WHERE child_id = %s", [made.id])
            parents = cursor.fetchall()
    assert parents == [("document",)]
    assert found(desk.person, "zebra") == ["a zebra in the garden"]


def test_what_is_stored_can_be_saved_again(desk: Desk) -> None:
    made = desk.passage(content="a zebra")
    with desk.person.scope():
        store([made], parent=None)
        made.importance = 0.9
        made.save()
        assert Passage.objects.get(id=made.id).importance == 0.9


def test_nothing_is_stored_where_somebody_else_is_at_home(cast: Cast, desk: Desk) -> None:
    own, other = desk.passage(content="a horse"), desk.passage(content="a zebra")
    other.workspace_id = cast.bob.personal
    with cast.alice.scope():
        for passages in ([other], [own, other]):
            with pytest.raises(OutsideScope):
                store(passages, parent=None)
        assert not Passage.objects.exists()
        store([own], parent=None)
        assert Passage.objects.get() == own
    with cast.bob.scope():
        assert not Passage.objects.exists()
