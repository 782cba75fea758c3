"""Looking things up: core memory first, then recall, then the archive; and what was found."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from agents.llm.offline.acts import Do
from agents.llm.offline.chinese import asking as chinese_asking
from agents.llm.offline.chinese import doubts as chinese_doubts
from agents.llm.offline.chinese import lasting as chinese_lasting
from agents.llm.offline.documents import document_of, speaks_of
from agents.llm.offline.english import asking as english_asking
from agents.llm.offline.english import doubts as english_doubts
from agents.llm.offline.english import lasting as english_lasting
from agents.llm.offline.keeping import asked_to_keep
from agents.llm.offline.matching import answers, mentions
from agents.llm.offline.parts import parts
from agents.llm.offline.prompt import Call, Prompt
from agents.llm.offline.questions import Ask
from agents.llm.offline.saying import said_by, whose
from agents.llm.offline.sentences import Sentence, own_words, sentences
from agents.llm.offline.speakers import answering, asked_about

_RECALL = "conversation_search"
_READ = "message_read"
_ARCHIVE = "archival_memory_search"
_HITS = 20
_SHOWN_AT_MOST = 3
_QUOTE_AT_MOST = 300
_ENOUGH_OF_A_DOCUMENT = 0.6
_PAST = re.compile(f"{english_lasting.PAST_MARK.pattern}|{chinese_lasting.PAST.pattern}", re.I)


@dataclass(frozen=True)
class Found:
    """A text that answers, and where it stands: "core", "window", "recall" or "archive".

    `by` names another person whose words they are, `source` the place in a document.
    """

    text: str
    place: str
    date: str = ""
    role: str = "user"
    label: str = ""
    by: str = ""
    source: str = ""


@dataclass(frozen=True)
class Lookup:
    """A question with what was found so far; `open` while there is still a place to look in."""

    ask: Ask
    found: tuple[Found, ...] = ()
    looked: tuple[str, ...] = ()
    calls: tuple[Do, ...] = ()
    error: str = ""

    @property
    def open(self) -> bool:
        return bool(self.calls)


def look_up(prompt: Prompt, ask: Ask) -> Lookup:
    """How far a question is: found, to be searched for with `calls`, or nowhere to be found."""
    if ask.kind == "first":
        return _first(prompt, ask)
    if ask.kind == "read":
        return _read(prompt, ask)
    lookup = Lookup(ask)
    places = _ORDER["archive" if ask.archive else ask.kind]
    for place in places:
        lookup = _LOOK[place](prompt, lookup)
        if lookup.found or lookup.open:
            return lookup
    return lookup


def _in_core(prompt: Prompt, lookup: Lookup) -> Lookup:
    labels = {
        line: block.label for block in prompt.blocks if block.label != "persona" for line in block.lines
    }
    lines = [line for line in labels if not lookup.ask.past or _PAST.search(line)]
    good = answering(lookup.ask, lines, prompt.speaker)
    found = tuple(Found(one.line, "core", label=labels[one.line]) for one in good)
    return replace(lookup, found=found, looked=(*lookup.looked, "core"))


def _in_recall(prompt: Prompt, lookup: Lookup) -> Lookup:
    for query in _queries(lookup.ask):
        arguments = {"query": query, "roles": ["user"], "limit": _HITS}
        lookup = _searched(prompt, lookup, Do(_RECALL, arguments), "recall")
        if lookup.found or lookup.open:
            break
    return lookup


def _in_window(prompt: Prompt, lookup: Lookup) -> Lookup:
    records = [{"role": role, "content": text} for role, text in reversed(prompt.earlier) if role == "user"]
    return replace(lookup, found=_matching(lookup.ask, records, "window", prompt.speaker))


def _in_archive(prompt: Prompt, lookup: Lookup) -> Lookup:
    return _searched(prompt, lookup, Do(_ARCHIVE, {"query": lookup.ask.query}), "archive")


_LOOK = {"core": _in_core, "recall": _in_recall, "window": _in_window, "archive": _in_archive}
_ORDER = {
    "memory": ("core", "recall", "window", "archive"),
    "find": ("recall", "window", "archive"),
    "archive": ("archive", "recall"),
    "file": ("archive", "core", "recall", "window"),
}


def _queries(ask: Ask) -> list[str]:
    """What to search for; then, where that found nothing, the most telling single word."""
    words = sorted((group.word for group in ask.groups if group.role in ("thing", "attribute")), key=len)
    return list(dict.fromkeys([ask.query, *words[-1:]])) if ask.kind == "memory" else [ask.query]


def _searched(prompt: Prompt, lookup: Lookup, do: Do, place: str) -> Lookup:
    """What a search found, or the search as the next call where it has not been made."""
    if do.name not in prompt.tools or not do.arguments["query"].strip():
        return lookup
    made = _made(prompt, do)
    if made is None:
        return replace(lookup, calls=(do,))
    if not made.ok:
        return replace(lookup, error=made.error)
    looked = tuple(dict.fromkeys([*lookup.looked, place]))
    return replace(lookup, found=_matching(lookup.ask, _records(made), place, prompt.speaker), looked=looked)


def _made(prompt: Prompt, do: Do) -> Call | None:
    return next(
        (call for call in prompt.calls if call.name == do.name and call.arguments == do.arguments), None
    )


def _records(call: Call) -> list[dict[str, Any]]:
    records = call.result.get("results")
    return [one for one in records if isinstance(one, dict)] if isinstance(records, list) else []


def _matching(ask: Ask, records: Iterable[dict[str, Any]], place: str, speaker: str) -> tuple[Found, ...]:
    """The records that answer, each with the sentence that does."""
    found: list[tuple[float, str, Found]] = []
    for record in records:
        name, text = whose(str(record.get("content", ""))) if place == "archive" else ("", _content(record))
        by = str(record.get("by") or name)
        asked = (asked_about(ask, by) if by else None) or ask
        if asked is ask and ask.own and by not in ("", speaker):
            continue
        source = document_of(record) if place == "archive" else ""
        score, quote = _best(asked, text) if not source else _best_of_document(asked, text, source)
        if quote:
            date, role = str(record.get("date", "")), str(record.get("role", "user"))
            said = Found(_cut(said_by(name, quote)), place, date, role, by=by, source=source)
            found.append((score, date, said))
    # Of two that answer alike, what was said later holds.
    found.sort(key=lambda one: (one[0], one[1]), reverse=True)
    different = {one.text: one for _score, _date, one in reversed(found)}
    return tuple(reversed(list(different.values())))[:_SHOWN_AT_MOST]


def _content(record: dict[str, Any]) -> str:
    return str(record.get("content", ""))


def _best(ask: Ask, text: str) -> tuple[float, str]:
    """How well a message answers, and the part of it that does."""
    if ask.kind == "find":
        return _mention(ask, text)
    said = own_words(text)
    if (
        english_doubts.DECLINED.search(said)
        or chinese_doubts.DECLINED.search(said)
        or english_doubts.JOKE.search(said)
    ):
        return 0.0, ""
    told = [line for one in sentences(said) if not one.asks and _asserts(one.text) for line in _lines(one)]
    if ask.past:
        told = [line for line in told if _PAST.search(line)]
    best = answers(ask, [*told, *(part for line in told for part in parts(line))])
    return (best[0].score, best[0].line) if best else (0.0, "")


def _lines(sentence: Sentence) -> list[str]:
    """A sentence without "remember that" before it."""
    kept = asked_to_keep(sentence)
    return [fact.text for fact in kept] if kept else [sentence.text]


def _asserts(text: str) -> bool:
    """Neither a question nor a supposition."""
    if (
        english_asking.QUESTION.match(text)
        or english_doubts.HYPOTHESIS.search(text)
        or chinese_doubts.HYPOTHESIS.search(text)
    ):
        return False
    plain = chinese_asking.INDEFINITE.sub("", text)
    return not (chinese_asking.ASK_WORD.search(plain) or re.search(r"[吗么呢]$", plain))


def _best_of_document(ask: Ask, text: str, source: str) -> tuple[float, str]:
    """The same of a document, which may use other words; what is asked of the person is not in one."""
    score, quote = speaks_of(ask.query, text, source, ask.text)
    if ask.kind == "file" or (score >= _ENOUGH_OF_A_DOCUMENT and not ask.own):
        return score, quote
    return _best(ask, text)


def _mention(ask: Ask, text: str) -> tuple[float, str]:
    """The sentence of a message in which something is mentioned; asking for it again is no mention."""
    for sentence in sentences(text):
        if mentions(ask, sentence.text):
            return (0.5 if sentence.asks or not _asserts(sentence.text) else 1.0), sentence.text
    return 0.0, ""


def _first(prompt: Prompt, ask: Ask) -> Lookup:
    """The oldest message: recall says how many there are, and its last page is the first of them."""
    lookup = Lookup(ask)
    if _RECALL in prompt.tools:
        count = Do(_RECALL, {"query": "", "roles": ["user"], "limit": 1})
        made = _made(prompt, count)
        if made is None:
            return replace(lookup, calls=(count,))
        total = made.result.get("total")
        if made.ok and isinstance(total, int) and total > 1:
            oldest = replace(count, arguments={**count.arguments, "page": total})
            made = _made(prompt, oldest)
            if made is None:
                return replace(lookup, calls=(oldest,))
        if made.ok and (records := _records(made)):
            record = records[-1]
            return replace(
                lookup,
                found=(Found(_cut(str(record.get("content"))), "recall", str(record.get("date", ""))),),
            )
    said = [text for role, text in prompt.earlier if role == "user"]
    return replace(lookup, found=(Found(_cut(said[0]), "window"),) if said and not prompt.summary else ())


def _read(prompt: Prompt, ask: Ask) -> Lookup:
    do = Do(_READ, {"id": ask.message_id})
    if _READ not in prompt.tools:
        return Lookup(ask)
    made = _made(prompt, do)
    if made is None:
        return Lookup(ask, calls=(do,))
    if not made.ok:
        return Lookup(ask, error=made.error)
    result = made.result
    found = Found(
        _content(result),
        "recall",
        str(result.get("date", "")),
        str(result.get("role", "user")),
        by=str(result.get("by", "")),
    )
    return Lookup(ask, found=(found,))


def _cut(text: str) -> str:
    text = text.strip()
    return text if len(text) <= _QUOTE_AT_MOST else f"{text[:_QUOTE_AT_MOST]}…"
