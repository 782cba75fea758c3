"""Any OpenAI-compatible endpoint for embeddings: a real client against a real server that misbehaves."""

from __future__ import annotations

import base64
import math
from array import array
from collections.abc import Iterator
from typing import Any

import pytest

from memory.embedding import EmbedderDown
from memory.embedding.endpoint import EndpointEmbedder
from tests.agents.llm.stub_behaviours import cut, hang
from tests.live import free_port
from tests.memory.embedding.stub_endpoint import (
    DIMENSIONS,
    StubEndpoint,
    answers,
    dribbling,
    embeddings,
    refusing,
    vector_of,
)

KEY = "sk-a-key-of-the-stub"


@pytest.fixture
def stub() -> Iterator[StubEndpoint]:
    with StubEndpoint(otherwise=embeddings()) as server:
        yield server


@pytest.fixture(autouse=True)
def _nothing_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory.embedding.endpoint._shortens", set())


def model(stub: StubEndpoint, **changes: Any) -> EndpointEmbedder:
    given: dict[str, Any] = {
        "name": "stub",
        "base_url": stub.url,
        "api_key": KEY,
        "remote_name": "stub-embed",
        "dimensions": DIMENSIONS,
        "batch": 3,
        "backoff": 0.001,
        "timeout": 2.0,
    }
    return EndpointEmbedder(**(given | changes))


def same(found: Any, text: str) -> bool:
    """Whether a vector is that of a text, at length 1."""
    vector = vector_of(text)
    length = math.hypot(*vector)
    return bool(found == pytest.approx([each / length for each in vector]))


def test_it_asks_in_batches_and_keeps_the_order(stub: StubEndpoint) -> None:
    texts = [f"text {number}" for number in range(7)]
    stub.otherwise = embeddings(backwards=True)
    found = model(stub).passages(texts)
    assert [len(each) for each in stub.texts()] == [3, 3, 1]
    assert all(same(vector, text) for vector, text in zip(found, texts, strict=True))
    assert stub.requests[0].path == "/v1/embeddings"
    assert stub.requests[0].json["model"] == "stub-embed"
    assert stub.requests[0].headers["authorization"] == f"Bearer {KEY}"


def test_it_speaks_over_one_connection(stub: StubEndpoint) -> None:
    for _ in range(3):
        model(stub).query("again")
    assert len(stub.requests) == 3
    assert stub.connections == 1


def test_questions_and_passages_have_prefixes_of_their_own(stub: StubEndpoint) -> None:
    asked = model(stub, query_prefix="query: ", passage_prefix="passage: ")
    asked.query("who?")
    asked.passages(["me"])
    assert stub.texts() == [["query: who?"], ["passage: me"]]


def test_it_asks_again_where_that_may_help(stub: StubEndpoint) -> None:
    stub.queue(answers("busy", 503), cut(), answers("slow down", 429, retry_after="0"))
    assert same(model(stub).passages(["once more"])[0], "once more")
    assert len(stub.requests) == 4


def test_it_waits_as_long_as_the_server_asks(stub: StubEndpoint) -> None:
    stub.queue(answers("slow down", 429, retry_after="3600"))
    with pytest.raises(EmbedderDown) as refused:
        model(stub).passages(["later"])
    assert refused.value.retry_after == 3600
    assert len(stub.requests) == 1, "an hour is not waited for here"


def test_a_question_is_asked_once(stub: StubEndpoint) -> None:
    stub.queue(answers("busy", 503))
    with pytest.raises(EmbedderDown, match="503"):
        model(stub).query("who?")
    assert len(stub.requests) == 1


def test_a_text_that_is_refused_for_good_does_not_block_the_others(stub: StubEndpoint) -> None:
    stub.otherwise = refusing("poison")
    texts = ["one", "poison", "three", "four"]
    found = model(stub).passages(texts)
    assert found[1] is None
    assert all(same(found[place], texts[place]) for place in (0, 2, 3))


def test_an_endpoint_that_refuses_everything_is_down_and_no_text_is_to_blame(stub: StubEndpoint) -> None:
    stub.otherwise = refusing("", status=400)
    with pytest.raises(EmbedderDown, match="400"):
        model(stub).passages(["one", "two"])


@pytest.mark.parametrize("status", [401, 403, 404, 302])
def test_what_no_text_can_help_is_said_at_once(stub: StubEndpoint, status: int) -> None:
    stub.otherwise = answers(f"no: {KEY}, for one", status, location="http://127.0.0.1:1/")
    with pytest.raises(EmbedderDown, match=str(status)) as refused:
        model(stub).passages(["one"])
    assert refused.value.said == "no: [key], for one"
    assert "one" not in str(refused.value), "what was sent is not repeated in a log"
    assert len(stub.requests) == 1


