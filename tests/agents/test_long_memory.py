"""What was said long ago: known from core memory though it left the window, and found again word for word."""

import json
from dataclasses import dataclass

import pytest

from agents.models import MainContext, Turn
from agents.tools import catalog
from agents.tools.base import ToolContext
from memory.models import Message
from tests.cast import Person, answer, ask, new_agent, new_chat, send, work

SEARCHES = {"conversation_search", "message_read", "archival_memory_search"}
TOPICS = {
    "zh": [
        "今天天气不错。",
        "这本书的结尾有点长。",
        "地铁上人很多。",
        "刚才下了一场雨。",
        "会议推迟了十分钟。",
    ],
    "en": [
        "The weather is nice today.",
        "The end of that book was rather long.",
        "The train was full this morning.",
        "It rained for a moment.",
        "The meeting started ten minutes late.",
    ],
}


@dataclass(frozen=True)
class Told:
    """A statement, a question about it long after, and the word that answers it."""

    language: str
    statement: str
    question: str
    word: str


COVERED = [
    Told("zh", "我不吃香菜。", "你还记得我不吃什么吗", "香菜"),
    Told("en", "I don't eat coriander.", "Do you remember what I don't eat?", "coriander"),
]


def small_chat(alice: Person) -> MainContext:
    return new_chat(alice, new_agent(alice, window=4_000))


def tools_used(alice: Person, turn: Turn) -> set[str]:
    with alice.scope():
        rows = Message.objects.filter(turn_id=turn.id, role="tool")
        return set(rows.values_list("name", flat=True))


@pytest.fixture(params=COVERED, ids=[told.language for told in COVERED])
def told(request: pytest.FixtureRequest) -> Told:
    found: Told = request.param
    return found


def test_it_still_knows_what_was_said_sixty_messages_ago(alice: Person, told: Told) -> None:
    chat = small_chat(alice)
    first = send(alice, chat, told.statement)
    work(first)
    for number in range(60):
        topic = TOPICS[told.language][number % 5]
        ask(alice, chat, f"{topic} ({number})")

    assert_evicted(alice, chat, first)
    assert_known(alice, chat, told)
    assert_known(alice, new_chat(alice, chat.agent), told)
    assert_found(alice, chat, first, told)


def assert_evicted(alice: Person, chat: MainContext, first: Turn) -> None:
    with alice.scope():
        context = MainContext.objects.get(id=chat.id)
        message = Message.objects.get(id=first.message_id)
        assert message.position == 1
        assert context.queue_from > 20
        assert context.window_used <= 3_500


def assert_known(alice: Person, chat: MainContext, told: Told) -> None:
    """The answer names it, and nothing was searched for it: it stands in core memory."""
    turn = send(alice, chat, told.question)
    work(turn)
    assert told.word in answer(alice, turn)
    assert not tools_used(alice, turn) & SEARCHES


def assert_found(alice: Person, chat: MainContext, first: Turn, told: Told) -> None:
    """The message itself, by search and by id, as a model would."""
    turn = send(alice, chat, told.question)
    with alice.scope():
        row = Turn.objects.select_related("context__conversation", "message").get(id=turn.id)
        context = ToolContext(row, chat.agent, row.context.conversation, row.message)
        found = json.loads(
            catalog.run(context, "conversation_search", json.dumps({"query": told.word, "limit": 50}))
        )
        assert str(first.message_id) in [each["id"] for each in found["results"]]
        read = json.loads(catalog.run(context, "message_read", json.dumps({"id": str(first.message_id)})))
    assert read["content"] == told.statement
