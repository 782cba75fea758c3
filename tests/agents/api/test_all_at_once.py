"""The same thing sent by several at the same moment: done once, and every answer is a stated one."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connections

from agents.models import AgentBlock
from tests.agents.sharing import make_team, new_block
from tests.api_calls import call, get
from tests.cast import Cast, Person, new_agent, new_chat


def at_once(times: int, ask: Callable[[], Any]) -> list[Any]:
    """The answers to the same request from so many threads."""
    return together(*[ask] * times)


def together(*asks: Callable[[], Any]) -> list[Any]:
    """The answers to requests that are sent at the same moment, as they come."""
    answers: list[Any] = []
    ready = threading.Barrier(len(asks))

    def run(ask: Callable[[], Any]) -> None:
        ready.wait()
        answers.append(ask())
        connections.close_all()

    threads = [threading.Thread(target=run, args=[ask]) for ask in asks]
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


@pytest.mark.parametrize("_again", range(4))
def test_a_label_is_not_given_to_one_block_while_another_of_it_is_attached(cast: Cast, _again: int) -> None:
    alice, team = cast.alice, make_team(cast)
    own = new_block(alice, alice.personal, "goals")
    answers = together(
        lambda: call(alice, "POST", f"agents/{team.agent.id}/blocks/{own.id}/"),
        lambda: call(alice, "PATCH", f"blocks/{team.plan.id}/", {"label": "goals"}, If_Match='"1"'),
    )
    assert sorted(answer.status_code for answer in answers) in ([200, 400], [201, 400])
    with alice.scope():
        held = AgentBlock.objects.filter(agent=team.agent, block__in=[own, team.plan])
        assert [row.label for row in held] == [row.block.label for row in held.select_related("block")]
