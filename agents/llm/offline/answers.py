"""The words that end a turn: what was filed and what was not, what was found and where, or just an answer."""

from __future__ import annotations

from dataclasses import dataclass, field

from agents.context.readiness import Readiness, Told
from agents.llm.offline import documents, filing, room, skills
from agents.llm.offline.filing import Filed
from agents.llm.offline.phrases import PHRASES, phrase
from agents.llm.offline.prompt import Call, Prompt
from agents.llm.offline.questions import Ask
from agents.llm.offline.reading import Reading
from agents.llm.offline.searching import Found, Lookup

COUNT_AT_MOST = 5000
_LISTED_AT_MOST = 40
_PERSONA_AT_MOST = 200
_SKILL_AT_MOST = 4000
_SILENT = frozenset(["question", ""])


@dataclass(frozen=True)
class Turn:
    """All that the answer is made of."""

    prompt: Prompt
    reading: Reading
    asks: list[Ask]
    filed: list[Filed]
    lookups: dict[str, Lookup]
    forgotten: list[tuple[str, str]] = field(default_factory=list)
    to_be_forgotten: list[tuple[str, str]] = field(default_factory=list)
    not_forgotten: list[Call] = field(default_factory=list)

    @property
    def chinese(self) -> bool:
        return self.reading.chinese


def spoken(turn: Turn) -> str:
    """The whole answer."""
    if turn.reading.count:
        return _counted(turn)
    skill = _skill(turn)
    parts = [*_filed(turn), *_forgot(turn), *_archive(turn), *_attached(turn), *skill]
    parts += [_asked(turn, ask) for ask in turn.asks if not skill or _is_found(turn, ask)]
    parts = [part for part in parts if part] or [_otherwise(turn)]
    return "\n\n".join([*_noted(turn), *_decided(turn), *parts, *_housekeeping(turn)])


def _say(turn: Turn, name: str, *values: object, **named: object) -> str:
    return phrase(name, turn.chinese, *values, **named)


def _noted(turn: Turn) -> list[str]:
    return [_say(turn, "clipped")] if turn.prompt.clipped else []


def _decided(turn: Turn) -> list[str]:
    """What became of earlier proposals, each in a line."""
    lines = []
    for one in turn.prompt.decided:
        line = _say(turn, one.outcome, who=one.who, text=one.gist, label=one.label)
        lines.append(line + (_say(turn, "note", one.note) if one.note else ""))
    return ["\n".join(lines)] if lines else []


def _filed(turn: Turn) -> list[str]:
    parts = [_new_lines(turn, "added"), _new_lines(turn, "proposed")]
    return [part for part in [*parts, *(_became(turn, one) for one in turn.filed)] if part]


def _new_lines(turn: Turn, state: str) -> str:
    """The facts that are new lines of memory, or that were proposed as such."""
    lines = [one.now or one.fact.line for one in turn.filed if one.state == state and not one.line]
    if len(lines) > 1:
        return _say(turn, f"{state}_many", _list(lines))
    return _say(turn, state, lines[0]) if lines else ""


def _became(turn: Turn, one: Filed) -> str:
    """What became of a fact that is no new line."""
    if one.state == "replaced" or (one.state == "proposed" and one.line):
        new = ("；" if turn.chinese else "; ").join((one.now or one.fact.line).split("\n"))
        name = "replaced" if one.state == "replaced" else "proposed_change"
        return _say(turn, name, old=one.line, new=new)
    if one.state in ("known", "waiting"):
        return _say(turn, one.state, one.line or one.fact.line)
    if one.state in ("archived", "failed", "open"):
        name = "archived" if one.state == "archived" else "failed"
        return _say(turn, name, fact=one.now or one.fact.line, why=_why(turn, one))
    return _refused(turn, one.refused, "saving", one.fact.line) if one.refused else ""


def _refused(turn: Turn, call: Call, what: str, text: str) -> str:
    """That nobody said yes to saving or removing something, so that it was not done."""
    said = _say(turn, f"{call.refusal}_{what}", who=call.result.get("by"), text=text)
    note = call.result.get("note")
    return said + (_say(turn, "note", note) if note else "")


def _why(turn: Turn, filed: Filed) -> str:
    if filed.error:
        return _say(turn, "why", filed.error)
    has_tools = turn.prompt.first_tool("core_memory_append", "memory_insert")
    return _say(turn, "no_place" if has_tools else "no_tools")


