"""Where rows were written is told after commit, once a transaction; what was taken back is not told."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction

from memory.index import entries_written
from tests.cast import Person
from tests.memory.remembering import new_conversation, remember

Places = list[tuple[uuid.UUID, uuid.UUID]]


@contextmanager
def heard() -> Iterator[Places]:
    """What is announced meanwhile."""
    found: Places = []

    def listen(tenant_id: uuid.UUID, workspace_id: uuid.UUID, **_: Any) -> None:
        found.append((tenant_id, workspace_id))

    entries_written.connect(listen)
    try:
        yield found
    finally:
        entries_written.disconnect(listen)


def test_it_is_told_once_a_transaction_and_after_commit(alice: Person) -> None:
    conversation = new_conversation(alice)
    place = (alice.identity.tenant_id, alice.personal)
    with heard() as told:
        with alice.scope():
            for number in range(3):
                remember(alice, conversation, f"tea {number}")
            assert told == []
        assert told == [place]
        remember(alice, conversation, "more tea")
        assert told == [place, place]


def test_what_was_taken_back_is_not_told(alice: Person) -> None:
    conversation = new_conversation(alice)
    with heard() as told, alice.scope():
        with transaction.atomic():
            remember(alice, conversation, "tea")
            transaction.set_rollback(True)
        assert told == []
    assert told == []
    with heard() as told:
        remember(alice, conversation, "tea")
    assert len(told) == 1
