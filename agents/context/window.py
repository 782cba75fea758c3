"""Compiling the main context: system, tools, core memory, summary, queue, status, each part counted."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils import timezone

from agents import archives
from agents.context import prompt, queue_manager, summariser
from agents.context.parts import Part, PartKind, Window
from agents.context.prompt import Status
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
    room = capacity(size) - fixed.tokens - STATUS_TOKENS - size // summariser.SHARE
    if room < 200:
        raise WindowTooSmall(WindowTooSmall.__doc__)
    messages = queue_manager.load(context)
    queue = queue_manager.fit(context, messages, room=room, tokenizer=counter, turn_id=turn.id)
    if queue_manager.tokens(queue) > room:
        raise WindowTooSmall("This turn alone fills the window. Choose a larger window.")
    parts = [*fixed.parts]
    if context.summary:
        parts.append(_text(PartKind.SUMMARY, prompt.summary(context.summary), counter))
    shown = tuple(each.shown for each in queue)
    parts.append(Part(PartKind.QUEUE, queue_manager.tokens(queue), messages=shown))
    used = sum(part.tokens for part in parts) + STATUS_TOKENS
    speaker = next((each.name for each in messages if each.id == turn.message_id), "")
    pressed = queue_manager.tokens(queue) > room * queue_manager.WARN_OVER
    parts.append(_text(PartKind.STATUS, _status(turn, used, size, pressed, speaker), counter))
    return Window(tuple(parts), capacity(size), size)


def _fixed(turn: Turn, counter: Tokenizer) -> Fixed:
    agent = turn.context.agent
    schemas = catalog.schemas()
    in_view = blocks_in_view(agent, turn.user_id, turn.workspace_id, turn.reach)
    return Fixed(
        (
            _text(
                PartKind.SYSTEM, prompt.instructions(agent, is_shared=is_shared(turn.workspace_id)), counter
            ),
            Part(PartKind.TOOLS, counter.count_tools(schemas), tools=tuple(schemas)),
            _text(PartKind.CORE, prompt.core_memory(in_view), counter),
        )
    )


def _text(kind: PartKind, text: str, counter: Tokenizer) -> Part:
    return Part(kind, counter.count(text) + TOKENS_PER_MESSAGE, text=text)


def _status(turn: Turn, used: int, size: int, pressed: bool, speaker: str) -> str:
    facts = Status(
        now=timezone.localtime(),
        evicted=turn.context.queue_from - 1,
        passages=archives.passage_count(turn.context.agent),
        used=used,
        size=size,
        is_pressed=pressed,
        speaker=speaker,
    )
    return prompt.status(facts)
