"""The embedder waits for nobody's transaction, and writes over nothing that somebody is changing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from memory import archival
from memory.embedding import embed_pending
from memory.models import IndexEntry
from tests.cast import Person
from tests.memory.archival.filing import file, new_archive
from tests.memory.embedding.embedded import current_stub, embed, meanwhile
from tests.memory.embedding.stub_endpoint import StubEndpoint
from tests.memory.holding import unfinished

TEXTS = ("one", "two", "three", "four", "five")


@pytest.fixture
def stub(database: None, settings: Any) -> Iterator[StubEndpoint]:
    with current_stub(settings) as server:
        yield server


def embed_once(person: Person) -> int:
    return embed_pending(tenant_id=person.identity.tenant_id, workspace_id=person.personal)


def told(person: Person) -> list[tuple[str, bool]]:
    """The state of each passage's row, and whether it has a vector."""
    with person.scope():
        rows = IndexEntry.objects.filter(kind="passage").order_by("record_id")
        return [(row.state, row.vector is not None) for row in rows]


def test_rows_that_somebody_changes_while_the_model_works_are_left_to_him(
    alice: Person, stub: StubEndpoint
) -> None:
    archive = new_archive(alice)
    ids = [file(alice, archive, text).id for text in TEXTS]
    with ExitStack() as session:
        deleting = unfinished(alice, lambda: archival.retire_passages(ids[1:3]))
        stub.queue(meanwhile(lambda: session.enter_context(deleting)))
        assert embed_once(alice) == 5
        assert [has_vector for _, has_vector in told(alice)] == [True, False, False, True, True]
    assert [state for state, _ in told(alice)] == ["current", "hidden", "hidden", "current", "current"]
    embed(alice)
    assert [has_vector for _, has_vector in told(alice)] == [True] * 5
    assert [state for state, _ in told(alice)] == ["current", "hidden", "hidden", "current", "current"]


def test_rows_that_somebody_holds_are_not_embedded_in_vain(alice: Person, stub: StubEndpoint) -> None:
    archive = new_archive(alice)
    for text in TEXTS:
        file(alice, archive, text)
    with unfinished(alice, lambda: archival.retire_archive(archive.id)):
        assert embed_once(alice) == 0
        assert stub.texts() == []
    assert embed_once(alice) == 5
    assert told(alice) == [("hidden", True)] * 5
    assert [len(texts) for texts in stub.texts()] == [5]
