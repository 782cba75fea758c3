"""The plan of a prompt: what stands in it and where, and what leaves it. Pure: nothing is read, nothing is
changed."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from typing import Any

from agents.context import pressure, prompt, queue_manager
from agents.context.clipping import Clipper
from agents.context.core_part import CorePart, core_part
from agents.context.parts import Move, Part, PartKind, Window
from agents.context.pressure import Pressure
from agents.context.prompt import Status
from agents.context.queue_manager import Limits, QueuePlan
from agents.context.sight import Sight
from agents.context.tokens import Tokenizer
from agents.context.writing import Form, total
from agents.trust import least_of
from memory.models import Summary

ANSWER_SHARE, ANSWER_MOST = 8, 4_096
# Messages have at least this much room, and this share of what a prompt may take, before a block gives way.
ROOM_LEAST, ROOM_SHARE = 300, 16
# Frame of a summary: its tags and the position that they name.
SUMMARY_FRAME = 30
MANY = 9_999_999


class WindowTooSmall(Exception):
    """Instructions and tools alone fill the window. Shorten the instructions or choose a larger window."""

    kind, retryable = "window", False


@dataclass(frozen=True)
class Plan:
    """A prompt before anything is done about it: `evicted` messages are still to be folded into a summary.

    `summary` is the one that stands there, already as a part; `status_most` what the status takes at most.
    """

    sight: Sight
    head: tuple[Part, ...]
    core: CorePart
    summary: Part | None
    status_most: int
    room: int
    queue: QueuePlan

    @property
    def changes_anything(self) -> bool:
        """Whether messages are to be evicted, or results cleared for good."""
        return bool(self.queue.evicted) or self.queue.form.cleared_to > self.sight.context.cleared_to

    @property
    def is_pressed(self) -> bool:
        """Whether the model is to be told that older messages will leave."""
        return self._passes(self.sight.settings.warn_at)

    @property
    def is_filling(self) -> bool:
        """Whether a summary is to be made in the background."""
        return self._passes(self.sight.settings.summarise_at)

    @property
    def summary_most(self) -> int:
        """Tokens that a summary's text takes at most."""
        return self.sight.ours(self.sight.settings.summary_most(self.sight.size)) - SUMMARY_FRAME

    def _passes(self, percent: int) -> bool:
        return self.queue.has_older and self.queue.tokens > self.room * percent // 100


