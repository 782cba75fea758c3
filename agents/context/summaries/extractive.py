"""The extractive summary: at once, without a model, in the words in which things were said."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agents.context.summaries.choosing import chosen, text_of
from agents.context.summaries.lines import CHINESE, ENGLISH, Line, language_of, read
from agents.context.summaries.repeating import unrepeated
from agents.context.summaries.statements import lines_of, weighed
from agents.context.summaries.superseding import holding
from memory.models import Message

Count = Callable[[str], int]
NOTHING = {ENGLISH: "Nothing was said that needs keeping.", CHINESE: "没有需要记住的内容。"}


def summarised(before: str, messages: Sequence[Message], most: int, count: Count) -> str:
    """A summary of at most `most` tokens of the summary `before` ("" for none) and the messages after it."""
    lines = lines_in(before, messages, count)
    language = language_in(before, messages)
    return text_of(chosen(lines, most, count, language), most, count, language) or NOTHING[language]


def lines_in(before: str, messages: Sequence[Message], count: Count) -> list[Line]:
    """The lines that hold, of a summary and the messages after it, oldest first."""
    known = [weighed(line) for line in read(before)]
    return holding(unrepeated(known, lines_of(messages, count, start=len(known))))


def language_in(before: str, messages: Sequence[Message]) -> str:
    """The language of a conversation, by what its people said; of the summary where they said nothing."""
    said = [each.content for each in messages if each.role == Message.Role.USER]
    return language_of(said or [before])
