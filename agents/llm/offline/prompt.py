"""What stands in a request, read as a model would read it: nothing else is known to the offline model."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from typing import Any

from agents.context.quoting import OUR_TAGS
from agents.context.readiness import Told, told_in
from agents.llm.base import ModelRequest
from agents.llm.offline.proposals import Decision, decisions, waiting
from memory.measure import length

_BLOCK = re.compile(
    r"<block (?P<attributes>[^>]*)>\n(?:<description>(?P<description>.*?)</description>\n)?"
    r"<value>\n?(?P<value>.*?)\n?</value>\n</block>",
    re.S,
)
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_ESCAPED = re.compile(rf"&lt;(?=[\s\\/]*(?:{OUR_TAGS})\b)", re.IGNORECASE)
_UNTRUSTED = re.compile(r"\A<untrusted>\n(.*)\n</untrusted>\Z", re.S)
_SKILL = re.compile(r'^<skill name="(?P<name>[^"]*)">(?P<description>.*?)</skill>$', re.M | re.S)
_ATTACHED = re.compile(r"\n\[attached: (?P<names>[^\n]*)\]\s*\Z")
_NAME = re.compile("“([^”]*)”")
_SUMMARY = re.compile(r"<summary[^>]*>\n?(.*?)\n?</summary>", re.S)
_STATUS = re.compile(r"<status>\n(.*?)\n?</status>", re.S)
_CLEARED = "[cleared"
_CLIPPED = re.compile(r"\n\[clipped: [^\n]*\]\s*$")


@dataclass(frozen=True)
class Block:
    """A block of core memory as the prompt shows it; `used` and `limit` in its unit. What is written to one
    that `proposes` waits for a person's yes."""

    label: str
    description: str
    value: str
    used: int
    limit: int
    unit: str
    read_only: bool
    proposes: bool

    def length(self, text: str) -> int:
        """How much of the limit a text takes."""
        return length(text, self.unit)

    @property
    def lines(self) -> list[str]:
        """The lines that say something, top first."""
        return [line for line in self.value.split("\n") if line.strip()]


@dataclass(frozen=True)
class Call:
    """A tool call of the present turn and what came back. `result` is empty when nothing did."""

    name: str
    arguments: dict[str, Any]
    result: dict[str, Any]

    @property
    def ok(self) -> bool:
        return self.result.get("status") == "ok"

    @property
    def proposed(self) -> bool:
        """Whether it changed nothing yet, and waits."""
        return self.result.get("status") == "proposed"

    @property
    def refusal(self) -> str:
        """What kept it from being run: "rejected", or "expired" where nobody said yes in time; or ""."""
        code = self.result.get("code")
        return str(code) if code in ("rejected", "expired") else ""

    @property
    def ran(self) -> Call:
        """It as it was run: a person may have changed what it was made with."""
        edited = self.result.get("ran_with")
        return replace(self, arguments=edited) if isinstance(edited, dict) else self

    @property
    def written(self) -> str:
        """The text that it puts into memory."""
        return self.text("new_content", "new_string", "new_memory", "content")

    @property
    def error(self) -> str:
        """Why it failed, in the tool's words."""
        is_cleared = self.result.get("status") == "cleared"
        return "" if self.ok or self.proposed or is_cleared else str(self.result.get("error") or "no result")

    def text(self, *names: str) -> str:
        """The first of the named arguments that is a text."""
        return next((value for name in names if isinstance(value := self.arguments.get(name), str)), "")


@dataclass(frozen=True)
class Prompt:
    """The request, taken apart. `said` is the last user message, `calls` is what was done since then,
    `earlier` is what both said before it, `archived` what was put into the archive in those messages,
    `replaced` the texts that were put into core memory there, each with the one that it replaced, and
    `waiting` those that were only proposed. `decided` is what is told now of earlier proposals. Where several
    people write, `speaker` is the one who wrote last, and what others said before is `earlier` as "other".
    `attached` names the documents that came with the message, `documents` tells of those of the chat, and
    `skills` are the names and descriptions of what can be loaded."""

    blocks: list[Block]
    summary: str
    status: dict[str, str]
    earlier: list[tuple[str, str]]
    said: str
    clipped: bool
    archived: str
    replaced: dict[str, str]
    waiting: frozenset[str]
    decided: list[Decision]
    calls: list[Call]
    steps: int
    spoken: bool
    tools: frozenset[str] = field(default_factory=frozenset)
    speaker: str = ""
    attached: tuple[str, ...] = ()
    documents: tuple[Told, ...] = ()
    skills: tuple[tuple[str, str], ...] = ()

    def first_tool(self, *names: str) -> str:
        """The first of the named tools that is offered, or ""."""
        return next((name for name in names if name in self.tools), "")


