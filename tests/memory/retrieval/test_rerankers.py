"""The second stage over HTTP: a real client against servers that reverse, hang, and lie about ids."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from memory import retrieval
from memory.retrieval import Filters
from memory.retrieval.rerank import HttpRerank, RerankFailed, configured
from tests.agents.llm.stub_behaviours import Behaviour, Exchange, cut, hang
from tests.cast import Person
from tests.live import free_port
from tests.memory.embedding.embedded import say
from tests.memory.embedding.stub_endpoint import StubEndpoint, answers, dribbling

TEXTS = ["one", "two", "three"]


@pytest.fixture
def stub() -> Iterator[StubEndpoint]:
    with StubEndpoint(otherwise=reversing()) as server:
        yield server


@pytest.fixture(autouse=True)
def _nothing_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory.retrieval.rerank._reads_texts", set())


def reversing() -> Behaviour:
    """Finds the last text best, as Cohere's server would say it: the best first."""

    async def behave(exchange: Exchange) -> None:
        count = len(exchange.request.json["documents"])
        rows = [{"index": place, "relevance_score": place / count} for place in reversed(range(count))]
        await exchange.answer(200, json.dumps({"results": rows}).encode())

    return behave


def of_the_other_kind() -> Behaviour:
    """Speaks as text-embeddings-inference does, and takes nothing else."""

    async def behave(exchange: Exchange) -> None:
        asked = exchange.request.json
        if "texts" not in asked:
            await exchange.answer(422, b"missing field `texts`")
            return
        rows = [{"index": place, "score": -float(place)} for place in range(len(asked["texts"]))]
        await exchange.answer(200, json.dumps(rows).encode())

    return behave


def reranker(stub: StubEndpoint, **changes: Any) -> HttpRerank:
    return HttpRerank(**({"url": f"{stub.url}/rerank", "model": "m", "key": "k", "timeout": 2.0} | changes))


def test_scores_come_in_the_order_of_the_texts(stub: StubEndpoint) -> None:
    scores = reranker(stub)("which?", TEXTS)
    assert scores == sorted(scores)
    asked = stub.requests[0]
    assert asked.path == "/v1/rerank"
    assert asked.headers["authorization"] == "Bearer k"
    assert asked.json == {"model": "m", "query": "which?", "documents": TEXTS, "top_n": 3}


def test_the_other_kind_of_server_is_spoken_to_in_its_way(stub: StubEndpoint) -> None:
    stub.otherwise = of_the_other_kind()
    assert reranker(stub)("which?", TEXTS) == [0.0, -1.0, -2.0]
    assert reranker(stub)("which?", TEXTS) == [0.0, -1.0, -2.0]
    assert ["texts" in each.json for each in stub.requests] == [False, True, True], "it is remembered"


def test_no_texts_are_no_request(stub: StubEndpoint) -> None:
    assert reranker(stub)("which?", []) == []
    assert stub.requests == []


def results(*pairs: tuple[Any, Any]) -> dict[str, Any]:
    return {"results": [{"index": index, "relevance_score": score} for index, score in pairs]}


LIES = {
    "a text it was not sent": results((0, 0.1), (1, 0.2), (3, 0.3)),
    "a negative place": results((0, 0.1), (1, 0.2), (-1, 0.3)),
    "one text twice": results((0, 0.1), (1, 0.2), (1, 0.3)),
    "one text more": results((0, 0.1), (1, 0.2), (2, 0.3), (2, 0.3)),
    "one text less": results((0, 0.1), (1, 0.2)),
    "none": results(),
    "words for numbers": results((0, 0.1), (1, "high"), (2, 0.3)),
    "nothing for a number": results((0, 0.1), (1, None), (2, 0.3)),
    "yes for a number": results((0, 0.1), (1, True), (2, 0.3)),
    "yes for a place": results((0, 0.1), (True, 0.2), (2, 0.3)),
    "a text for a place": results((0, 0.1), ("1", 0.2), (2, 0.3)),
    "not a number": '{"results": [{"index": 0, "relevance_score": NaN}, {"index": 1, "relevance_score": 1},'
    ' {"index": 2, "relevance_score": 1}]}',
    "infinite": '[{"index": 0, "score": 1e999}, {"index": 1, "score": 1}, {"index": 2, "score": 1}]',
    "another object": {"data": []},
    "null": "null",
    "no JSON": "<html>",
}


@pytest.mark.parametrize("lie", LIES)
def test_a_reranker_that_lies_is_not_believed(stub: StubEndpoint, lie: str) -> None:
    assert len(reranker(stub)("which?", TEXTS)) == 3
    stub.otherwise = answers(LIES[lie])
    with pytest.raises(RerankFailed):
        reranker(stub)("which?", TEXTS)


@pytest.mark.parametrize("fault", [hang(), dribbling(), cut(), answers("busy", 503), answers("no", 401)])
def test_a_reranker_that_fails_is_given_up(stub: StubEndpoint, fault: Behaviour) -> None:
    stub.otherwise = fault
    with pytest.raises(RerankFailed):
        reranker(stub, timeout=0.3)("which?", TEXTS)


def test_a_reranker_that_is_not_there_is_given_up() -> None:
    with pytest.raises(RerankFailed):
        HttpRerank(f"http://127.0.0.1:{free_port()}/rerank")("which?", TEXTS)


def test_the_settings_name_it(settings: Any) -> None:
    settings.RERANK = {"url": "", "model": "", "key": "", "timeout": 2.0}
    assert configured() is None
    settings.RERANK = {"url": "http://127.0.0.1:1/rerank", "model": "m", "key": "k", "timeout": 0.5}
    assert configured() == HttpRerank("http://127.0.0.1:1/rerank", "m", "k", 0.5)
    assert "'k'" not in repr(configured())


def found(person: Person, second_stage: HttpRerank | None = None) -> tuple[list[str], list[str]]:
    """Texts in their order, and notices."""
    with person.scope():
        page = retrieval.search("train", Filters(), second_stage=second_stage)
    return [hit.text for hit in page.hits], [notice.code for notice in page.notices]


@pytest.fixture
def trains(alice: Person) -> list[str]:
    """Three texts in the order of the first stage."""
    say(alice, "The train.", "My train of thought was long gone by then.", "Nobody takes that train to work.")
    texts, _ = found(alice)
    assert len(texts) == 3
    return texts


def test_a_search_is_put_in_the_order_of_the_second_stage(
    alice: Person, stub: StubEndpoint, trains: list[str]
) -> None:
    texts, notices = found(alice, reranker(stub))
    assert texts == trains[::-1]
    assert "rerank_failed" not in notices


@pytest.mark.parametrize("fault", [hang(), answers("busy", 503), answers(LIES["a text it was not sent"])])
def test_where_it_fails_the_first_order_stands_and_the_page_says_so(
    alice: Person, stub: StubEndpoint, trains: list[str], fault: Behaviour
) -> None:
    stub.otherwise = fault
    texts, notices = found(alice, reranker(stub, timeout=0.3))
    assert texts == trains
    assert "rerank_failed" in notices
