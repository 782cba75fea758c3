"""A search makes so many statements and no more, however much it finds."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory import archival, core
from memory.embedding import serving_models
from memory.retrieval import Filters, search
from tests.cast import Person
from tests.memory.remembering import new_block, new_conversation, remember


@pytest.fixture
def filled(alice: Person) -> Person:
    conversation = new_conversation(alice)
    for number in range(40):
        remember(alice, conversation, f"tea number {number}")
    new_block(alice, "drinks tea")
    with alice.scope():
        archive = archival.create_archive(workspace_id=alice.personal, name="notes")
        archival.insert_passage(archive, content="tea of the archive", tags=[], actor=core.by_me())
    serving_models()
    return alice


@pytest.mark.parametrize(
    ("kinds", "statements"),
    [
        # One for the candidates, one for the texts of each kind, one for what followed old texts of blocks.
        # Messages: another one for who speaks there.
        (["message"], 3),
        (["passage"], 2),
        (["block"], 3),
        (["message", "passage", "block"], 5),
    ],
)
def test_a_search_costs_few_statements(filled: Person, kinds: list[str], statements: int) -> None:
    with filled.scope(), CaptureQueriesContext(connection) as queries:
        assert search("tea", Filters(kinds=kinds), limit=50).hits
    assert len(queries) == statements, [each["sql"][:80] for each in queries]
