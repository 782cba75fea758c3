"""What a search needs of a model is heard before the tool's transaction, in the words that it will use."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from agents.tools import catalog
from memory.retrieval import Filters, search
from tests.cast import Person
from tests.memory.embedding.embedded import current_stub, say
from tests.memory.embedding.stub_endpoint import StubEndpoint


@pytest.fixture
def stub(database: None, settings: Any) -> Iterator[StubEndpoint]:
    with current_stub(settings) as server:
        yield server


@pytest.mark.parametrize(
    ("tool", "kind", "asked"),
    [
        ("conversation_search", "message", "Does paint?"),
        ("archival_memory_search", "passage", "Does Alice paint?"),
    ],
)
def test_the_search_itself_asks_no_model(
    alice: Person, stub: StubEndpoint, tool: str, kind: str, asked: str
) -> None:
    say(alice, "I paint.")
    stub.requests.clear()
    catalog.prepare(alice.identity, tool, json.dumps({"query": "Does Alice paint?"}))
    assert stub.texts() == [[asked]]
    with alice.scope():
        search("Does Alice paint?", Filters(kinds=[kind]))
    assert stub.texts() == [[asked]]


def test_other_tools_ask_no_model(alice: Person, stub: StubEndpoint) -> None:
    catalog.prepare(alice.identity, "conversation_search", json.dumps({"query": "paint"}))
    assert len(stub.requests) == 1
    catalog.prepare(alice.identity, "core_memory_append", json.dumps({"query": "sing"}))
    catalog.prepare(alice.identity, "conversation_search", "no arguments")
    assert len(stub.requests) == 1
