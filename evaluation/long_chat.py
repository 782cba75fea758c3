"""A chat of a thousand turns in a small window, with the offline model: nothing is lost, what was stated is
still known at the end, an instruction of the first message still stands, and no turn costs more than the
first ones did.

Facts and small talk are those of `evaluation.planting`; the questions about fifty of the facts lie beside
them.
"""

from __future__ import annotations

import json
import statistics
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.test.utils import override_settings

from agents import services, summarising
from agents.context import recording
from agents.models import MainContext, Step, Turn
from agents.roster import AgentFields, create_agent
from agents.tasks import enqueue
from agents.turns import line
from agents.turns.loop import run_turn
from evaluation import loading
from evaluation.meter import Cost, Meter
from evaluation.planting import FOLDER
from memory.models import Message
from tenants.scope import Identity, RowKey, scope

INSTRUCTION = "Always give prices in pounds with two decimals."
STANDS = "pounds with two decimals"
STANDS_AT = 200
SEARCHES = frozenset({"conversation_search", "archival_memory_search", "message_read"})
EARLY, AROUND = 20, 10


@dataclass
class Course:
    """What is noted while the chat goes on: what each turn cost, what went wrong, how full the window was."""

    costs: list[Cost] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    sent: int = 0
    stands: bool | None = None
    fullest: float = 0.0
    tokens: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Question:
    """A fact that was stated, a question about it, and the words that answer it."""

    fact: str
    question: str
    answer: str


def questions() -> list[Question]:
    """The fifty questions."""
    rows = json.loads((FOLDER / "english_questions.json").read_text(encoding="utf-8"))
    return [Question(**row) for row in rows]


def measure(identity: Identity, turns: int, window: int, say: Callable[[str], object]) -> dict[str, Any]:
    """Talk for so many turns, then ask. Everything happens in this process, without pauses."""
    line.turn_queued.disconnect(enqueue)
    try:
        with override_settings(OFFLINE_PAUSE=0.0):
            return _measured(identity, turns, window, say)
    finally:
        line.turn_queued.connect(enqueue)


def _measured(identity: Identity, turns: int, window: int, say: Callable[[str], object]) -> dict[str, Any]:
    chat = _new_chat(identity, window)
    course, meter = Course(), Meter()
    for number, words in enumerate(_said(turns), 1):
        _turn(identity, chat, words, course)
        course.costs.append(meter.lap())
        if number == STANDS_AT:
            course.stands = STANDS in _prompt(identity, chat)
        if number % 100 == 0:
            loading.embed_all(identity, lambda _line: None)
            say(f"{number} turns")
            meter.lap()
    asked = [_asked(identity, chat, each, course) for each in questions()]
    return _report(identity, chat, course, asked, turns)


def _said(turns: int) -> Iterator[str]:
    """What the person says: the instruction first, the facts spread over the whole, small talk between."""
    facts = [each.fact for each in questions()]
    talk = [said for said, _ in _talk()]
    step = max((turns - 1) // len(facts), 1)
    yield INSTRUCTION
    for number in range(turns - 1):
        place, rest = divmod(number, step)
        is_fact = rest == step // 2 and place < len(facts)
        yield facts[place] if is_fact else f"{talk[number % len(talk)]} ({number})"


def _talk() -> list[tuple[str, str]]:
    given = json.loads((FOLDER / "english.json").read_text(encoding="utf-8"))
    return [(said, answer) for said, answer in given["talk"]]


def _new_chat(identity: Identity, window: int) -> MainContext:
    with scope(identity) as reach:
        agent = create_agent(workspace_id=reach.home, fields=AgentFields(name="Memo", window=window))
        return services.start_chat(agent_id=agent.id)


def _turn(identity: Identity, chat: MainContext, words: str, course: Course) -> Turn:
    """One turn, and the summary that it may have left to be made."""
    with scope(identity):
        turn = services.receive_message(
            conversation_id=chat.conversation_id, content=words, client_id=uuid.uuid4().hex
        )
    for _ in run_turn(RowKey(turn.tenant_id, turn.workspace_id, turn.id)):
        pass
    course.sent += 1
    with scope(identity):
        turn = Turn.objects.get(id=turn.id)
        steps = list(Step.objects.filter(turn=turn).order_by("id"))
        filling = MainContext.objects.filter(id=chat.id, is_filling=True).exists()
    if turn.status != Turn.Status.DONE:
        course.errors.append(f"{turn.status} {turn.error_kind} {turn.error_text}")
    for step in steps:
        course.tokens.append(step.counted_tokens)
        course.fullest = max(course.fullest, step.counted_tokens / step.window["capacity"])
    if filling:
        summarising.take_up(RowKey(chat.tenant_id, chat.workspace_id, chat.id))
    return turn


def _asked(identity: Identity, chat: MainContext, each: Question, course: Course) -> str:
    """From where a question was answered; "" where it was not."""
    turn = _turn(identity, chat, each.question, course)
    with scope(identity):
        said = list(Message.objects.filter(turn_id=turn.id).order_by("position"))
    answer = " ".join(message.content for message in said if message.role == Message.Role.ASSISTANT)
    if each.answer.casefold() not in answer.casefold():
        return ""
    called = {message.name for message in said if message.role == Message.Role.TOOL}
    return "search" if called & SEARCHES else "window"


def _prompt(identity: Identity, chat: MainContext) -> str:
    """The last prompt of a chat as one text."""
    with scope(identity):
        step = (
            Step.objects.filter(turn__conversation=chat.conversation_id).select_related("turn").latest("id")
        )
        return json.dumps(recording.rendered(step), ensure_ascii=False)


def _report(
    identity: Identity, chat: MainContext, course: Course, asked: list[str], turns: int
) -> dict[str, Any]:
    with scope(identity):
        rows = Message.objects.filter(conversation_id=chat.conversation_id)
        kept = rows.filter(role=Message.Role.USER, position__isnull=False).count()
        context = MainContext.objects.select_related("summary").get(id=chat.id)
        messages = rows.count()
    early, late = _around(course.costs, EARLY), _around(course.costs, turns)
    missed = [each.fact for each, place in zip(questions(), asked, strict=True) if not place]
    return {
        "turns": turns,
        "errors": course.errors,
        "messages": messages,
        "messages_of_person": kept,
        "sent": course.sent,
        "questions": len(asked),
        "answered": sum(map(bool, asked)),
        "answered_from": {"window": asked.count("window"), "search": asked.count("search")},
        "missed": missed,
        f"instruction_stands_at_turn_{STANDS_AT}": course.stands,
        "most_tokens": max(course.tokens),
        "fullest": round(course.fullest, 3),
        "evicted": context.queue_from - 1,
        "cpu_ms_early": early,
        "cpu_ms_late": late,
        "cpu_ratio": round(late / early, 3) if early else None,
    }


def _around(costs: list[Cost], turn: int) -> float:
    """Median CPU of the turns around one, this process and PostgreSQL, in milliseconds."""
    near = costs[max(turn - AROUND - 1, 0) : turn + AROUND]
    return round(statistics.median((each.app + (each.database or 0)) * 1000 for each in near), 1)
