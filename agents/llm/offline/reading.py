"""What a person's message is: facts to file, questions to answer, something to forget, or just talk."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.llm.offline import documents, requests, talk
from agents.llm.offline.amending import amended
from agents.llm.offline.chinese import doubts as chinese_doubts
from agents.llm.offline.chinese import forms as chinese_forms
from agents.llm.offline.chinese.statements import read_chinese
from agents.llm.offline.english import doubts as english_doubts
from agents.llm.offline.english import forms as english_forms
from agents.llm.offline.english.statements import read_english
from agents.llm.offline.facts import AGENT, Fact, Heard
from agents.llm.offline.keeping import FACTS_AT_MOST, asked_to_forget, asked_to_keep, kept_last, kept_lines
from agents.llm.offline.meaning import meaning_of
from agents.llm.offline.sentences import QUOTE_MARK, Sentence, is_chinese, own_words, sentences
from agents.llm.offline.slots import MAYBE_TWO
from agents.llm.offline.talk import kind_of_talk
from agents.llm.offline.telling_apart import are_of_two
from agents.llm.offline.withdrawing import withdrawal

QUESTIONS_AT_MOST = 3
_LONGEST_SENTENCE = 300
_LONGEST_MESSAGE = 2000
_MOST_SENTENCES = 30
_CORRECTS = re.compile(
    r"更正|纠正|订正|说错|记错|搞错|弄错|写错|打错|口误|^不对|\bcorrection\b|\bmy mistake\b|\bi was "
    r"wrong\b|\bthat(?:'s| was) wrong\b|\bscratch that\b|\bi misspoke\b|\btypo\b|^sorry\b|\bi meant\b|"
    r"^(?:no|wait),",
    re.I,
)
_NAMES_ONLY = re.compile(
    r"(?i)^(?:my|our)(?: [\w'-]+){1,3}$|^(?:我|我们|项目)的[^，,是在有]{2,8}$|^(?:the )?deadline$|^截止日期$"
)
"""A thing that is only named, as if asked for: my birthday."""


@dataclass(frozen=True)
class Reading:
    """A message, read. `reason` says why nothing is filed where something looked as if it could be;
    `talk` names the kind of small talk or request that is no question."""

    chinese: bool
    facts: tuple[Fact, ...] = ()
    reason: str = ""
    questions: tuple[str, ...] = ()
    forget: str = ""
    retracts: bool = False
    archive: str = ""
    talk: str = ""
    count: tuple[int, int] | None = None


def read_message(message: str, before: Sequence[str] = ()) -> Reading:
    """Read a message; `before` are the earlier messages of the same person, newest last."""
    text = own_words(message).strip()
    han = is_chinese(text.replace(QUOTE_MARK, "") or message)
    bare = text.strip(" \n。.!！~～?？")
    if reading := _at_once(bare, han):
        return reading
    if not bare or set(bare) <= {QUOTE_MARK, " "}:
        return Reading(han, reason="quoted" if QUOTE_MARK in text else "", talk="" if text else "empty")
    if kept := kept_last(bare, before):
        return Reading(han, facts=kept)
    reading = _by_sentences(text, han, before)
    if _CORRECTS.search(text):
        reading = replace(reading, facts=tuple(replace(fact, changed=True) for fact in reading.facts))
    return _without_replaced(reading)


def _at_once(bare: str, han: bool) -> Reading | None:
    """What a message is as a whole: a count, something taken back, something for the archive."""
    if match := _first_match(requests.COUNT, bare):
        return Reading(han, talk="count", count=(int(match["first"] or 1), int(match["last"])))
    if taken_back := withdrawal(bare):
        return Reading(han, reason=taken_back[0], retracts=taken_back[1])
    if match := _first_match(requests.ARCHIVE, bare):
        return Reading(han, archive=match["what"].strip())
    return None


def _first_match(patterns: tuple[re.Pattern[str], ...], text: str) -> re.Match[str] | None:
    return next((match for pattern in patterns if (match := pattern.search(text))), None)


def _by_sentences(text: str, han: bool, before: Sequence[str]) -> Reading:
    found = sentences(text)
    if len(text) > _LONGEST_MESSAGE or len(found) > _MOST_SENTENCES:
        return Reading(
            han,
            reason="long",
            questions=tuple(one.text for one in found[-1:] if one.asks and len(one.text) < 200),
        )
    heard: list[Heard] = []
    reading = Reading(han)
    keeping = False
    for sentence in found:
        if english_doubts.GOES_ON.match(sentence.text) or chinese_doubts.GOES_ON.match(sentence.text):
            heard.append(Heard(reason="hypothesis"))
            break
        if (lines := asked_to_keep(sentence)) is not None:
            keeping = keeping or not lines
            heard.append(Heard(facts=lines))
        elif what := asked_to_forget(sentence):
            reading = replace(reading, forget=what)
        elif keeping:
            heard.append(Heard(facts=kept_lines(sentence.text)))
        else:
            heard.append(_heard(sentence))
    reading = _summed(reading, heard)
    if not reading.facts and not reading.questions and not reading.forget:
        return _amended(reading, text, before) or replace(reading, talk=kind_of_talk(text))
    return reading


def _amended(reading: Reading, text: str, before: Sequence[str]) -> Reading | None:
    last = _by_sentences(own_words(before[-1]), False, ()).facts if before else ()
    fact = amended(text.strip(" \n。.!！"), last[-1]) if last else None
    return replace(reading, facts=(fact,), reason="") if fact else None


def _summed(reading: Reading, heard: list[Heard]) -> Reading:
    facts = tuple(fact for one in heard for fact in one.facts)[:FACTS_AT_MOST]
    questions = tuple(question for one in heard for question in one.questions)[:QUESTIONS_AT_MOST]
    reasons = [one.reason for one in heard if one.reason]
    return replace(reading, facts=facts, questions=questions, reason="" if facts else next(iter(reasons), ""))


def _heard(sentence: Sentence) -> Heard:
    if len(sentence.text) > _LONGEST_SENTENCE:
        return Heard(reason="long")
    wants_to_see = (
        None if sentence.asks and not requests.SHOWS.match(sentence.text) else _shown(sentence.text)
    )
    if wants_to_see:
        return Heard(questions=(wants_to_see,))
    if any(pattern.match(sentence.text) for pattern in requests.REMIND):
        return Heard(reason="remind")
    if requests.CREATE.match(sentence.text) and not _orders(sentence.text) and not _is_search(sentence.text):
        return Heard(reason="create")
    if _is_search(sentence.text) or talk.ABOUT_ME.search(sentence.text) and not _states(sentence):
        return Heard(questions=(sentence.text,))
    heard = read_chinese(sentence) if sentence.chinese else read_english(sentence)
    if not heard.facts and not heard.questions and not heard.reason and _NAMES_ONLY.match(sentence.text):
        return Heard(questions=(sentence.text,))
    return heard


def _orders(text: str) -> bool:
    """Whether a request is for good, not for once."""
    patterns = (
        english_forms.STYLE,
        chinese_forms.STYLE,
        english_forms.ORDER,
        english_forms.STANDING,
        chinese_forms.STANDING,
    )
    return any(pattern.search(text) for pattern in patterns)


def _states(sentence: Sentence) -> bool:
    return bool((read_chinese(sentence) if sentence.chinese else read_english(sentence)).facts)


def _is_search(text: str) -> bool:
    return any(pattern.search(text) for pattern in (*requests.FIND, requests.READ_MESSAGE, *documents.ASKS))


def _shown(text: str) -> str:
    """Tell me my name, 告诉我我叫什么: what is to be shown, as a question."""
    match = requests.SHOWS.match(text) or requests.SHOWS_HAN.match(text)
    if not match or talk.ABOUT_ME.search(text) or _is_search(text):
        return ""
    what = match["what"]
    if is_chinese(what):
        return what if re.search(r"^我|^项目|^截止|什么|谁|哪|几|多少|吗|怎么", what) else ""
    return what


def _without_replaced(reading: Reading) -> Reading:
    """Drop facts that a later one of the same message replaces: I'm Bob, no, I'm Rob."""
    kept = []
    for place, fact in enumerate(reading.facts):
        later = reading.facts[place + 1 :]
        if not any(_replaces(other, fact) for other in later):
            kept.append(fact)
    return replace(reading, facts=tuple(dict.fromkeys(kept)))


def _replaces(new: Fact, old: Fact) -> bool:
    slot = meaning_of(old.text).slot - MAYBE_TWO
    is_one = bool(slot) and meaning_of(new.text).slot == slot and new.about != AGENT
    return is_one and not are_of_two(new.text, old.text)
