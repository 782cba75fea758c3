"""Writing facts to core memory: the next calls, and what became of each fact so far."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from agents.llm.offline.acts import Do
from agents.llm.offline.facts import AGENT, PERSON, PROJECT, Fact
from agents.llm.offline.meaning import meaning_of, normal
from agents.llm.offline.prompt import Block, Call, Prompt
from agents.llm.offline.room import make_room
from agents.llm.offline.superseding import is_known, superseded
from agents.llm.offline.terms import tokens

_APPENDS = ("core_memory_append", "memory_insert")
_REPLACES = ("core_memory_replace", "memory_replace")
_RETHINK = "memory_rethink"
_ARCHIVE = "archival_memory_insert"
_FULL = re.compile(r"(?i)\blimit\b|\broom\b|\bfull\b|too long|上限|超过|写不下")
_PROJECT_BLOCK = re.compile(r"(?i)project|team|product|work\b|company|task|项目|团队|产品|公司|任务")
_PERSON_BLOCK = re.compile(r"(?i)human|person|user|people|about me|人|用户")
_ORDER_BLOCK = re.compile(r"(?i)instruction|rule|preference|style|guideline|指令|规则|偏好|风格|要求")
_ORDER = re.compile(
    r"(?i)^(?:from now on|always|never|please|answer|reply|keep|don't call|call me|以后|今后|请|每次|"
    r"默认|别|不要)"
)
_PERSONA = "persona"


@dataclass(frozen=True)
class Filed:
    """What became of a fact: "added", "replaced", "known", "archived", "failed", "ignored" or "open"; where a
    person has to say yes first, "proposed", or "waiting" since an earlier turn; where nobody said yes to
    writing it, "refused". That holds for the turn: it is written nowhere else."""

    fact: Fact
    state: str
    line: str = ""
    now: str = ""
    error: str = ""
    refused: Call | None = None


def results(prompt: Prompt, facts: tuple[Fact, ...]) -> list[Filed]:
    """What became of each fact, from the calls since the person spoke."""
    return [_result(prompt, fact) for fact in facts]


def next_writes(prompt: Prompt, facts: tuple[Fact, ...]) -> list[Do]:
    """The calls that come next: those that make room, else every write that is still to be done."""
    pending = [one.fact for one in results(prompt, facts) if one.state == "open"]
    writes: list[Do] = []
    coming: dict[str, int] = {}
    for fact in pending:
        calls = _next(prompt, fact, coming)
        if calls and calls[0].name in (_RETHINK, _ARCHIVE) and not _carries(calls[0], fact):
            # Making room rewrites a block, so nothing else is written in the same step.
            return calls
        if any(call.name == _RETHINK for call in calls):
            return writes or calls
        if not _replaced_by(calls) & _replaced_by(writes):
            writes += calls
    return writes


def _replaced_by(calls: list[Do]) -> set[str]:
    """The lines that calls take away: a second fact on the same line waits for the next step."""
    keys = ("old_content", "old_string")
    return {str(call.arguments[key]) for call in calls for key in keys if key in call.arguments}


def forget(prompt: Prompt, line: str, before: str = "") -> list[Do]:
    """The call that removes a line, or brings `before` back; none where that was tried or cannot be done."""
    block = next((one for one in prompt.blocks if line in one.lines and not one.read_only), None)
    name = prompt.first_tool(*_REPLACES)
    if block is None or not name or any(_old(call).strip("\n") == line for call in prompt.calls):
        return []
    return [_replacing(name, block, line, before)]


def _result(prompt: Prompt, fact: Fact) -> Filed:
    tried = [call for call in prompt.calls if _holds(call, fact)]
    if not any(call.name in _REPLACES for call in tried):
        # A block that was only condensed holds its other lines too.
        tried = [call for call in tried if call.name != _RETHINK]
    if answered := _answered(fact, tried):
        return answered
    if not tried and any(normal(fact.line) == normal(text) for text in prompt.waiting):
        return Filed(fact, "waiting")
    lines = [line for block in prompt.blocks for line in block.lines]
    if not tried and (line := is_known(fact, lines)):
        return Filed(fact, "known", line=line)
    if fact.weak and not tried and not superseded(fact, lines):
        return Filed(fact, "ignored")
    if not _next(prompt, fact, {}):
        error = tried[-1].error if tried else ""
        return Filed(fact, "failed", error=error)
    return Filed(fact, "open")


def _answered(fact: Fact, tried: list[Call]) -> Filed | None:
    """What became of a fact that was written, proposed or refused; None where every try failed."""
    if done := next((call for call in tried if call.ok), None):
        error = next((call.error for call in tried if not call.ok), "")
        return _done(fact, done, error)
    if asked := next((call for call in tried if call.proposed), None):
        return replace(_done(fact, asked, ""), state="proposed")
    if refused := next((call for call in tried if call.refusal), None):
        return Filed(fact, "refused", refused=refused)
    return None


def _done(fact: Fact, asked: Call, error: str) -> Filed:
    call = asked.ran
    edited = "" if call is asked else call.written
    if call.name == _ARCHIVE:
        return Filed(fact, "archived", now=edited, error=error)
    if call.name in _REPLACES:
        old, new = call.text("old_content", "old_string"), call.text("new_content", "new_string")
        return Filed(fact, "replaced", line=_without(old, new), now=_without(new, old))
    return Filed(fact, "added", now=edited)


def _next(prompt: Prompt, fact: Fact, coming: dict[str, int]) -> list[Do]:
    """The next calls for one fact; `coming` counts the characters that this step adds to each block."""
    for block in _targets(prompt, fact):
        calls = _into(prompt, fact, block, coming)
        if calls:
            return calls
    archive = prompt.first_tool(_ARCHIVE)
    if archive and not any(call.name == archive and _holds(call, fact) for call in prompt.calls):
        return [Do(archive, {"content": fact.line})] if _may_archive(prompt, fact) else []
    return []


def _may_archive(prompt: Prompt, fact: Fact) -> bool:
    """A correction does not go to the archive: the old line would be left standing."""
    lines = [line for block in prompt.blocks for line in block.lines]
    return not superseded(fact, lines)


def _into(prompt: Prompt, fact: Fact, block: Block, coming: dict[str, int]) -> list[Do]:
    """The calls that bring a fact into one block, or none where that failed for good."""
    failed = _failures(prompt, fact, block)
    block = _as_refused(block, failed)
    standing = superseded(fact, block.lines)
    if standing and standing.old in block.lines:
        return _replace(prompt, block, standing.old, standing.new, failed)
    needed = block.length(fact.line) + 1 + coming.get(block.label, 0)
    is_full = block.used + needed > block.limit or any(_is_full(call) for call in failed)
    if is_full:
        return make_room(prompt, block, needed) if needed <= block.limit else []
    if failed:
        return []
    coming[block.label] = needed
    return _append(prompt, block, fact.line)


def _as_refused(block: Block, failed: list[Call]) -> Block:
    """The block with the limit that a refusal told, which is newer than the prompt."""
    for call in failed:
        limit, room = call.result.get("limit"), call.result.get("room")
        if isinstance(limit, int):
            return replace(block, limit=limit)
        if isinstance(room, int):
            return replace(block, limit=block.used + room)
    return block


def _failures(prompt: Prompt, fact: Fact, block: Block) -> list[Call]:
    """Failed tries since room was made in the block."""
    failed: list[Call] = []
    for call in prompt.calls:
        if call.text("label") != block.label:
            continue
        if call.name == _RETHINK and call.ok:
            failed = []
        elif _holds(call, fact) and not call.ok:
            failed.append(call)
    return failed


def _replace(prompt: Prompt, block: Block, old: str, new: str, failed: list[Call]) -> list[Do]:
    grows = block.length(new) - block.length(old)
    if block.used + grows > block.limit or any(_is_full(call) for call in failed):
        return make_room(prompt, block, max(grows, 0)) if grows <= block.limit else []
    name = prompt.first_tool(*_REPLACES)
    if name and not failed:
        return [_replacing(name, block, old, new)]
    if prompt.first_tool(_RETHINK) and not any(call.name == _RETHINK for call in failed):
        value = "\n".join(new if line == old else line for line in block.value.split("\n"))
        return [Do(_RETHINK, {"label": block.label, "new_memory": value})]
    return []


def _replacing(name: str, block: Block, old: str, new: str) -> Do:
    """A replacement of one line; where its text stands twice, the line before comes along."""
    if block.value.count(old) > 1:
        lines = block.value.split("\n")
        place = lines.index(old)
        before = f"{lines[place - 1]}\n" if place else ""
        after = f"\n{lines[place + 1]}" if not place and len(lines) > 1 else ""
        if block.value.count(before + old + after) == 1:
            old, new = before + old + after, (before + new + after if new else (before + after).strip("\n"))
    keys = ("old_content", "new_content") if name == _REPLACES[0] else ("old_string", "new_string")
    return Do(name, {"label": block.label, keys[0]: old, keys[1]: new})


def _append(prompt: Prompt, block: Block, text: str) -> list[Do]:
    name = prompt.first_tool(*_APPENDS)
    if not name:
        return []
    return [Do(name, {"label": block.label, "content" if name == _APPENDS[0] else "new_string": text})]


def _targets(prompt: Prompt, fact: Fact) -> Iterator[Block]:
    """The blocks that a fact may go to: first where its old line stands, then as they fit."""
    open_blocks = [block for block in prompt.blocks if not block.read_only]
    fitting = [block for block in open_blocks if _may_hear(fact, block)]
    seen: set[str] = set()
    for block in (
        *(block for block in open_blocks if superseded(fact, block.lines)),
        *sorted(fitting, key=lambda block: -_fit(fact, block)),
    ):
        if block.label not in seen and (_fit(fact, block) > 0 or superseded(fact, block.lines)):
            seen.add(block.label)
            yield block


def _may_hear(fact: Fact, block: Block) -> bool:
    """Whether whoever decides on a block's proposals may read a fact: what somebody tells of themselves in a
    chat of their own is not for a team's inbox."""
    return not block.proposes or fact.about != PERSON or bool(fact.whose) or block.label == "human"


