"""From messages to the lines that a summary could have: sentence by sentence, in both languages, by rules.

A line is in the words in which it was said. What an answer took from documents is pointed at, never copied.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from django.utils import timezone

from agents.context.speakers import name_on
from agents.context.summaries import actions, signals
from agents.context.summaries.choosing import LEAST
from agents.context.summaries.lines import AGENT, Kind, Line, dated, undated
from agents.context.summaries.standing import is_standing
from agents.llm.offline.chinese.clauses import bare_of as bare_of_chinese
from agents.llm.offline.english.clauses import bare_of
from agents.llm.offline.facts import Heard
from agents.llm.offline.keeping import asked_to_keep, read_any
from agents.llm.offline.saying import said_by, whose
from agents.llm.offline.sentences import QUOTE_MARK, Sentence, is_chinese, own_words, sentences
from agents.llm.offline.talk import kind_of_talk
from memory import lexical
from memory.models import Message, Trust

FROM_DOCUMENTS = '[answered from documents; read it with message_read(id="{id}")]'
"""A summary stands unquoted, and for long: an answer that quotes documents is only pointed at."""
READ_MOST, SENTENCES_MOST = 6_000, 60
SENTENCE_MOST = 400
FRAGMENT = 5
"""Words of an answer that is told with its question."""
TALK, POINTER, ASKED, OPEN = 0.05, 0.2, 0.15, 0.8
OF_THE_AGENT, OF_EVERYBODY = 0.5, 0.25
"""What an agent says counts half, and less by what everybody knows."""
_IS_POINTER = re.compile(r"^\[answered from documents; ")
_LESS_TRUE = {
    "past": 0.7,
    "passing": 0.6,
    "reported": 0.8,
    "hypothesis": 0.4,
    "uncertain": 0.6,
    "quoted": 0.3,
}

Count = Callable[[str], int]


def lines_of(messages: Sequence[Message], count: Count, start: int = 0) -> list[Line]:
    """The lines that messages give, oldest first; `start` is the place of the first one."""
    done = actions.done_in(messages)
    found: list[Line] = []
    asked = ""
    for place, message in enumerate(messages):
        if message.role == Message.Role.USER:
            found += _of_person(message, asked, count, is_answered=_is_answered(messages, place))
            asked = ""
        elif message.role == Message.Role.ASSISTANT:
            found += [*done.get(message.id, []), *_of_agent(message, count)]
            asked = _question_in(message) or asked
    return [replace(each, place=start + place) for place, each in enumerate(found)]


def _is_answered(messages: Sequence[Message], place: int) -> bool:
    """Whether an answer follows a message before the next one of a person; at the end nobody knows."""
    for each in messages[place + 1 :]:
        if each.role == Message.Role.USER:
            return False
        if each.role == Message.Role.ASSISTANT and each.content.strip():
            return each.state == Message.State.COMPLETE
    return place == len(messages) - 1


def _of_person(message: Message, asked: str, count: Count, *, is_answered: bool) -> Iterator[Line]:
    if message.trust <= Trust.UNTRUSTED:
        yield _pointer(message)
        return
    who = name_on(message)
    said = _sentences(own_words(message.content[:READ_MOST]))
    if asked and len(said) == 1 and _is_fragment(said[0]):
        said = [replace(said[0], text=f"{asked} {said[0].text}")]
    for sentence in said:
        for line in _lines(sentence, count, is_answered=is_answered):
            yield replace(line, text=said_by(who, _dated(line.text, message)))


def _is_fragment(sentence: Sentence) -> bool:
    """Whether a sentence says something only beside the question that it answers: 4,000 euros."""
    if sentence.asks or kind_of_talk(sentence.text) or lexical.length(sentence.text) > FRAGMENT:
        return False
    return bool(signals.NUMBER.search(sentence.text) or signals.NAMED.search(sentence.text))


def _of_agent(message: Message, count: Count) -> Iterator[Line]:
    if not message.content.strip():
        return
    if message.trust <= Trust.UNTRUSTED:
        yield _pointer(message)
        return
    for sentence in _sentences(message.content[:READ_MOST]):
        if sentence.asks or kind_of_talk(sentence.text):
            continue
        is_open = bool(signals.STILL_OPEN.search(sentence.text))
        value = OPEN * OF_THE_AGENT if is_open else _worth_of_agent(sentence.text)
        text = _dated(_shortened(sentence.text + sentence.end), message)
        yield Line(Kind.OPEN if is_open else Kind.FACT, f"{AGENT}{text}", value)


def _sentences(text: str) -> list[Sentence]:
    return [each for each in sentences(text)[:SENTENCES_MOST] if QUOTE_MARK not in each.text]


def _pointer(message: Message) -> Line:
    return Line(Kind.FACT, FROM_DOCUMENTS.format(id=message.id), POINTER)


def _question_in(message: Message) -> str:
    """The question with which an answer ends, where it may be repeated."""
    if message.trust <= Trust.UNTRUSTED:
        return ""
    last = _sentences(message.content[-SENTENCE_MOST:])[-1:]
    return last[0].text + last[0].end if last and last[0].asks else ""


def _lines(sentence: Sentence, count: Count, *, is_answered: bool) -> list[Line]:
    """What one sentence of a person gives."""
    short = _shortened(_bare(sentence.text))
    if is_standing(sentence):
        return [Line(Kind.STANDING, short + sentence.end, 2.0, changed=True)]
    if signals.STILL_OPEN.search(sentence.text) or (sentence.asks and not is_answered):
        return [Line(Kind.OPEN, short + sentence.end, OPEN)]
    if kind_of_talk(sentence.text):
        return []
    kept = asked_to_keep(sentence)
    if not kept and (sentence.asks or signals.REQUEST.match(short)):
        return [Line(Kind.FACT, short + sentence.end, ASKED)]
    heard = Heard(facts=kept) if kept else read_any(sentence.text)
    value = _worth(short, heard) + (0.3 if kept else 0)
    facts = [
        Line(Kind.FACT, each.text, value, changed=each.changed, wrong=each.wrong) for each in heard.facts
    ]
    if facts and _is_told_by(facts, short) and sum(count(each.text) for each in facts) <= count(short):
        return facts
    return [_with_change(Line(Kind.FACT, short, value), heard)]


def _with_change(line: Line, heard: Heard) -> Line:
    """A line with what it says of the value that it replaces."""
    named = next((each.wrong for each in heard.facts if each.wrong), signals.former_in(line.text))
    return replace(line, changed=bool(named) or any(each.changed for each in heard.facts), wrong=named)


def _worth(text: str, heard: Heard) -> float:
    """How much a statement matters, 0 to 1.2: what says little beside what has a name, a number, a choice."""
    signs = 0.5 * bool(heard.facts) + 0.3 * bool(signals.NUMBER.search(text)) + 0.3 * signals.has_name(text)
    signs += 0.3 * bool(signals.DECISION.search(text)) + 0.2 * bool(signals.PREFERENCE.search(text))
    signs += 0.2 * bool(signals.STATES.match(text))
    if not signs:
        return TALK
    worth: float = min(signs, 1.0) ** 0.5 + 0.1 * any(each.changed for each in heard.facts)
    return worth * _LESS_TRUE.get(heard.reason, 1.0) * (0.6 if signals.VAGUE_START.match(text) else 1.0)


def _worth_of_agent(text: str) -> float:
    return max(_worth(text, Heard()) - OF_EVERYBODY, TALK) * OF_THE_AGENT


def _is_told_by(facts: list[Line], sentence: str) -> bool:
    """Whether facts have all that tells something in their sentence."""
    told = {word for each in facts for word in lexical.words(each.text)}
    return all(word in told or lexical.is_stop(word) for word in lexical.words(sentence))


def _bare(text: str) -> str:
    bare = (bare_of_chinese(text) if is_chinese(text) else bare_of(text)).strip(" ,，")
    return bare[:1].upper() + bare[1:] if bare else text


def _dated(text: str, message: Message) -> str:
    """A line that says "tomorrow" with the day on which it was said."""
    if not signals.RELATIVE_TIME.search(text):
        return text
    return dated(text, timezone.localtime(message.created_at).date())


def _shortened(text: str) -> str:
    return text if len(text) <= SENTENCE_MOST else f"{text[:SENTENCE_MOST]}…"


def weighed(line: Line) -> Line:
    """A line of an earlier summary with how much it matters."""
    if line.kind in {Kind.STANDING, Kind.OPEN}:
        return replace(
            line, value=2.0 if line.kind == Kind.STANDING else OPEN, changed=line.kind == Kind.STANDING
        )
    if line.kind == Kind.DONE:
        return replace(line, value=actions.worth(line.text))
    if line.text.startswith(AGENT):
        return replace(line, value=_worth_of_agent(line.text.removeprefix(AGENT)))
    if _IS_POINTER.match(line.text):
        return replace(line, value=POINTER)
    heard = read_any(whose(undated(line.text))[1])
    # However plain it is: it was chosen before.
    return _with_change(replace(line, value=max(_worth(line.text, heard), LEAST)), heard)
