"""A search never waits for a model that is down: words serve, the page says so, and meaning comes back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from memory import retrieval
from memory.retrieval import Filters
from tests.agents.llm.stub_behaviours import hang
from tests.cast import Person
from tests.memory.embedding.embedded import afresh, current_stub, embed, say
from tests.memory.embedding.stub_endpoint import StubEndpoint, answers, embeddings


@pytest.fixture
def stub(database: None, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[StubEndpoint]:
    monkeypatch.setattr("memory.embedding.queries.SECONDS", 0.3)
    with current_stub(settings) as server:
        yield server


def found(person: Person, query: str) -> tuple[list[str], list[str]]:
    with person.scope():
        page = retrieval.search(query, Filters())
    return [hit.text for hit in page.hits], [notice.code for notice in page.notices]


def test_rows_are_found_by_words_before_they_are_embedded(alice: Person) -> None:
    afresh()
    say(alice, "My dog is called Biscuit.")
    assert found(alice, "Biscuit") == (["My dog is called Biscuit."], ["words_only"])
    embed(alice)
    assert found(alice, "Biscuit") == (["My dog is called Biscuit."], [])


def test_they_are_found_by_meaning_afterwards(alice: Person) -> None:
    afresh()
    say(alice, "我最喜欢的颜色是蓝色。")
    assert found(alice, "favourite colour")[0] == []
    embed(alice)
    assert found(alice, "favourite colour")[0] == ["我最喜欢的颜色是蓝色。"]


@pytest.mark.parametrize("fault", [hang(), answers("busy", 503), answers({"data": []})])
def test_words_serve_while_it_is_down_and_meaning_when_it_is_back(
    alice: Person, stub: StubEndpoint, fault: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.embedding.queries.PAUSE", 0.0)
    say(alice, "My dog is called Biscuit.", "It rains in the town.")
    embed(alice)
    assert found(alice, "dog Biscuit")[1] == []
    stub.otherwise = fault
    texts, notices = found(alice, "Biscuit dog")
    assert "My dog is called Biscuit." in texts
    assert notices == ["words_only"]
    stub.otherwise = embeddings()
    assert found(alice, "Biscuit the dog")[1] == []


def test_it_says_so_where_the_words_find_nothing_either(alice: Person, stub: StubEndpoint) -> None:
    say(alice, "My dog is called Biscuit.")
    embed(alice)
    assert found(alice, "a pet's name") == (["My dog is called Biscuit."], ["meaning_only"])
    stub.otherwise = answers("busy", 503)
    assert found(alice, "the pet's name") == ([], ["words_only"])
