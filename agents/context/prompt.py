"""How memory is written down for a model: a block, the skills, the summary, the status, one message."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, Protocol

from agents.archives import PASSAGES_MOST
from agents.context import readiness
from agents.context.quoting import quoted, untrusted
from agents.context.speakers import name_on
from agents.core_memory import PROPOSE, READ_ONLY, CoreBlock
from agents.models import Agent
from agents.prompts import prompt
from agents.tools.messaging import SEND_MESSAGE
from memory.models import Message, Skill, Trust

_BROKEN_OFF: dict[str, str] = {
    Message.State.STOPPED: "[the person stopped you here]",
    Message.State.INTERRUPTED: "[you were interrupted here]",
}
_MARKS = {READ_ONLY: ' read_only="true"', PROPOSE: ' propose="true"'}


class Clip(Protocol):
    """Shortens a text that is too long; `read_on` is the id of the message that has the whole of it."""

    def __call__(self, text: str, read_on: str = "") -> str: ...


@dataclass(frozen=True)
class Status:
    """What changes from call to call, and therefore stands last.

    `clipped` are labels of blocks that are not shown whole, `left_out` counts what of this turn is not shown
    at all; `lines` are said as they are.
    """

    now: datetime
    evicted: int
    passages: int
    used: int
    size: int
    speaker: str = ""
    documents: tuple[str, ...] = ()
    clipped: tuple[str, ...] = ()
    left_out: int = 0
    lines: tuple[str, ...] = ()


def instructions(agent: Agent, *, is_shared: bool) -> str:
    """Who the agent is and how its memory works; the same bytes in a chat until somebody edits the agent."""
    parts = [prompt("system").replace("{name}", agent.name)]
    if is_shared:
        parts.append(prompt("shared"))
    return "".join(f"{each}\n\n" for each in [*parts, *filter(None, [agent.instructions.strip()])])


def block(found: CoreBlock, kept: int | None = None) -> str:
    """A block with used and limit, the same bytes until it changes, and `kept` characters of its value."""
    marks = _MARKS.get(found.governance, "")
    if found.is_near_limit:
        marks += ' nearly_full="true"'
    size = f'used="{found.used}" limit="{found.limit}" unit="{found.unit}"'
    head = f'<block label="{found.label}" {size}{marks}>'
    about = f"<description>{quoted(found.description)}</description>"
    return f"{head}\n{about}\n<value>\n{_value(found.value, kept)}\n</value>\n</block>\n"


def _value(value: str, kept: int | None) -> str:
    if kept is None or kept >= len(value):
        return quoted(value)
    return (
        f"{quoted(value[:kept])}\n[clipped: {len(value) - kept:,} more characters; too long for this window]"
    )


def skills(known: Sequence[Skill]) -> list[tuple[str, list[Skill]]]:
    """The skills that an agent can load, by name and description: a text for each run of those that lie in
    one workspace. The same bytes until one changes."""
    if not known:
        return []
    runs = [list(run) for _, run in groupby(known, key=lambda each: each.workspace_id)]
    texts = ["".join(map(_skill, run)) for run in runs]
    texts[0] = f"<skills>\n{prompt('skills')}\n{texts[0]}"
    texts[-1] += "</skills>\n\n"
    return list(zip(texts, runs, strict=True))


def _skill(found: Skill) -> str:
    return f'<skill name="{quoted(found.name)}">{quoted(found.description)}</skill>\n'


def summary(content: str, covers: int) -> str:
    """A summary in the place of the messages that it covers, up to that position."""
    return f'<summary covers="{covers}">\n{quoted(content)}\n</summary>'


def status(facts: Status) -> str:
    """Time, what lies out of the window, how full it is, and what else is said of this moment."""
    archived = f"{facts.passages}" if facts.passages < PASSAGES_MOST else f"{PASSAGES_MOST} or more"
    lines = [
        f"now: {facts.now:%Y-%m-%d %H:%M (%A)} {facts.now.tzinfo}",
        f"recall: {facts.evicted} earlier messages are out of this window; find them with "
        "conversation_search or message_read",
        f"archive: {archived} passages; find them with archival_memory_search",
        f"window: {facts.used} of {facts.size} tokens ({facts.used * 100 // facts.size} %)",
    ]
    lines += [readiness.line(quoted(each)) for each in facts.documents]
    if facts.speaker:
        lines.append(f"speaker: {facts.speaker}")
    if facts.clipped:
        lines.append(
            f"core memory: it is too long for this window, so {', '.join(facts.clipped)} is shown in part. "
            "Shorten what you see with memory_rethink or core_memory_replace, or ask the person to shorten "
            "the block or to choose a larger window."
        )
    if facts.left_out:
        lines.append(f"turn: {facts.left_out} older calls of this turn are left out to save room")
    return "\n".join(["<status>", *lines, *facts.lines, "</status>"])


def rendered(message: Message, clip: Clip, attached: str = "") -> dict[str, Any]:
    """One message of recall as a chat-completions message, each of its texts shortened by `clip`.

    `attached` is a line about the documents that came with it.
    """
    content = clip(message.content, str(message.id))
    if message.role == Message.Role.TOOL:
        return _result(message, content)
    if message.role == Message.Role.SYSTEM and message.is_imported:
        # It was said to another agent, and has no say over this one.
        return {"role": "user", "content": f"[system, imported] {quoted(content)}"}
    if message.state != Message.State.COMPLETE:
        content = f"{content}\n{_BROKEN_OFF[message.state]}"
    if message.role == Message.Role.USER and message.name:
        content = f"[{name_on(message)}] {content}"
    if attached:
        content = f"{content}\n{attached}"
    if not message.tool_calls:
        return {"role": message.role, "content": content}
    # What was said with send_message stands in the call's arguments already.
    spoken = any(call["name"] == SEND_MESSAGE for call in message.tool_calls)
    calls = [_call(call, str(message.id), clip) for call in message.tool_calls]
    return {"role": "assistant", "content": None if spoken else content or None, "tool_calls": calls}


def _result(message: Message, content: str) -> dict[str, Any]:
    """What a tool answered; one that was imported answers no call that a server would know of."""
    content = untrusted(content) if message.trust <= Trust.UNTRUSTED else content
    if not message.tool_call_id:
        return {"role": "user", "content": f"[{name_on(message) or 'tool'}] {content}"}
    return {"role": "tool", "tool_call_id": message.tool_call_id, "content": content}


def _call(call: dict[str, Any], message_id: str, clip: Clip) -> dict[str, Any]:
    arguments = _arguments(call["arguments"], message_id if call["name"] == SEND_MESSAGE else "", clip)
    return {
        "id": call["id"],
        "type": "function",
        "function": {"name": call["name"], "arguments": arguments},
    }


def _arguments(text: str, read_on: str, clip: Clip) -> str:
    """A call's arguments, always one JSON object: servers refuse a request that holds anything else."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        return json.dumps({"not_a_json_object": clip(text)}, ensure_ascii=False)
    if clip(text) == text:
        return text
    shortened = {
        name: clip(value, read_on) if isinstance(value, str) else value for name, value in given.items()
    }
    made = json.dumps(shortened, ensure_ascii=False)
    return made if len(made) < len(text) else json.dumps({"clipped": clip(text)}, ensure_ascii=False)
