"""The FIFO queue of messages: what is in the window, what is evicted, what is clipped.

Eviction moves a pointer; messages stay in recall storage, whole. See MemGPT (Packer et al. 2023), 2.2.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agents.context import prompt, summariser
from agents.context.speakers import note_speakers
from agents.context.tokens import Tokenizer
from agents.models import MainContext
from memory.models import Message

EVICT_OVER = 0.9
EVICT_TO = 0.6
WARN_OVER = 0.75
# No single message takes more of the window than this; the rest is read with message_read.
SHARE_OF_ONE = 0.2
# However short it must be, so much of a text is shown; and so many characters a token has at the most.
CLIPPED_MIN = 40
CHARACTERS_MOST = 12
CLEARED = '[cleared to save room; read it with message_read(id="{id}")]'


@dataclass(frozen=True)
class Queued:
    """A message in the window, as it is shown, and its tokens."""

    message: Message
    shown: dict[str, Any]
    tokens: int


def load(context: MainContext) -> list[Message]:
    """The messages that the pointer leaves in the queue, oldest first, with who speaks where that counts."""
    rows = Message.objects.filter(
        conversation_id=context.conversation_id, position__gte=context.queue_from
    ).order_by("position")
    messages = list(rows)
    note_speakers(messages)
    return messages


@dataclass(frozen=True)
class Writer:
    """Writes messages down for a model, and counts them. `attached` are lines about what came with some."""

    tokenizer: Tokenizer
    attached: Mapping[uuid.UUID, str] = field(default_factory=dict)

    def shown(self, messages: list[Message], most: int) -> list[Queued]:
        """Messages as the model sees them, none of their texts longer than `most` tokens."""
        clip = Clipper(max(most, CLIPPED_MIN), self.tokenizer)
        return [
            self.queued(each, prompt.rendered(each, clip, self.attached.get(each.id, "")))
            for each in messages
        ]

    def queued(self, message: Message, shown: dict[str, Any]) -> Queued:
        """A message in the window that is shown like this."""
        return Queued(message, shown, self.tokenizer.count_message(shown))


def fit(
    context: MainContext, messages: list[Message], *, room: int, writer: Writer, turn_id: Any
) -> list[Queued]:
    """The queue in at most `room` tokens: evict old exchanges into the summary, then clear, then clip.

    The present turn's messages are never evicted; where they alone pass the room, old tool results are
    cleared and long texts clipped harder.
    """
    queue = writer.shown(messages, int(room * SHARE_OF_ONE))
    if tokens(queue) > room * EVICT_OVER:
        queue = _evict(context, queue, int(room * EVICT_TO), turn_id)
    if tokens(queue) > room:
        queue = _clear_tool_results(queue, room, writer)
    share = SHARE_OF_ONE
    while tokens(queue) > room and share > 0.001:
        share /= 2
        queue = writer.shown([each.message for each in queue], int(room * share))
        queue = _clear_tool_results(queue, room, writer)
    return queue


def tokens(queue: list[Queued]) -> int:
    """Tokens of a queue."""
    return sum(each.tokens for each in queue)


@dataclass(frozen=True)
class Clipper:
    """Shortens texts to `most` tokens, and says in a line of its own where to read on."""

    most: int
    tokenizer: Tokenizer

    def __call__(self, text: str, read_on: str = "") -> str:
        kept = self._kept(text)
        if kept == len(text):
            return text
        way = f'; read on with message_read(id="{read_on}", offset={kept})' if read_on else ""
        return f"{text[:kept]}\n[clipped: {len(text) - kept:,} more characters{way}]"

    def _kept(self, text: str) -> int:
        kept = min(len(text), self.most * CHARACTERS_MOST)
        while kept > 1 and (count := self.tokenizer.count(text[:kept])) > self.most:
            kept = max(1, min(kept - 1, kept * self.most // count))
        return kept


def _evict(context: MainContext, queue: list[Queued], target: int, turn_id: Any) -> list[Queued]:
    """Move the pointer over whole exchanges until the rest fits, and fold them into the summary."""
    present = next((place for place, each in enumerate(queue) if each.message.turn_id == turn_id), len(queue))
    cuts = [place for place in range(1, present + 1) if _begins_exchange(queue, place)]
    if not cuts:
        return queue
    cut = next((place for place in cuts if tokens(queue[place:]) <= target), cuts[-1])
    evicted, kept = queue[:cut], queue[cut:]
    most = context.agent.window_size // summariser.SHARE
    context.summary = summariser.fold(context, [each.message for each in evicted], most)
    context.queue_from = (evicted[-1].message.position or 0) + 1
    context.save(update_fields=["summary", "queue_from"])
    return kept


def _begins_exchange(queue: list[Queued], place: int) -> bool:
    return place == len(queue) or queue[place].message.role == Message.Role.USER


def _clear_tool_results(queue: list[Queued], room: int, writer: Writer) -> list[Queued]:
    """Placeholders for the oldest tool results, all but the last, until the queue fits."""
    over = tokens(queue) - room
    results = [place for place, each in enumerate(queue) if each.message.role == Message.Role.TOOL]
    cleared = list(queue)
    for place in results[:-1]:
        if over <= 0:
            break
        message = queue[place].message
        placeholder = CLEARED.format(id=message.id)
        small = writer.queued(message, queue[place].shown | {"content": placeholder})
        if small.tokens < queue[place].tokens:
            over -= queue[place].tokens - small.tokens
            cleared[place] = small
    return cleared
