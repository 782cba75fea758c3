"""Operations on a block over the API, and the versions that they leave."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connections

from tests.api_calls import call, everything, get, post, problem, state_of
from tests.cast import Cast, Person, new_agent


@pytest.fixture
def block(alice: Person) -> Any:
    """A block of Alice's agent with three lines."""
    agent = new_agent(alice)
    body = {"label": "project", "value": "one\ntwo\nthree", "limit": 40}
    return post(alice, f"agents/{agent.id}/blocks/", body)


def operate(person: Person, block: Any, **body: Any) -> Any:
    return call(person, "POST", f"blocks/{block['id']}/operations/", body)


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ({"operation": "append", "content": "four"}, "one\ntwo\nthree\nfour"),
        ({"operation": "replace", "old_content": "two", "new_content": "2"}, "one\n2\nthree"),
        ({"operation": "replace", "old_content": "two", "new_content": ""}, "one\nthree"),
        ({"operation": "insert", "content": "zero", "line": 0}, "zero\none\ntwo\nthree"),
        ({"operation": "insert", "content": "four"}, "one\ntwo\nthree\nfour"),
        ({"operation": "rethink", "content": "count"}, "count"),
        ({"operation": "rethink", "content": ""}, ""),
        ({"operation": "patch", "patch": "@@ -2 +2 @@\n-two\n+2"}, "one\n2\nthree"),
        ({"operation": "append", "content": "four", "reason": "It is so."}, "one\ntwo\nthree\nfour"),
    ],
)
def test_it_applies_each_operation(alice: Person, block: Any, body: dict[str, Any], value: str) -> None:
    response = operate(alice, block, **body)
    assert response.status_code == 200
    assert response.headers["ETag"] == '"2"'
    assert response.json()["value"] == value
    newest, first = get(alice, f"blocks/{block['id']}/versions/")["results"]
    assert (newest["number"], newest["operation"], newest["value"]) == (2, body["operation"], value)
    assert newest["actor"] == {"kind": "user", "id": str(alice.user.id)}
    assert newest["supersedes"] == first["id"]
    assert first["operation"] == "create"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"operation": "erase"}, 400),
        ({"operation": ["append"], "content": "x"}, 400),
        ({"operation": "append"}, 400),
        ({"operation": "append", "content": ""}, 400),
        ({"operation": "append", "content": "   "}, 422),
        ({"operation": "append", "content": None}, 400),
        ({"operation": "append", "content": "x", "line": 1}, 400),
        ({"operation": "append", "content": "a\x00b"}, 400),
        ({"operation": "append", "content": "a\udc00b"}, 400),
        ({"operation": "append", "content": "x" * 60}, 422),
        ({"operation": "replace", "old_content": "nine", "new_content": "9"}, 422),
        ({"operation": "replace", "old_content": "", "new_content": "9"}, 400),
        ({"operation": "replace", "old_content": "o", "new_content": "0"}, 422),
        ({"operation": "insert", "content": "x", "line": 9}, 422),
        ({"operation": "insert", "content": "x", "line": -2}, 422),
        ({"operation": "insert", "content": "x", "line": 10**40}, 422),
        ({"operation": "insert", "content": "x", "line": "0"}, 400),
        ({"operation": "rethink", "content": "x" * 41}, 422),
        ({"operation": "rethink"}, 400),
        ({"operation": "patch", "patch": "Make it better."}, 422),
        ({"operation": "patch", "patch": "-nine"}, 422),
        ({"operation": "patch", "patch": 5}, 400),
        ({"operation": "section", "section": "goals", "content": "x"}, 422),
        ({"operation": "append", "content": "x", "reason": "y" * 1001}, 400),
    ],
)
def test_it_refuses_and_changes_nothing(alice: Person, block: Any, body: dict[str, Any], status: int) -> None:
    before = state_of(alice.identity.tenant_id)
    problem(operate(alice, block, **body), status)
    assert state_of(alice.identity.tenant_id) == before


def test_it_says_how_much_room_is_left(alice: Person, block: Any) -> None:
    refused = problem(operate(alice, block, operation="append", content="x" * 60), 422)
    assert refused["code"] == "limit_passed"
    assert (refused["limit"], refused["room"], refused["over"]) == (40, 27, 34)


def test_it_says_how_often_a_text_was_found(alice: Person, block: Any) -> None:
    refused = problem(operate(alice, block, operation="replace", old_content="o", new_content="0"), 422)
    assert (refused["code"], refused["times"]) == ("text_found_twice", 2)


def test_it_loses_none_of_many_appends_at_once(alice: Person) -> None:
    agent = new_agent(alice)
    block = post(alice, f"agents/{agent.id}/blocks/", {"label": "log"})
    answers: list[int] = []

    def append(number: int) -> None:
        answers.append(operate(alice, block, operation="append", content=f"line {number}.").status_code)
        connections.close_all()

    threads = [threading.Thread(target=append, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [200] * 8
    value = get(alice, f"blocks/{block['id']}/")["value"]
    assert sorted(value.split("\n")) == sorted(f"line {number}." for number in range(8))


def test_it_pages_through_versions_newest_first(alice: Person, block: Any) -> None:
    for number in range(4):
        operate(alice, block, operation="rethink", content=f"{number}")
    numbers = [row["number"] for row in everything(alice, f"blocks/{block['id']}/versions/?limit=2")]
    assert numbers == [5, 4, 3, 2, 1]


def test_it_hides_blocks_of_others(cast: Cast) -> None:
    agent = new_agent(cast.alice, cast.team)
    block = post(cast.alice, f"agents/{agent.id}/blocks/", {"label": "plan"})
    for stranger in (cast.bob, cast.charlie):
        problem(operate(stranger, block, operation="append", content="spy"), 404)
        problem(call(stranger, "GET", f"blocks/{block['id']}/versions/"), 404)
