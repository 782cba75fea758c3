"""What is embedded of a query: what is asked, without the names of those who may have said it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from memory.embedding import EmbedderDown
from memory.models import IndexEntry
from memory.retrieval import Filters, meaning, search
from memory.retrieval.meaning import without_names, wording
from tests.cast import Cast, Person
from tests.memory.embedding.embedded import current_stub, say
from tests.memory.embedding.stub_endpoint import StubEndpoint

MESSAGES = Filters(kinds=[IndexEntry.Kind.MESSAGE])


@pytest.fixture
def stub(database: None, settings: Any) -> Iterator[StubEndpoint]:
    with current_stub(settings) as server:
        yield server


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("What did Caroline paint?", "What did paint?"),
        ("what did caroline paint?", "what did paint?"),
        ("What is Caroline's dog called?", "What is dog called?"),
        ("Does Mary Ann like tea?", "Does like tea?"),
        ("Does Ann like tea?", "Does like tea?"),
        ("Where do the annual meetings take place?", "Where do the annual meetings take place?"),
        ("陈默的鞋是几码?", "的鞋是几码?"),
    ],
)
def test_names_of_speakers_are_left_out(text: str, left: str) -> None:
    assert without_names(text, ["Caroline", "Mary Ann", "Ann", "陈默"]) == left


@pytest.mark.parametrize("text", ["Caroline", "Caroline?", "陈默 Caroline"])
def test_a_query_of_names_alone_stays_as_it_is(text: str) -> None:
    assert without_names(text, ["Caroline", "陈默"]) == text


def test_nothing_is_left_out_where_nobody_is_known() -> None:
    assert without_names("What did  Caroline paint?", []) == "What did  Caroline paint?"


def test_common_words_and_single_letters_of_a_name_stay() -> None:
    assert without_names("Who is the J of the band?", ["J", "The Who"]) == "Who is the J of the band?"


def test_speakers_are_those_of_messages_in_sight(cast: Cast) -> None:
    say(cast.alice, "I paint.")
    say(cast.charlie, "I sing.")
    with cast.alice.scope():
        assert wording("What does Alice paint, and Charlie?", MESSAGES) == "What does paint, and Charlie?"


def test_a_long_chat_hides_nobody_of_an_older_one(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meaning, "MESSAGES", 2)
    cast.let_bob_in()
    say(cast.bob, "I paint.", workspace_id=cast.team)
    say(cast.alice, "one", "two", "three", "four", workspace_id=cast.team)
    with cast.alice.scope():
        assert wording("Does Bob paint, Alice?", MESSAGES) == "Does paint, ?"
        monkeypatch.setattr(meaning, "CHATS", 1)
        assert wording("Does Bob paint, Alice?", MESSAGES) == "Does Bob paint, ?"


@pytest.mark.parametrize("kinds", [None, ["passage"], ["message", "passage"]])
def test_names_stay_where_not_messages_alone_are_searched(alice: Person, kinds: list[str] | None) -> None:
    say(alice, "I paint.")
    with alice.scope():
        assert wording("What does Alice paint?", MESSAGES) == "What does paint?"
        assert wording("What does Alice paint?", Filters(kinds=kinds)) == "What does Alice paint?"


def test_a_search_asks_the_model_without_names_and_still_finds_by_them(
    alice: Person, stub: StubEndpoint
) -> None:
    say(alice, "I paint.")
    stub.requests.clear()
    with alice.scope():
        (hit,) = search("Does Alice paint?", MESSAGES).hits
    assert stub.texts() == [["Does paint?"]]
    assert hit.parts.speaker is None, "she is the only one who speaks"
    assert "alic" in hit.parts.words


def test_words_alone_are_searched_where_no_model_answers(
    alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def down(*_: object, **__: object) -> object:
        raise EmbedderDown("It is down.")

    monkeypatch.setattr(meaning, "query_vectors", down)
    with alice.scope():
        assert meaning.vectors("anything", MESSAGES) == {}