def _fit(fact: Fact, block: Block) -> int:
    """How well a block suits a fact; 0: not at all."""
    if block.label == _PERSONA:
        return 9 if fact.about == AGENT else 0
    about = f"{block.label} {block.description}"
    if _ORDER.match(fact.text) and _ORDER_BLOCK.search(block.label):
        return 8
    if fact.about == PROJECT and _PROJECT_BLOCK.search(block.label):
        return 7
    if block.label == "human":
        return 5
    if fact.about == PROJECT and _PROJECT_BLOCK.search(about):
        return 6
    if (
        fact.about != PROJECT
        and not _PROJECT_BLOCK.search(block.label)
        and tokens(block.label) & meaning_of(fact.text).tokens
    ):
        return 6
    return 4 if _PERSON_BLOCK.search(about) else 1


def _is_full(call: Call) -> bool:
    return bool({"room", "over"} & set(call.result)) or bool(_FULL.search(call.error))


def _holds(call: Call, fact: Fact) -> bool:
    """Whether a call writes this fact."""
    lines = [normal(line) for line in call.written.split("\n")]
    return normal(fact.line) in lines and not _is_housekeeping(call)


def _carries(call: Do, fact: Fact) -> bool:
    return any(fact.line in str(value).split("\n") for value in call.arguments.values())


def _is_housekeeping(call: Call) -> bool:
    return call.name == _ARCHIVE and bool(call.arguments.get("tags"))


def _old(call: Call) -> str:
    """The line that a replacement took away."""
    return _without(call.text("old_content", "old_string"), call.text("new_content", "new_string"))


def _without(text: str, other: str) -> str:
    """The lines of a text that do not stand in the other one."""
    return "\n".join(line for line in text.split("\n") if line not in other.split("\n"))


def taken_back(call: Call) -> tuple[str, str]:
    """The line that a replacement took out, and the one that stands there now ("" for none)."""
    old, new = call.text("old_content", "old_string"), call.text("new_content", "new_string")
    return (
        (_without(old, new).strip("\n"), _without(new, old).strip("\n"))
        if call.name in _REPLACES
        else ("", "")
    )


def known_line(text: str, lines: list[str], speaker: str) -> str:
    """The line that says what a text says, the speaker's own before others, or ""."""
    return is_known(Fact(text, whose=speaker), lines) or is_known(Fact(text), lines)
