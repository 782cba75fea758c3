"""The built-in model, told no by a person: it writes that nowhere in this turn, and says so."""

from __future__ import annotations

import uuid

import pytest

from agents.llm.offline.phrases import PHRASES
from agents.models import Agent, Approval, MainContext, Turn
from agents.tools import catalog
from agents.tools.rules import checked
from agents.turns import approvals
from agents.turns.claims import claims_saving
from memory.models import Message, Passage
from tests.agents.asking import decide
from tests.agents.llm.offline.chat import Block, Chat
from tests.cast import Person, new_agent, new_chat, send, work

WRITES = ("core_memory_append", "core_memory_replace", "archival_memory_insert")


@pytest.fixture
def asking(alice: Person) -> MainContext:
    """Alice's chat with an agent that asks before it writes."""
    agent = new_agent(alice)
    rules = [{"type": "requires_approval", "tool_name": tool} for tool in WRITES]
    with alice.scope():
        Agent.objects.filter(id=agent.id).update(tool_rules=checked(rules, catalog.TOOLS, catalog.OF_SKILLS))
    return new_chat(alice, agent)


def asked(alice: Person, chat: MainContext, words: str) -> tuple[Turn, Approval]:
    turn = send(alice, chat, words)
    work(turn)
    with alice.scope():
        return turn, Approval.objects.get(turn=turn, status="open")


def answer(alice: Person, turn: Turn) -> str:
    """What is said when the turn has gone on to its end; nothing else is asked about."""
    work(turn)
    with alice.scope():
        assert Turn.objects.get(id=turn.id).status == Turn.Status.DONE
        return str(last_words(turn.conversation_id))


def last_words(conversation_id: uuid.UUID) -> str:
    rows = Message.objects.filter(conversation_id=conversation_id, role="assistant").exclude(content="")
    return str(rows.order_by("-position")[0].content)


@pytest.mark.parametrize(
    ("words", "note", "said"),
    [
        ("I don't eat coriander", "", "Alice said no, so I did not save this: “I don't eat coriander”."),
        (
            "I don't eat coriander",
            "Too private.",
            "Alice said no, so I did not save this: “I don't eat coriander”. The note says: “Too private.”.",
        ),
        ("我不吃香菜", "", "Alice 不同意，所以我没有保存：“我不吃香菜”。"),
        ("我不吃香菜", "太私人了", "Alice 不同意，所以我没有保存：“我不吃香菜”。附言：“太私人了”。"),
        (
            "Put this into the archive: the tax office wrote",
            "",
            "Alice said no, so I did not save this: “the tax office wrote”.",
        ),
    ],
)
def test_it_writes_that_nowhere_and_says_so(
    alice: Person, asking: MainContext, words: str, note: str, said: str
) -> None:
    turn, approval = asked(alice, asking, words)
    decide(alice, approvals.reject, approval, note=note)
    assert answer(alice, turn) == said
    with alice.scope():
        assert Passage.objects.count() == 0


@pytest.mark.parametrize(
    ("words", "forget", "said"),
    [
        (
            "I don't eat coriander",
            "Forget that I don't eat coriander",
            "Alice said no, so this stays in core memory: “I don't eat coriander”.",
        ),
        ("我不吃香菜", "忘掉我不吃香菜", "Alice 不同意，所以核心记忆里仍然有：“我不吃香菜”。"),
    ],
)
def test_what_may_not_be_removed_stays(
    alice: Person, asking: MainContext, words: str, forget: str, said: str
) -> None:
    turn, approval = asked(alice, asking, words)
    decide(alice, approvals.approve, approval)
    answer(alice, turn)
    turn, approval = asked(alice, asking, forget)
    decide(alice, approvals.reject, approval)
    assert answer(alice, turn) == said


@pytest.mark.parametrize(
    ("words", "edited", "said"),
    [
        ("I don't eat coriander", "Eats no herbs", "Saved to memory: “Eats no herbs”."),
        ("我不吃香菜", "不吃香草", "记住了：“不吃香草”。"),
    ],
)
def test_it_says_what_was_saved_where_a_person_changed_it(
    alice: Person, asking: MainContext, words: str, edited: str, said: str
) -> None:
    turn, approval = asked(alice, asking, words)
    decide(alice, approvals.approve, approval, arguments={"label": "human", "content": edited})
    assert answer(alice, turn) == said


def test_it_may_be_told_again_in_a_later_turn(alice: Person, asking: MainContext) -> None:
    turn, approval = asked(alice, asking, "I don't eat coriander")
    decide(alice, approvals.reject, approval)
    answer(alice, turn)
    turn, approval = asked(alice, asking, "I don't eat coriander")
    decide(alice, approvals.approve, approval)
    assert answer(alice, turn) == "Saved to memory: “I don't eat coriander”."


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            "I don't eat coriander",
            "Nobody said yes in time, so I did not save this: “I don't eat coriander”.",
        ),
        ("我不吃香菜", "没有人及时同意，所以我没有保存：“我不吃香菜”。"),
    ],
)
def test_nor_where_nobody_said_yes_in_time(words: str, said: str) -> None:
    late = {
        "status": "error",
        "code": "expired",
        "error": "Nobody said yes or no in time, so it was not run.",
    }
    chat = Chat(blocks={"human": Block()}, refused={"core_memory_append": late})
    answered = chat(words)
    assert (answered.names, answered.text) == (["core_memory_append"], said)
    assert chat.archive == []


@pytest.mark.parametrize("name", ["rejected_saving", "expired_saving", "rejected_removal", "expired_removal"])
def test_none_of_it_claims_that_something_was_saved(name: str) -> None:
    for text in PHRASES[name]:
        assert not claims_saving(text.format(who="Alice", text="x"))
