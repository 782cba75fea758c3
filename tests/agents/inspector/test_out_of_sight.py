"""A past window shows a text to whoever may see it where it lies, and its size to everybody; what was erased
since is gone from it."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection, connections

from agents import blocks
from agents.models import AgentBlock, Step
from memory.models import Message
from tenants import services
from tests.agents.llm.stub_behaviours import text
from tests.agents.llm.stub_server import StubServer
from tests.agents.sharing import Team, edit, make_team, new_block
from tests.agents.stubbed import Stubbed
from tests.cast import Cast, Person, send, work

OTHERS, LENT = "The other team ships in May.", "Prefers mornings."
NOT_SHOWN = "Its text was erased, or it lies where you may not see it."


@dataclass
class Looked:
    """A chat of the team with one step that was sent another team's block and a lent one."""

    chat: Stubbed
    home: uuid.UUID
    step: Step

    def page(self, person: Person) -> str:
        answer = person.browser.get(
            f"/w/{self.home}/c/{self.chat.chat.conversation_id}/context/?step={self.step.id}"
        )
        assert answer.status_code == 200
        return str(answer.content.decode())

    def timeline(self, person: Person) -> str:
        answer = person.browser.get(
            f"/w/{self.home}/c/{self.chat.chat.conversation_id}/context/timeline/?step={self.step.id}"
        )
        assert answer.status_code == 200
        return str(answer.content.decode())

    def api(self, person: Person) -> dict[str, Any]:
        where = f"/api/v1/conversations/{self.chat.chat.conversation_id}/steps/{self.step.id}/context/"
        answer = person.api.get(where)
        assert answer.status_code == 200
        body: dict[str, Any] = answer.json()
        return body

    def part(self, person: Person, label: str) -> dict[str, Any]:
        return next(part for part in self.api(person)["parts"] if part["label"] == label)


def lend(person: Person, team: Team) -> None:
    """Alice told the team's agent of herself, and lends it."""
    team.talk(person)
    with person.scope():
        human = AgentBlock.objects.select_related("block").get(agent=team.agent, label="human").block
    edit(person, human, value=LENT)
    with person.scope():
        blocks.lend(team.agent.id, human.id, allowed=True)


def attach_anothers(person: Person, team: Team) -> None:
    """A block of a workspace in which Bob is not comes to the team's agent."""
    with person.scope():
        other = services.open_workspace(name="Others").id
    block = new_block(person, other, label="others", value=OTHERS)
    with person.scope():
        blocks.attach(team.agent.id, block.id)


def labels(window: dict[str, Any]) -> list[str]:
    """The blocks that a window names, in order."""
    return [part["label"] for part in window["parts"] if part["kind"] == "block"]


@pytest.fixture
def looked(cast: Cast) -> Iterator[Looked]:
    with StubServer(text("Hello.")) as server:
        team = make_team(cast, server)
        cast.let_bob_in("editor")
        attach_anothers(cast.alice, team)
        lend(cast.alice, team)
        chat = team.talk(cast.alice, cast.team)
        (step,) = chat.steps(chat.say("Hello."))
        assert OTHERS in chat.request()["messages"][0]["content"]
        assert LENT in chat.request()["messages"][0]["content"]
        yield Looked(chat, cast.team, step)


@pytest.mark.parametrize(("label", "words"), [("others", OTHERS), ("human", LENT)])
def test_a_block_out_of_sight_has_a_size_and_no_text(
    cast: Cast, looked: Looked, label: str, words: str
) -> None:
    for shown in (
        looked.page(cast.alice),
        looked.timeline(cast.alice),
        looked.part(cast.alice, label)["text"],
    ):
        assert words in shown
    for shown in (looked.page(cast.bob), looked.timeline(cast.bob)):
        assert words not in shown
        assert NOT_SHOWN in shown
        assert f"<code>{label}</code>" in shown
    mine, his = looked.part(cast.alice, label), looked.part(cast.bob, label)
    assert his["text"] is None
    assert his["tokens"] == mine["tokens"] > 0
    assert looked.api(cast.bob)["exact"] is False
    assert "not complete" in looked.page(cast.bob)


def test_what_would_be_sent_now_names_the_blocks_that_the_persons_own_turn_is_sent(
    cast: Cast, looked: Looked
) -> None:
    where = f"/api/v1/conversations/{looked.chat.chat.conversation_id}/context/"
    now = cast.bob.api.get(where).json()
    assert "others" in labels(looked.api(cast.bob))
    assert "others" not in labels(now)
    looked.chat.queue(text("Hello, Bob."))
    turn = send(cast.bob, looked.chat.chat, "Hello.")
    work(turn)
    (looked.step,) = looked.chat.steps(turn)
    assert labels(looked.api(cast.bob)) == labels(now)


def test_a_version_that_was_erased_is_gone_from_past_windows(cast: Cast, looked: Looked) -> None:
    assert OTHERS in looked.page(cast.alice)
    part = looked.part(cast.alice, "others")
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            "UPDATE memory_blockversion SET value = '', erased_at = now() "
            "WHERE block_id = %s AND number = %s",
            [part["block"], part["version"]],
        )
    for shown in (looked.page(cast.alice), looked.timeline(cast.alice)):
        assert OTHERS not in shown
        assert NOT_SHOWN in shown
    after = looked.part(cast.alice, "others")
    assert (after["text"], after["tokens"]) == (None, part["tokens"])
    assert looked.api(cast.alice)["exact"] is False


def test_a_message_that_was_erased_is_gone_and_the_page_says_so(cast: Cast, looked: Looked) -> None:
    looked.chat.queue(text("Noted."))
    looked.step = looked.chat.steps(looked.chat.say("My pin is 4711."))[-1]
    looked.chat.queue(text("Well."))
    looked.step = looked.chat.steps(looked.chat.say("And now?"))[-1]
    assert "My pin is 4711." in looked.page(cast.alice)
    with cast.alice.scope():
        erased = Message.objects.get(content="My pin is 4711.")
        Message.objects.filter(parent=erased).update(parent=None)
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM agents_step WHERE turn_id = %s", [erased.turn_id])
            cursor.execute("DELETE FROM agents_turnevent WHERE turn_id = %s", [erased.turn_id])
            cursor.execute("DELETE FROM agents_turn WHERE message_id = %s", [erased.id])
            cursor.execute("DELETE FROM memory_message WHERE id = %s", [erased.id])
    shown = looked.page(cast.alice)
    assert "My pin is 4711." not in shown
    assert "1 message that stood here was erased" in shown
    assert "not complete" in shown
