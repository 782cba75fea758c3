"""The same thing sent by several at the same moment: done once, and every answer is a stated one."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from django.db import connections

from tests.api_calls import call, get
from tests.cast import Person, new_agent, new_chat


def at_once(times: int, ask: Callable[[], Any]) -> list[Any]:
    """The answers to the same request from so many threads."""
    answers: list[Any] = []
    ready = threading.Barrier(times)

    def run() -> None:
        ready.wait()
        answers.append(ask())
        connections.close_all()

    threads = [threading.Thread(target=run) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def test_it_makes_a_label_once(alice: Person) -> None:
    agent = new_agent(alice)
    path = f"agents/{agent.id}/blocks/"
    answers = at_once(6, lambda: call(alice, "POST", path, {"label": "plan"}))
    statuses = sorted(answer.status_code for answer in answers)
    assert statuses[0] == 201
    assert set(statuses[1:]) <= {400, 409}
    labels = [block["label"] for block in get(alice, path)["results"]]
    assert sorted(labels) == ["human", "persona", "plan"]


def test_it_sends_a_message_once(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    path = f"conversations/{chat.conversation_id}/messages/"
    body = {"content": "hello", "client_id": "one"}
    answers = at_once(6, lambda: call(alice, "POST", f"{path}?wait=0", body))
    assert {answer.status_code for answer in answers} == {202}
    assert len({answer.json()["turn"]["id"] for answer in answers}) == 1
    assert len(get(alice, path)["results"]) == 1


def test_it_lets_one_edit_of_a_version_win(alice: Person) -> None:
    agent = new_agent(alice)
    block = get(alice, f"agents/{agent.id}/blocks/")["results"][0]["id"]
    answers = at_once(6, lambda: call(alice, "PATCH", f"blocks/{block}/", {"value": "Mine."}, If_Match='"1"'))
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 5
    assert get(alice, f"blocks/{block}/")["version"] == 2
