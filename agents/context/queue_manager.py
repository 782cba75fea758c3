"""The FIFO queue of messages: what is in the window, what is evicted, cleared or clipped. A plan: it changes
nothing.

Eviction moves a pointer; messages stay in recall storage, whole. See MemGPT (Packer et al. 2023), 2.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.context import editing, overflow
from agents.context.settings import ContextSettings
from agents.context.speakers import note_speakers
from agents.context.tokens import Tokenizer
from agents.context.writing import Form, Queued, Writer, total
from agents.models import MainContext
from memory.models import Message


@dataclass(frozen=True)
class Limits:
    """What the queue has to fit: `room` tokens of a prompt of at most `capacity`, `fixed` of which are taken
    already. `must_flush` evicts although the queue would fit."""

    settings: ContextSettings
    room: int
    capacity: int
    fixed: int
    must_flush: bool = False

    def tokens_at(self, percent: int) -> int:
        """So many per cent of the room."""
        return self.room * percent // 100


@dataclass(frozen=True)
class QueuePlan:
    """What stands in the queue, in which form, and what leaves it. `freed` and `results` tell of clearing."""

    form: Form
    queue: list[Queued]
    evicted: list[Queued]
    freed: int = 0
    results: int = 0
    has_older: bool = False

    @property
    def tokens(self) -> int:
        """Tokens of what stands in the queue."""
        return total(self.queue)


def load(context: MainContext) -> list[Message]:
    """The messages that the pointer leaves in the queue, oldest first, with who speaks where that counts."""
    rows = Message.objects.filter(
        conversation_id=context.conversation_id, is_abandoned=False, position__gte=context.queue_from
    )
    messages = list(rows.defer("detail").order_by("position"))
    note_speakers(messages)
    return messages


def plan(
    messages: Sequence[Message],
    form: Form,
    counter: Tokenizer,
    limits: Limits,
    present: int | None = None,
) -> QueuePlan:
    """The queue in at most the room: clear old tool results, evict old exchanges, and where the exchange that
    is under way passes the room alone, clip its texts harder. That one begins at the position `present`, and
    is never evicted."""
    whole = Writer(counter, form).shown(messages)
    form, shown = _edited(messages, form, whole, counter, limits)
    cut = _cut(shown, limits, present)
    kept = shown[cut:]
    if total(kept) > limits.room:
        form, kept = overflow.squeezed([each.message for each in kept], form, counter, limits.room)
    return QueuePlan(
        form,
        kept,
        shown[:cut],
        freed=editing.freed(whole, shown),
        results=editing.newly_cleared(whole, shown),
        has_older=bool(_cuts(kept, present)),
    )


def _edited(
    messages: Sequence[Message], form: Form, shown: list[Queued], counter: Tokenizer, limits: Limits
) -> tuple[Form, list[Queued]]:
    clearing = limits.settings.clear_tool_uses
    if clearing is None:
        return form, shown
    up_to = editing.due(shown, clearing, limits.fixed + total(shown), limits.capacity)
    if up_to <= form.cleared_to:
        return form, shown
    wanted = replace(form, cleared_to=up_to)
    old = [each for each in messages if (each.position or 0) <= up_to]
    cleared = Writer(counter, wanted).shown(old) + shown[len(old) :]
    if not editing.is_worth_it(shown, cleared, clearing.least(limits.capacity)):
        return form, shown
    return wanted, cleared


def _cut(queue: Sequence[Queued], limits: Limits, present: int | None) -> int:
    """The place before which messages are evicted: whole exchanges, as many as it takes; 0 where none are."""
    settings = limits.settings
    if not limits.must_flush and total(queue) <= limits.tokens_at(settings.flush_at):
        return 0
    return cut_to(queue, limits.tokens_at(settings.flush_to), present)


def cut_to(queue: Sequence[Queued], target: int, present: int | None) -> int:
    """The place before which to evict so that at most `target` tokens stay, as far as whole exchanges and
    the turn that is under way let it."""
    left = total(queue)
    if left <= target:
        return 0
    last = 0
    for place in _cuts(queue, present):
        left -= total(queue[last:place])
        last = place
        if left <= target:
            break
    return last


def _cuts(queue: Sequence[Queued], present: int | None) -> list[int]:
    """Places at which an exchange begins, up to the one that is under way."""
    first = next((place for place, each in enumerate(queue) if _is_present(each, present)), len(queue))
    return [place for place in range(1, first + 1) if _begins_exchange(queue, place)]


def _is_present(queued: Queued, present: int | None) -> bool:
    return present is not None and (queued.message.position or 0) >= present


def _begins_exchange(queue: Sequence[Queued], place: int) -> bool:
    return place == len(queue) or queue[place].message.role == Message.Role.USER
