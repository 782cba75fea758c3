"""The built-in model in a chat with a team's agent: it proposes, says so, and passes on what became of it."""

import pytest

from agents import blocks
from agents.models import MainContext
from memory import proposals
from memory.core import BlockFields
from memory.models import Message, Proposal
from tests.agents.sharing import now
from tests.cast import Cast, ask, new_agent, new_chat

TALKS = [
    (
        "The deadline of the project is June 30",
        "Proposed, not saved yet: “The deadline of the project is June 30”. "
        "Somebody who may change that memory block has to approve it.",
        "Hello!",
        "Alice approved what I proposed for the memory block project: “The deadline of the project is June ",
        "When is the deadline of the project?",
        "My core memory says: “The deadline of the project is June 30”.",
        "The person said so in a chat.",
    ),
    (
        "项目的截止日期是 6 月 30 日",
        "已提议，尚未写入记忆：“项目的截止日期是 6 月 30 日”。需要有权修改该记忆块的人批准。",
        "你好",
        "Alice 批准了我对记忆块 project 的提议：“项目的截止日期是 6 月 30 日”。",
        "项目的截止日期是哪天？",
        "我的核心记忆里写着：“项目的截止日期是 6 月 30 日”。",
        "用户在会话里这样说。",
    ),
]


@pytest.mark.parametrize(("told", "proposed", "greeting", "passed_on", "asked", "known", "why"), TALKS)
def test_a_line_of_the_teams_from_bobs_own_chat(
    cast: Cast, told: str, proposed: str, greeting: str, passed_on: str, asked: str, known: str, why: str
) -> None:
    cast.let_bob_in("member")
    agent = new_agent(cast.alice, cast.team)
    with cast.alice.scope():
        described = BlockFields(label="project", description="Facts about the project.")
        project = blocks.add_agent_block(agent.id, described)
    chat = new_chat(cast.bob, agent)
    assert ask(cast.bob, chat, told) == proposed
    assert now(cast.alice, project).value == ""
    assert not _marked(cast, chat)

    with cast.alice.scope():
        (waiting,) = proposals.open_proposals(cast.team)
        assert (waiting.value, waiting.asked_by) == (told, cast.bob.user.id)
        assert waiting.reason == why
        proposals.approve(waiting.id)

    assert ask(cast.bob, chat, greeting).startswith(passed_on)
    assert ask(cast.bob, chat, asked) == known
    assert ask(cast.bob, new_chat(cast.bob, agent), asked) == known
    with cast.bob.scope():
        assert Proposal.objects.get(id=waiting.id).told_at


def _marked(cast: Cast, chat: MainContext) -> bool:
    """Whether an answer is marked for claiming to have saved what it did not."""
    with cast.bob.scope():
        rows = Message.objects.filter(conversation_id=chat.conversation_id)
        return rows.filter(claims_unsaved=True).exists()


def test_what_bob_tells_of_himself_stays_with_him(cast: Cast) -> None:
    cast.let_bob_in("member")
    agent = new_agent(cast.alice, cast.team)
    with cast.alice.scope():
        blocks.add_agent_block(agent.id, BlockFields(label="people", description="People of the team."))
    answer = ask(cast.bob, new_chat(cast.bob, agent), "I don't eat coriander")
    assert answer == "Saved to memory: “I don't eat coriander”."
    with cast.alice.scope():
        assert proposals.count_open() == 0
