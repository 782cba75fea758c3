"""Compiling the main context: system, tools, core memory, summary, queue, status, each part counted."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils import timezone

from agents import archives, skills, trust
from agents.context import attached, prompt, queue_manager, summariser
from agents.context.parts import Part, PartKind, Window
from agents.context.prompt import Status
from agents.context.queue_manager import Writer
from agents.context.speakers import is_shared
from agents.context.tokens import TOKENS_PER_MESSAGE, Tokenizer, tokenizer
from agents.core_memory import blocks_in_view
from agents.models import Turn
from agents.tools import catalog

ANSWER_SHARE, ANSWER_MOST = 8, 4_096
STATUS_TOKENS = 160


class WindowTooSmall(Exception):
    """Instructions and memory alone fill the window. Shorten a block or choose a larger window."""

    kind, retryable = "window", False


@dataclass(frozen=True)
class Fixed:
    """What does not depend on the queue."""

    parts: tuple[Part, ...]

    @property
    def tokens(self) -> int:
        return sum(part.tokens for part in self.parts)


def capacity(size: int) -> int:
    """Tokens of a window that the prompt may take; the rest is for the answer."""
    return size - min(size // ANSWER_SHARE, ANSWER_MOST)


def compile_window(turn: Turn) -> Window:
    """The window for the next model call of a turn; evicts and clips where it would not fit.

    Raises WindowTooSmall.
    """
    context = turn.context
    agent = context.agent
    size = agent.window_size
    counter = tokenizer(agent.model.tokenizer)
    fixed = _fixed(turn, counter)
    documents = attached.documents_in(context)
    reserved = STATUS_TOKENS + counter.count("\n".join(attached.told(documents)))
    room = capacity(size) - fixed.tokens - reserved - size // summariser.SHARE
    if room < 200:
        raise WindowTooSmall(WindowTooSmall.__doc__)
    messages = queue_manager.load(context)
    writer = Writer(counter, attached.by_message(documents))
    queue = queue_manager.fit(context, messages, room=room, writer=writer, turn_id=turn.id)
    if queue_manager.tokens(queue) > room:
        raise WindowTooSmall("This turn alone fills the window. Choose a larger window.")
    parts = [*fixed.parts]
    if context.summary:
        parts.append(_text(PartKind.SUMMARY, prompt.summary(context.summary), counter))
    shown = tuple(each.shown for each in queue)
    parts.append(Part(PartKind.QUEUE, queue_manager.tokens(queue), messages=shown))
    facts = Status(
        now=timezone.localtime(),
        evicted=context.queue_from - 1,
        passages=archives.passage_count(agent),
        used=sum(part.tokens for part in parts) + reserved,
        size=size,
        is_pressed=queue_manager.tokens(queue) > room * queue_manager.WARN_OVER,
        speaker=next((each.name for each in messages if each.id == turn.message_id), ""),
        documents=attached.told(documents),
    )
    parts.append(_text(PartKind.STATUS, prompt.status(facts), counter))
    return Window(tuple(parts), capacity(size), size, trust.least_of(each.message for each in queue))


def _fixed(turn: Turn, counter: Tokenizer) -> Fixed:
    agent = turn.context.agent
    known = skills.skills_in_view(agent)
    schemas = catalog.schemas(with_skills=bool(known))
    in_view = blocks_in_view(agent, turn.user_id, turn.workspace_id, turn.reach)
    parts = [
        _text(PartKind.SYSTEM, prompt.instructions(agent, is_shared=is_shared(turn.workspace_id)), counter),
        Part(PartKind.TOOLS, counter.count_tools(schemas), tools=tuple(schemas)),
        _text(PartKind.CORE, prompt.core_memory(in_view), counter),
    ]
    if known:
        parts.insert(2, _text(PartKind.SKILLS, prompt.skills(known), counter))
    return Fixed(tuple(parts))


def _text(kind: PartKind, text: str, counter: Tokenizer) -> Part:
    return Part(kind, counter.count(text) + TOKENS_PER_MESSAGE, text=text)
