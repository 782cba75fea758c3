"""A turn that passes the room all alone: its texts are shown ever shorter, and then its oldest calls not at
all. Nothing of it is lost, and no call is parted from its result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from agents.context.clipping import CLIPPED_MIN
from agents.context.tokens import Tokenizer
from agents.context.writing import Form, Queued, Writer, is_clearable, total
from memory.models import Message

Fitted = tuple[Form, list[Queued]]
Written = Callable[[Form], list[Queued]]


def squeezed(messages: Sequence[Message], form: Form, counter: Tokenizer, room: int) -> Fitted:
    """A form in which these messages take at most `room` tokens, as far as there is one: placeholders for
    old results first, then shorter texts, then the oldest calls left out."""

    def written(wanted: Form) -> list[Queued]:
        return Writer(counter, wanted).shown(messages)

    for step in (_with_placeholders, _with_shorter_texts, _with_less):
        form, queue = step(messages, form, room, written)
        if total(queue) <= room:
            break
    return form, queue


def _with_placeholders(messages: Sequence[Message], form: Form, room: int, written: Written) -> Fitted:
    """Placeholders for as many of the oldest results as it takes; not for those of the last answer, which the
    model has not read yet."""
    last = next((place for place in reversed(range(len(messages))) if messages[place].tool_calls), 0)
    results = [str(each.id) for each in messages[:last] if is_clearable(each)]
    return _least(
        len(results), room, written, lambda count: replace(form, hard=dict.fromkeys(results[:count], 0))
    )


def _with_shorter_texts(messages: Sequence[Message], form: Form, room: int, written: Written) -> Fitted:
    """Half as much of every long text, and half again, until the messages fit."""
    clip, cleared = form.clip, form.hard
    while True:
        clip = max(clip // 2, CLIPPED_MIN)
        limits = {str(each.id): clip for each in messages}
        queue = written(replace(form, hard={**limits, **cleared}))
        if total(queue) <= room or clip == CLIPPED_MIN:
            short = {str(each.message.id): clip for each in queue if each.is_clipped}
            return replace(form, hard={**short, **cleared}), queue


def _with_less(messages: Sequence[Message], form: Form, room: int, written: Written) -> Fitted:
    """Without as many of the oldest calls as it takes, each with its result; what the person said stays."""
    units = [unit for message in messages[1:] for unit in _units(message)]
    return _least(len(units), room, written, lambda count: replace(form, left_out=frozenset(units[:count])))


def _units(message: Message) -> list[str]:
    """What can be left out of a message by itself: its calls, or the whole; a result goes with its call."""
    if message.tool_calls:
        return [str(call["id"]) for call in message.tool_calls]
    return [] if message.tool_call_id else [str(message.id)]


def _least(most: int, room: int, written: Written, made: Callable[[int], Form]) -> Fitted:
    """The form of the least count, up to `most`, in which messages fit; that of `most` where none does."""
    low, high = 0, most
    while low < high:
        middle = (low + high) // 2
        if total(written(made(middle))) <= room:
            high = middle
        else:
            low = middle + 1
    return made(low), written(made(low))