def capacity(size: int) -> int:
    """Tokens of a window that the prompt may take; the rest is for the answer."""
    return size - min(size // ANSWER_SHARE, ANSWER_MOST)


def plan_of(sight: Sight) -> Plan:
    """What is to be sent of what is in sight. Raises WindowTooSmall.

    A provider that counts oddly must not lock a model out: where only the correction by its figures leaves no
    room, it is asked without, and what it answers corrects the figures.
    """
    try:
        return _plan(sight)
    except WindowTooSmall:
        if sight.ratio <= 1:
            raise
        return _plan(replace(sight, is_corrected=False))


def _plan(sight: Sight) -> Plan:
    most = sight.ours(capacity(sight.size))
    head = _head(sight)
    summary = summary_part(sight, sight.context.summary) if sight.context.summary else None
    of_summary = summary.tokens if summary else 0
    for_summary = max(sight.ours(sight.settings.summary_most(sight.size)), of_summary)
    status_most = _status_most(sight)
    left = most - sum(part.tokens for part in head) - for_summary - status_most
    core = core_part(sight.blocks, sight.counter, left - max(ROOM_LEAST, most // ROOM_SHARE))
    room = left - core.tokens
    if room < ROOM_LEAST:
        raise WindowTooSmall(WindowTooSmall.__doc__)
    limits = Limits(
        settings=sight.settings,
        room=room,
        capacity=most,
        fixed=most - room - for_summary + of_summary,
        must_flush=bool(sight.before.get("is_pressed")) and pressure.has_saved(sight.messages),
    )
    queue = queue_manager.plan(sight.messages, _form(sight), sight.counter, limits, sight.present)
    if queue.tokens > room:
        raise WindowTooSmall("This turn alone fills the window. Choose a larger window.")
    return Plan(sight, head, core, summary, status_most, room, queue)


def window_of(plan: Plan, evicted_into: Summary | None = None) -> Window:
    """The window of a plan; `evicted_into` is the new summary, where messages were folded into one."""
    summary = summary_part(plan.sight, evicted_into) if evicted_into else plan.summary
    parts = [*plan.head, *plan.core.parts, *([summary] if summary else []), _queue_part(plan)]
    parts.append(_status_part(plan, sum(part.tokens for part in parts)))
    return Window(
        parts=tuple(parts),
        size=plan.sight.size,
        capacity=plan.sight.ours(capacity(plan.sight.size)),
        ratio=plan.sight.ratio,
        room=plan.room,
        trust=least_of(each.message for each in plan.queue.queue),
        is_pressed=plan.is_pressed,
        move=_move(plan, evicted_into),
        queue=tuple(plan.queue.queue),
        before=plan.sight.before,
    )


def summary_part(sight: Sight, summary: Summary) -> Part:
    """A summary as a part. However long it is, it takes no more than a quarter of the window."""
    clip = Clipper(sight.size // 4, sight.counter)
    text = prompt.summary(clip(summary.content), summary.to_position)
    return Part(
        PartKind.SUMMARY,
        sight.counter.count_message({"content": text}),
        text,
        about={"summary": str(summary.id)},
        place=summary.workspace_id,
        records=(summary.id,),
    )


def _head(sight: Sight) -> tuple[Part, ...]:
    """What stands before core memory: instructions, tools, skills."""
    counter, agent = sight.counter, sight.agent
    text = prompt.instructions(agent, is_shared=sight.is_shared)
    tools = json.dumps(sight.schemas, ensure_ascii=False)
    tokens = counter.count_message({"content": text})
    return (
        Part(PartKind.SYSTEM, tokens, text, place=agent.workspace_id, records=(agent.id,)),
        Part(
            PartKind.TOOLS,
            counter.count_tools(sight.schemas),
            tools,
            tools=tuple(sight.schemas),
            place=sight.context.workspace_id,
        ),
        *_skills(sight, counter),
    )


def _skills(sight: Sight, counter: Tokenizer) -> list[Part]:
    """The skills, each workspace's in a part of its own: who does not see them there does not here."""
    return [
        Part(
            PartKind.SKILLS,
            counter.count(text),
            text,
            about={"workspace": str(run[0].workspace_id)},
            place=run[0].workspace_id,
            records=tuple(each.id for each in run),
        )
        for text, run in prompt.skills(sight.skills)
    ]


def _form(sight: Sight) -> Form:
    """How messages are shown, as far as it was decided before."""
    clearing = sight.settings.clear_tool_uses
    shown = {str(each.id) for each in sight.messages}
    return Form(
        clip=sight.settings.clip(sight.size),
        cleared_to=sight.context.cleared_to if clearing else 0,
        exclude=clearing.exclude_tools if clearing else (),
        clears_inputs=bool(clearing and clearing.clear_tool_inputs),
        attached={key: line for key, line in sight.attached.items() if key in shown},
    )


def _queue_part(plan: Plan) -> Part:
    """The queue; what is kept of it leads to the messages, and says how they were shown."""
    queue, form = plan.queue.queue, plan.queue.form
    last = queue[-1].message if queue else None
    about: dict[str, Any] = {
        "from": _queue_from(plan),
        "to": last.position if last else 0,
        "last": str(last.id) if last else None,
        "count": len(queue),
        "clip": form.clip,
        "tokenizer": plan.sight.counter.name,
        "cleared_to": form.cleared_to,
        "exclude": list(form.exclude),
        "clears_inputs": form.clears_inputs,
    }
    more = {"attached": form.attached, "hard": form.hard, "left_out": sorted(form.left_out)}
    about |= {name: value for name, value in more.items() if value}
    return Part(PartKind.QUEUE, total(queue), messages=tuple(each.shown for each in queue), about=about)


def _queue_from(plan: Plan) -> int:
    evicted = plan.queue.evicted
    return (evicted[-1].message.position or 0) + 1 if evicted else plan.sight.context.queue_from


def _status_part(plan: Plan, used: int) -> Part:
    """The status of a prompt whose other parts take `used` tokens."""
    sight, form = plan.sight, plan.queue.form
    facts = _status(sight, evicted=_queue_from(plan) - 1, used=used)
    facts = replace(facts, clipped=plan.core.clipped, left_out=len(form.left_out))
    if plan.is_pressed:
        facts = replace(facts, lines=(*facts.lines, _pressure(sight, plan.queue.tokens, plan.room)))
    # It tells of itself, too.
    whole = math.ceil((used + _status_tokens(sight.counter, prompt.status(facts))) * sight.ratio)
    text = prompt.status(replace(facts, used=whole))
    return Part(PartKind.STATUS, _status_tokens(sight.counter, text), text)


def _status_most(sight: Sight) -> int:
    """What the status takes at most: with every line that it can have, and with large numbers in them."""
    facts = _status(sight, evicted=MANY, used=MANY)
    lines = (*facts.lines, _pressure(sight, MANY, MANY))
    labels = tuple(block.label for block in sight.blocks) if _is_tight(sight) else ()
    text = prompt.status(replace(facts, lines=lines, clipped=labels, left_out=MANY))
    return _status_tokens(sight.counter, text)


def _is_tight(sight: Sight) -> bool:
    """Whether blocks may have to be shown in part: otherwise no room is held for saying so."""
    return sum(sight.counter.count(block.value) for block in sight.blocks) > sight.size // 8


def _status(sight: Sight, evicted: int, used: int) -> Status:
    return Status(
        now=sight.now,
        evicted=evicted,
        passages=sight.passages,
        used=used,
        size=sight.size,
        speaker=sight.speaker,
        documents=sight.documents,
        lines=(*pressure.full_blocks(sight.blocks), *sight.rules),
    )


def _status_tokens(counter: Tokenizer, text: str) -> int:
    """The status stands last: the head of the answer, which providers add to a request, counts with it."""
    return counter.count_message({"content": text}) + counter.count_request([])


def _pressure(sight: Sight, used: int, room: int) -> str:
    return Pressure(used, room, sight.settings.flush_at).line()


def _move(plan: Plan, evicted_into: Summary | None) -> Move:
    queue = plan.queue
    evicted = None
    if queue.evicted:
        evicted = {
            "from": queue.evicted[0].message.position,
            "to": queue.evicted[-1].message.position,
            "messages": len(queue.evicted),
            "tokens": total(queue.evicted),
            "summary": str(evicted_into.id) if evicted_into else None,
        }
    cleared = {"results": queue.results, "tokens": queue.freed} if queue.results else None
    clipped = tuple(str(each.message.id) for each in queue.queue if each.is_clipped)
    return Move(evicted, cleared, clipped)