def row(place: int, vector: Any) -> dict[str, Any]:
    return {"index": place, "embedding": vector}


WHOLE = [0.5] * DIMENSIONS
LIES = {
    "too few": {"data": [row(0, WHOLE)]},
    "too many": {"data": [row(0, WHOLE), row(1, WHOLE), row(2, WHOLE)]},
    "one twice": {"data": [row(0, WHOLE), row(0, WHOLE)]},
    "another's": {"data": [row(0, WHOLE), row(7, WHOLE)]},
    "short": {"data": [row(0, WHOLE), row(1, WHOLE[1:])]},
    "long": {"data": [row(0, WHOLE), row(1, [*WHOLE, 1.0])]},
    "empty": {"data": [row(0, WHOLE), row(1, [])]},
    "nothing but zeros": {"data": [row(0, WHOLE), row(1, [0.0] * DIMENSIONS)]},
    "not a number": '{"data": [{"index": 0, "embedding": [NaN, 1, 1, 1, 1, 1, 1, 1]}, '
    '{"index": 1, "embedding": [1, 1, 1, 1, 1, 1, 1, 1]}]}',
    "infinite": '{"data": [{"index": 0, "embedding": [1e999, 1, 1, 1, 1, 1, 1, 1]}, '
    '{"index": 1, "embedding": [1, 1, 1, 1, 1, 1, 1, 1]}]}',
    "words": {"data": [row(0, WHOLE), row(1, "no base64!")]},
    "null": {"data": [row(0, WHOLE), row(1, None)]},
    "no rows": {"data": None},
    "another object": {"error": "none"},
    "no JSON": "<html>busy</html>",
}


@pytest.mark.parametrize("lie", LIES)
def test_an_answer_that_makes_no_sense_is_a_fault(stub: StubEndpoint, lie: str) -> None:
    assert len(model(stub).passages(["one", "two"])) == 2
    stub.otherwise = answers(LIES[lie])
    with pytest.raises(EmbedderDown):
        model(stub).passages(["one", "two"])


def test_numbers_may_come_in_base64(stub: StubEndpoint) -> None:
    sent = base64.b64encode(array("f", vector_of("one")).tobytes()).decode()
    stub.otherwise = answers({"data": [row(0, sent)]})
    assert same(model(stub).query("one"), "one")


def test_fewer_dimensions_are_asked_for_only_where_there_are_more(stub: StubEndpoint) -> None:
    stub.otherwise = embeddings(dimensions=2 * DIMENSIONS)
    for _ in range(2):
        assert len(model(stub).query("shorter")) == DIMENSIONS
    assert [each.json.get("dimensions") for each in stub.requests] == [None, DIMENSIONS, DIMENSIONS]


def test_a_long_text_is_split_and_its_parts_are_pooled(stub: StubEndpoint) -> None:
    text = "The quick brown fox jumps over the lazy dog. " * 40
    found = model(stub, tokens_max=64, batch=100).passages([text, "short"])
    sent = stub.texts()[0]
    assert len(sent) > 5
    assert "".join(sent[:-1]) == text
    weighted = [sum(len(part) * unit_of(part)[at] for part in sent[:-1]) for at in range(DIMENSIONS)]
    length = math.hypot(*weighted)
    assert found[0] == pytest.approx([each / length for each in weighted])
    assert same(found[1], "short")


def unit_of(text: str) -> list[float]:
    vector = vector_of(text)
    return [each / math.hypot(*vector) for each in vector]


def test_a_server_that_hangs_is_given_up(stub: StubEndpoint) -> None:
    stub.otherwise = hang()
    with pytest.raises(EmbedderDown, match="cannot be reached"):
        model(stub, timeout=0.2, attempts=1).passages(["one"])


def test_a_server_that_never_ends_is_given_up(stub: StubEndpoint) -> None:
    stub.otherwise = dribbling()
    with pytest.raises(EmbedderDown, match="cannot be reached"):
        model(stub, timeout=0.5, attempts=1).passages(["one"])


def test_a_server_that_is_not_there_is_down() -> None:
    nowhere = EndpointEmbedder("none", f"http://127.0.0.1:{free_port()}/v1", "", "none", 8, attempts=1)
    with pytest.raises(EmbedderDown, match="cannot be reached"):
        nowhere.query("anybody?")


def test_without_a_key_none_is_sent(stub: StubEndpoint) -> None:
    model(stub, api_key="").query("who?")
    assert "authorization" not in stub.requests[0].headers
