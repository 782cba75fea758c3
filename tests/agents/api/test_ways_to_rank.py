"""Weights and a second stage that are asked for with one search over the API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from django.db import connection

from agents.archives import archive_for
from agents.reranking import ModelRerank
from memory.archival import NewPassage, insert_passages
from memory.core import by_me
from tests.agents.llm.stub_behaviours import refuse, text
from tests.agents.stubbed import Stubbed, stub_model
from tests.api_calls import call, get, problem
from tests.cast import Cast, Person, new_agent

WORDED, WEIGHTY = "Tea, green tea and more tea.", "Somebody spoke of tea and of many other things besides."


@pytest.fixture
def teas(stubbed: Stubbed) -> Stubbed:
    """A passage that has the word most, and one that matters most."""
    with stubbed.person.scope():
        new = [NewPassage(WORDED, importance=0.0), NewPassage(WEIGHTY, importance=1.0)]
        insert_passages(archive_for(stubbed.agent, stubbed.person.personal), new, actor=by_me())
    return stubbed


def found(person: Person, rest: str) -> Any:
    return get(person, f"search/?q=tea&kind=passage&{rest}")


def order(answer: Any) -> list[str]:
    return [hit["text"] for hit in answer["results"]]


def test_weights_of_one_search_order_it(teas: Stubbed) -> None:
    by_words = found(teas.person, "weights=lexical:1,vector:0,importance:0,recency:0")
    by_importance = found(teas.person, "weights=lexical:0.1,vector:0,importance:10")
    assert order(by_words) == [WORDED, WEIGHTY]
    assert order(by_importance) == [WEIGHTY, WORDED]
    first = by_importance["results"][0]
    assert first["parts"]["importance"] == 1


def test_what_is_left_out_counts_as_the_agent_has_it(teas: Stubbed) -> None:
    with teas.person.scope():
        type(teas.agent).objects.filter(id=teas.agent.id).update(
            retrieval={"weights": {"lexical": 0.1, "vector": 0, "importance": 10}}
        )
    its = f"agent={teas.agent.id}"
    assert order(found(teas.person, its)) == [WEIGHTY, WORDED]
    assert order(found(teas.person, f"{its}&weights=importance:0")) == [WORDED, WEIGHTY]


@pytest.mark.parametrize(
    "weights",
    [
        *("lexical", "lexical:", "lexical:much", "lexical:nan", "lexical:-1", "lexical:11", "luck:1", ":1"),
        *("lexical:1,lexical:2", "lexical:0,vector:0,importance:0,recency:0", "lexical:1;vector:1", ","),
    ],
)
def test_weights_that_are_none_are_refused(alice: Person, weights: str) -> None:
    said = problem(call(alice, "GET", f"search/?q=tea&weights={weights}"), 400)
    assert "weights" in str(said)


def test_how_to_rank_is_no_condition(alice: Person) -> None:
    problem(call(alice, "GET", "search/?weights=lexical:1&rerank=none"), 400)


def test_the_agents_model_ranks_where_it_is_asked_to(teas: Stubbed, monkeypatch: pytest.MonkeyPatch) -> None:
    its = f"agent={teas.agent.id}"
    before = order(found(teas.person, its))
    teas.queue(text("[2]"))
    answer = found(teas.person, f"{its}&rerank=model")
    assert order(answer) == before[::-1]
    assert answer["results"][0]["parts"]["rerank"] > answer["results"][1]["parts"]["rerank"]
    seen: list[bool] = []

    def rank(self: ModelRerank, query: str, texts: Sequence[str]) -> list[float]:
        seen.append(connection.in_atomic_block)
        return [float(place) for place in range(len(texts))]

    monkeypatch.setattr(ModelRerank, "__call__", rank)
    assert order(found(teas.person, f"{its}&rerank=model")) == before[::-1]
    assert seen == [False]


def test_the_first_order_stands_where_it_fails_and_that_is_said(teas: Stubbed) -> None:
    its = f"agent={teas.agent.id}"
    before = order(found(teas.person, its))
    teas.queue(refuse(401))
    answer = found(teas.person, f"{its}&rerank=model")
    assert order(answer) == before
    assert "rerank_failed" in str(answer["notices"])


@pytest.mark.parametrize("rerank", ["endpoint", "model", "luck"])
def test_a_second_stage_that_is_not_there_is_refused(alice: Person, rerank: str) -> None:
    assert "rerank" in str(problem(call(alice, "GET", f"search/?q=tea&rerank={rerank}"), 400))
    offline = f"search/?q=tea&rerank={rerank}&agent={new_agent(alice).id}"
    assert "rerank" in str(problem(call(alice, "GET", offline), 400))


def test_viewers_spend_nobodys_model(cast: Cast) -> None:
    model = stub_model(cast.alice, "http://127.0.0.1:9/v1")
    agent = new_agent(cast.alice, cast.team, model_id=model.id)
    path = f"search/?q=tea&agent={agent.id}"
    cast.let_bob_in("viewer")
    assert call(cast.bob, "GET", path).status_code == 200
    problem(call(cast.bob, "GET", f"{path}&rerank=model"), 403)
    problem(call(cast.charlie, "GET", f"{path}&rerank=model"), 404)
    cast.let_bob_in("member")
    assert call(cast.bob, "GET", f"{path}&rerank=model").status_code == 200
