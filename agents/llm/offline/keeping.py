"""What a person asks for in so many words to be remembered or forgotten."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agents.llm.offline import requests
from agents.llm.offline.chinese import words as chinese_words
from agents.llm.offline.chinese.statements import read_chinese
from agents.llm.offline.chinese.statements import tidy as tidy_chinese
from agents.llm.offline.english import words as english_words
from agents.llm.offline.english.statements import read_english
from agents.llm.offline.english.statements import tidy as tidy_english
from agents.llm.offline.facts import PERSON, PROJECT, Fact, Heard
from agents.llm.offline.sentences import QUOTE_MARK, Sentence, is_chinese, own_words, sentences

FACTS_AT_MOST = 12
_LONGEST = 300
_LIST_FOLLOWS = re.compile(r"(?i)(?:\bremember|\bnote|记住|记一下|记下).{0,24}[:：]\s*$")
_IS_PROJECT = re.compile(
    rf"(?i)^(?:the |our |this )?(?:\w+ )?{english_words.PROJECT_NOUN}\b|^(?:我们的?|本|这个|"
    rf"该)?{chinese_words.PROJECT_NOUN}"
)


def kept_last(bare: str, before: Sequence[str]) -> tuple[Fact, ...]:
    """Remember that: the sentences of the message before."""
    if not before or not any(pattern.match(bare) for pattern in requests.REMEMBER_LAST):
        return ()
    return kept_lines(own_words(before[-1])[:_LONGEST])


def asked_to_keep(sentence: Sentence) -> tuple[Fact, ...] | None:
    """The lines of an explicit "remember ..."; () when they come in the next sentences, None for none."""
    text = sentence.text
    if _LIST_FOLLOWS.search(text):
        return ()
    for pattern in (*requests.REMEMBER_AFTER, *requests.REMEMBER):
        if match := pattern.match(text):
            what = match["what"].strip()
            if sentence.asks and not _tells(what, pattern in requests.REMEMBER_AFTER):
                return None
            if (requests.TO_DO.match(what) or requests.NUMBER.match(what)) and pattern in requests.REMEMBER:
                return (Fact(tidy(text)),)
            return kept_lines(what)
    return None


def _tells(what: str, trailing: bool) -> bool:
    heard = read_any(what)
    return bool(heard.facts) and not heard.questions or trailing


def asked_to_forget(sentence: Sentence) -> str:
    """What a sentence wants to be forgotten, "" where it wants nothing of the kind."""
    for pattern in requests.FORGET:
        if not sentence.asks and (match := pattern.match(sentence.text)):
            return match["what"].strip()
    return ""


def kept_lines(what: str) -> tuple[Fact, ...]:
    """What was to be remembered, cut into facts where it can be, else as it is."""
    lines: list[Fact] = []
    for sentence in sentences(what):
        heard = read_any(sentence.text)
        if heard.facts and not heard.questions:
            lines += [replace(fact, weak=False) for fact in heard.facts]
        else:
            lines.append(
                Fact(tidy(sentence.text), about=PROJECT if _IS_PROJECT.match(sentence.text) else PERSON)
            )
    return tuple(line for line in lines if line.text and QUOTE_MARK not in line.text)[:FACTS_AT_MOST]


def read_any(text: str) -> Heard:
    """What one sentence of either language states or asks."""
    sentence = Sentence(text, "")
    return read_chinese(sentence) if sentence.chinese else read_english(sentence)


def tidy(text: str) -> str:
    """A line as it is filed, in either language."""
    return tidy_chinese(text) if is_chinese(text) else tidy_english(text)