def read_prompt(request: ModelRequest) -> Prompt:
    """Take a request apart. Whatever is missing or malformed is read as absent."""
    messages = request.messages
    asked = max((place for place, one in enumerate(messages) if one.get("role") == "user"), default=-1)
    system = "\n".join(text_of(one) for one in messages if one.get("role") == "system")
    status = _status(system)
    speaker = status.get("speaker", "")
    said = _spoken_by(speaker, messages[asked])[1] if asked >= 0 else ""
    attached = _ATTACHED.search(text_of(messages[asked])) if asked >= 0 else None
    tail = messages[asked + 1 :]
    past = _calls(messages[: max(asked, 0)])
    summary = _SUMMARY.search(system)
    return Prompt(
        blocks=_blocks(system),
        summary=_unescape(summary.group(1)) if summary else "",
        status=status,
        earlier=[
            _spoken_by(speaker, one)
            for one in messages[: max(asked, 0)]
            if one.get("role") in ("user", "assistant")
        ],
        said=_CLIPPED.sub("", said),
        clipped=bool(_CLIPPED.search(said)),
        archived="\n".join(call.text("content") for call in past if call.name == "archival_memory_insert"),
        replaced={
            call.text("new_content", "new_string"): call.text("old_content", "old_string")
            for call in past
            if call.name in ("core_memory_replace", "memory_replace")
        },
        waiting=waiting(
            [(str(call.result.get("proposal")), call.written) for call in past if call.proposed],
            decisions(system),
        ),
        decided=decisions("\n".join(text_of(one) for one in tail if one.get("role") == "system")),
        calls=_calls(tail),
        steps=sum(1 for one in tail if one.get("role") == "assistant"),
        spoken=any(one.get("role") == "assistant" and text_of(one).strip() for one in tail),
        tools=frozenset(_tool_names(request.tools)),
        speaker=speaker,
        attached=tuple(_NAME.findall(attached["names"])) if attached else (),
        documents=tuple(told_in(_unescape(system))),
        skills=tuple(
            (_unescape(match["name"]), _unescape(match["description"])) for match in _SKILL.finditer(system)
        ),
    )


def _spoken_by(speaker: str, message: dict[str, Any]) -> tuple[str, str]:
    """Who says a message and what; where there is a speaker, the names stand before what people wrote."""
    role, text = str(message["role"]), text_of(message)
    text = _ATTACHED.sub("", text) if role == "user" else text
    if not speaker or role != "user":
        return role, text
    own = text.removeprefix(f"[{speaker}] ")
    return ("user", own) if own != text else ("other", text)


def text_of(message: dict[str, Any]) -> str:
    """The words of a message; what it says with send_message counts as its words."""
    content = message.get("content")
    if isinstance(content, list):
        content = "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    words = content if isinstance(content, str) else ""
    spoken = [
        str(arguments.get("message", ""))
        for name, arguments, _id in _requested(message)
        if name == "send_message"
    ]
    return "\n".join(part for part in [words, *spoken] if part)


def _blocks(system: str) -> list[Block]:
    found = []
    for match in _BLOCK.finditer(system):
        attributes = dict(_ATTRIBUTE.findall(match["attributes"]))
        value = _unescape(match["value"])
        found.append(
            Block(
                label=attributes.get("label", ""),
                description=_unescape(match["description"] or ""),
                value=value,
                used=_number(attributes.get("used"), len(value)),
                limit=_number(attributes.get("limit"), 2000),
                unit=attributes.get("unit", "characters"),
                read_only=attributes.get("read_only") == "true",
                proposes=attributes.get("propose") == "true",
            )
        )
    return found


def _status(system: str) -> dict[str, str]:
    found = _STATUS.findall(system)
    lines = found[-1].split("\n") if found else []
    pairs = (line.partition(":") for line in lines)
    return {name.strip(): value.strip() for name, colon, value in pairs if colon}


def _calls(tail: list[dict[str, Any]]) -> list[Call]:
    results = {
        str(one.get("tool_call_id")): _result(text_of(one)) for one in tail if one.get("role") == "tool"
    }
    return [
        Call(name, arguments, results.get(call_id, {}))
        for one in tail
        for name, arguments, call_id in _requested(one)
    ]


def _requested(message: dict[str, Any]) -> list[tuple[str, dict[str, Any], str]]:
    found = []
    for call in message.get("tool_calls") or ():
        function = call.get("function") or {}
        arguments = _object(function.get("arguments"))
        found.append((str(function.get("name", "")), arguments, str(call.get("id", ""))))
    return found


def _object(text: Any) -> dict[str, Any]:
    try:
        found = json.loads(text) if isinstance(text, str) else text
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _result(text: str) -> dict[str, Any]:
    """A tool's answer. One that was clipped gives the whole records before the cut."""
    if quoted := _UNTRUSTED.match(text):
        text = _unescape(quoted[1])
    found = _object(text)
    if found:
        return found
    if text.startswith(_CLEARED):
        return {"status": "cleared"}
    head, marker, records = text.partition('"results": [')
    if not marker or '"status": "ok"' not in head:
        return {"status": "error", "error": text.strip()[:300]}
    return {"status": "ok", "results": _whole_records(records)}


def _whole_records(text: str) -> list[dict[str, Any]]:
    found, place, decoder = [], 0, json.JSONDecoder()
    while (place := text.find("{", place)) >= 0:
        try:
            record, place = decoder.raw_decode(text, place)
        except ValueError:
            break
        found.append(record)
    return found


def _tool_names(tools: list[dict[str, Any]]) -> list[str]:
    return [str((tool.get("function") or {}).get("name", "")) for tool in tools]


def _unescape(text: str) -> str:
    return _ESCAPED.sub("<", text)


def _number(text: str | None, otherwise: int) -> int:
    return int(text) if text and text.isdigit() else otherwise
