"""What a query asks for: words, and the days that it names."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from memory import days, lexical

WORDS_MAX = 32
# Only short spans are searched by their words: a year's are in too many rows to tell anything.
DAY, MONTH = 1, 31


@dataclass(frozen=True)
class Question:
    """A query as search uses it: `words` are lexemes, `spans` the days that it names, `text` is as typed.

    What begins with one of the `beginnings` meets it. Words that are `optional` score, and a row that has all
    words need not have them: what is looked for in another way too, a day as it was typed or a beginning.
    """

    text: str
    words: tuple[str, ...]
    spans: tuple[days.Span, ...] = ()
    beginnings: tuple[str, ...] = ()
    optional: frozenset[str] = frozenset()

    @property
    def terms(self) -> tuple[str, ...]:
        """All that is looked for: the words, then the beginnings."""
        return self.words + self.beginnings

    def names(self, speaker: str) -> bool:
        """Whether the query names this speaker: a name of several words by any of them."""
        said = set(lexical.words(self.text))
        own = [word for word in lexical.words(speaker) if not lexical.is_stop(word)]
        return any(word in said for word in own)

    def nearness(self, day: date) -> float | None:
        """How near a day is to those that the query names, 0 to 1; None where it names none."""
        return max((span.nearness(day) for span in self.spans), default=None)


def read(query: str, *, today: date, is_typed: bool = False) -> Question:
    """A query's words and days. No words where it has no letters, digits or characters.

    A day that is named in other words than `days.day_words` ("yesterday", 5月7日) is looked for by these too.
    Where somebody is typing it, its last word may be a beginning.
    """
    spans = days.named_in(query, today)
    typed, told = lexical.query_lexemes(query), [word for span in spans for word in _words_of(span)]
    words = tuple(dict.fromkeys(typed + told))[:WORDS_MAX]
    beginnings = lexical.beginnings(query, is_typed=is_typed)
    of_days = set(typed).difference(told, lexical.lexemes(days.without_days(query, today)))
    return Question(query, words, tuple(spans), beginnings, frozenset(of_days.union(beginnings)))


def _words_of(span: days.Span) -> list[str]:
    length = (span.end - span.start).days
    day, month, year = days.day_words(span.start).split()
    wanted = [day, month] if length == DAY else [month] if length <= MONTH and span.start.day == 1 else []
    if wanted and not span.is_yearly:
        wanted.append(year)
    return list(lexical.words(" ".join(wanted)))