def _list(lines: list[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _forgot(turn: Turn) -> list[str]:
    if turn.forgotten:
        return [
            _say(turn, "replaced", old=old, new=new) if new else _say(turn, "forgotten", old)
            for old, new in turn.forgotten
        ]
    if turn.to_be_forgotten:
        return [
            _say(turn, "proposed_change", old=old, new=new) if new else _say(turn, "proposed_removal", old)
            for old, new in turn.to_be_forgotten
        ]
    if turn.not_forgotten:
        return [_refused(turn, call, "removal", filing.taken_back(call)[0]) for call in turn.not_forgotten]
    asked = turn.reading.forget or (turn.reading.retracts and not turn.reading.reason)
    return [_say(turn, "not_forgotten")] if asked else []


def _archive(turn: Turn) -> list[str]:
    text = turn.reading.archive
    if not text:
        return []
    calls = [call for call in turn.prompt.calls if call.text("content") == text]
    if done := next((call for call in calls if call.ok), None):
        return [_say(turn, "archive_done", done.ran.written)]
    if refused := next((call for call in calls if call.refusal), None):
        return [_refused(turn, refused, "saving", text)]
    return [_say(turn, "archive_failed", calls[-1].error if calls else _say(turn, "no_tools"))]


def _attached(turn: Turn) -> list[str]:
    """What came with the message, each with how far it is read."""
    told = {each.name: each for each in turn.prompt.documents}
    return [
        _read_so_far(turn, told[name]) if name in told else _say(turn, "attached_untold", name)
        for name in turn.prompt.attached
    ]


def _read_so_far(turn: Turn, document: Told) -> str:
    why = documents.reason(document.fault, turn.chinese) if document.fault else ""
    return _say(turn, f"attached_{document.readiness.name.lower()}", document.name, why).strip()


def _skill(turn: Turn) -> list[str]:
    """What the skill says that was loaded for this question."""
    name, text = skills.loaded(turn.prompt)
    text = text if len(text) <= _SKILL_AT_MOST else f"{text[:_SKILL_AT_MOST]}…"
    return [_say(turn, "skill", skill=name, text=text)] if text else []


def _is_found(turn: Turn, ask: Ask) -> bool:
    lookup = turn.lookups.get(ask.text)
    return lookup is not None and bool(lookup.found)


def _asked(turn: Turn, ask: Ask) -> str:
    """The answer to one question."""
    if lookup := turn.lookups.get(ask.text):
        return _looked_up(turn, lookup)
    return {"about": _about, "now": _now, "who": _who, "last": _last}.get(ask.kind, _plain)(turn, ask)


def _looked_up(turn: Turn, lookup: Lookup) -> str:
    if lookup.found and lookup.found[0].place == "core":
        lines = [found.text for found in lookup.found]
        return _say(turn, "core", lines[0]) if len(lines) == 1 else _say(turn, "core_many", _list(lines))
    if lookup.found:
        return "\n".join(_quoted(turn, lookup.ask, found) for found in lookup.found)
    return _not_found(turn, lookup)


def _quoted(turn: Turn, ask: Ask, found: Found) -> str:
    if ask.kind == "first":
        return _say(turn, "first" if found.date else "first_here", date=found.date, text=found.text)
    if found.source:
        return _say(turn, "document", place=documents.place(found.source, turn.chinese), text=found.text)
    if found.place == "window":
        return _say(turn, "window", text=found.text)
    if found.by and found.place == "recall":
        return _say(turn, "recall_other", date=found.date or "?", who=found.by, text=found.text)
    name = "archive" if found.place == "archive" else f"recall_{found.role}"
    return _say(turn, name if name in PHRASES else "recall_user", date=found.date or "?", text=found.text)


def _not_found(turn: Turn, lookup: Lookup) -> str:
    ask = lookup.ask
    failed = [_say(turn, "search_failed", lookup.error)] if lookup.error else []
    if ask.kind == "first":
        return " ".join([*failed, _say(turn, "first_none")])
    if ask.kind == "find" and not failed:
        return _say(turn, "not_found", ask.query)
    if ask.kind == "file" and not failed:
        unread = (each for each in turn.prompt.documents if each.readiness != Readiness.READY)
        waits = [_read_so_far(turn, each) for each in unread]
        return " ".join([_say(turn, "not_in_documents", ask.query), *waits])
    places = [_say(turn, f"place_{name}") for name in lookup.looked]
    joined = (
        _say(turn, "comma").join(places[:-1]) + _say(turn, "and") + places[-1]
        if len(places) > 1
        else "".join(places)
    )
    parts = [_say(turn, "unknown", joined) if places else _say(turn, "unknown_bare"), *failed]
    if not ask.own:
        parts.append(_say(turn, "world"))
    return ("" if turn.chinese else " ").join(parts)


def _about(turn: Turn, _ask: Ask) -> str:
    lines = [line for block in turn.prompt.blocks if block.label != "persona" for line in block.lines]
    return _say(turn, "about", _list(lines[:_LISTED_AT_MOST])) if lines else _say(turn, "about_none")


def _now(turn: Turn, _ask: Ask) -> str:
    now = turn.prompt.status.get("now", "")
    return _say(turn, "now", now) if now else _say(turn, "now_none")


def _who(turn: Turn, _ask: Ask) -> str:
    persona = next((block.value.strip() for block in turn.prompt.blocks if block.label == "persona"), "")
    parts = [_say(turn, "who")]
    if persona:
        parts.append(_say(turn, "persona", " ".join(persona.split())[:_PERSONA_AT_MOST]))
    return " ".join(parts)


def _last(turn: Turn, _ask: Ask) -> str:
    said = [text for role, text in turn.prompt.earlier if role == "user"]
    return _say(turn, "last", said[-1][:_PERSONA_AT_MOST]) if said else _say(turn, "first_none")


def _plain(turn: Turn, ask: Ask) -> str:
    return _say(turn, ask.kind)


def _otherwise(turn: Turn) -> str:
    """Where nothing was filed and nothing asked: small talk, or why nothing was filed."""
    reading = turn.reading
    if reading.talk == "greeting" and not any(role == "assistant" for role, _text in turn.prompt.earlier):
        return _say(turn, "intro")
    if reading.talk:
        return _say(turn, reading.talk)
    if reading.reason not in _SILENT:
        return _say(turn, reading.reason)
    return _say(turn, "heard")


def _housekeeping(turn: Turn) -> list[str]:
    parts = []
    if moved := room.moved_lines(turn.prompt):
        parts.append(_say(turn, "moved", moved))
    if messages := room.archived_messages(turn.prompt):
        parts.append(_say(turn, "queue_archived", messages))
    return parts


def _counted(turn: Turn) -> str:
    first, last = turn.reading.count or (1, 1)
    end = min(last, first + COUNT_AT_MOST - 1)
    parts = [", ".join(str(number) for number in range(first, end + 1))]
    if end < last:
        parts.append(_say(turn, "count_many", end))
    return "\n\n".join(parts)
