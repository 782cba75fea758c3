"""How memory is written down for a model: core memory, summary, status, one message."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from agents.archives import PASSAGES_MOST
from agents.context import readiness
from agents.context.quoting import quoted, untrusted
from agents.context.speakers import name_on
from agents.core_memory import PROPOSE, READ_ONLY, CoreBlock
from agents.models import Agent
from agents.prompts import prompt
from agents.tools.messaging import SEND_MESSAGE
from memory.models import Message, Skill, Summary, Trust

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
    """What changes from call to call, and therefore stands last."""

    now: datetime
    evicted: int
    passages: int
    used: int
    size: int
    is_pressed: bool
    speaker: str = ""
    documents: tuple[str, ...] = ()


def instructions(agent: Agent, *, is_shared: bool) -> str:
    """Who the agent is and how its memory works; the same bytes in a chat until somebody edits the agent."""
    parts = [prompt("system").replace("{name}", agent.name)]
    if is_shared:
        parts.append(prompt("shared"))
    return "\n\n".join([*parts, *filter(None, [agent.instructions.strip()])])


def core_memory(blocks: Iterable[CoreBlock]) -> str:
    """All blocks in view with used and limit; the same bytes until a block changes."""
    return "\n".join(["<core_memory>", *map(_block, blocks), "</core_memory>"])


def _block(block: CoreBlock) -> str:
    marks = _MARKS.get(block.governance, "")
    if block.is_near_limit:
        marks += ' nearly_full="true"'
    size = f'used="{block.used}" limit="{block.limit}" unit="{block.unit}"'
    head = f'<block label="{block.label}" {size}{marks}>'
    about = f"<description>{quoted(block.description)}</description>"
    return f"{head}\n{about}\n<value>\n{quoted(block.value)}\n</value>\n</block>"


def skills(known: Iterable[Skill]) -> str:
    """The skills that an agent can load, by name and description; the same bytes until one changes."""
    lines = [f'<skill name="{quoted(each.name)}">{quoted(each.description)}</skill>' for each in known]
    return "\n".join(["<skills>", prompt("skills"), *lines, "</skills>"]) if lines else ""


def summary(found: Summary) -> str:
    """The summary in the place of the messages that it covers."""
    return f'<summary covers="{found.to_position}">\n{quoted(found.content)}\n</summary>'


def status(facts: Status) -> str:
    """Time, what lies out of the window, how full it is, and the warning where it is nearly full."""
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
    if facts.is_pressed:
        lines.append(
            "pressure: this window is nearly full and its oldest messages will leave it. Save what matters "
            "now to core memory, condense a block, or put it into the archive."
        )
    return "\n".join(["<status>", *lines, "</status>"])


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
