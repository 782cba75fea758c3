"""Of lines in their order, those that hold: repeated ones once, of what changed the newest value."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from agents.context.summaries.lines import AGENT, Kind, Line, undated
from agents.llm.offline.facts import Fact
from agents.llm.offline.meaning import meaning_of
from agents.llm.offline.saying import whose
from agents.llm.offline.superseding import superseded
from memory import lexical
from memory.retrieval.sifting import Statement, says_the_same

COMPARED_MOST = 40
CLOSED_BY = 0.6
"""So large a share of an open question's words, in what is stated later, closes it."""


class Held:
    """The lines that hold so far, with what is needed to find those that a new one repeats or replaces."""

    def __init__(self) -> None:
        self.lines: dict[int, Line] = {}
        self._by_word: defaultdict[str, list[int]] = defaultdict(list)
        self._by_text: dict[tuple[Kind, str], int] = {}
        self._said: dict[int, Statement] = {}
        self._number = 0

    def add(self, line: Line) -> None:
        """Take a line in; what it repeats goes, and what it replaces."""
        words = _words(line.text)
        near = self._near(words)
        same = self._by_text.get((line.kind, line.text))
        near += [same] if same in self.lines and same not in near else []
        said = Statement(line.text)
        for key in near:
            if self._repeats(key, line, said):
                line = replace(line, value=max(line.value, self.lines[key].value))
                self._drop(key)
        if line.kind in {Kind.FACT, Kind.STANDING}:
            self._replace(line, [key for key in near if key in self.lines])
            self._close(words, [key for key in near if key in self.lines])
        self._put(line, words, said)

    def _put(self, line: Line, words: Iterable[str], said: Statement) -> None:
        self._number += 1
        self.lines[self._number], self._said[self._number] = line, said
        self._by_text[line.kind, line.text] = self._number
        for word in words:
            self._by_word[word].append(self._number)

    def _near(self, words: Iterable[str]) -> list[int]:
        """Lines that share words with a new one: those with the most, oldest first."""
        shared: defaultdict[int, int] = defaultdict(int)
        for word in words:
            for key in self._by_word[word]:
                if key in self.lines:
                    shared[key] += 1
        best = sorted(shared, key=lambda key: (-shared[key], -key))[:COMPARED_MOST]
        return sorted(best)

    def _repeats(self, key: int, line: Line, said: Statement) -> bool:
        known = self.lines[key]
        return known.kind == line.kind and (known.text == line.text or says_the_same(self._said[key], said))

    def _replace(self, line: Line, near: Sequence[int]) -> None:
        """Drop the line whose value a new one changes; what still holds of it stays."""
        texts = {_told(self.lines[key]): key for key in near if _may_replace(line, self.lines[key])}
        name, words = whose(_told(line))
        fact = Fact(words, changed=line.changed, wrong=line.wrong, whose=name)
        found = superseded(fact, tuple(texts)) if texts else None
        if found is None:
            return
        key = texts[found.old]
        old = self.lines[key]
        self._drop(key)
        for row in found.new.split("\n"):
            if row != _told(line):
                text = f"{AGENT}{row}" if _is_of_agent(old) else row
                self._put(replace(old, text=text), _words(text), Statement(text))

    def _close(self, words: frozenset[str], near: Sequence[int]) -> None:
        for key in near:
            if self.lines[key].kind == Kind.OPEN:
                asked = _words(self.lines[key].text)
                if len(asked & words) >= CLOSED_BY * len(asked):
                    self._drop(key)

    def _drop(self, key: int) -> None:
        self.lines.pop(key, None)
        self._said.pop(key, None)


def holding(lines: Iterable[Line]) -> list[Line]:
    """Those of the lines, oldest first, that still hold."""
    held = Held()
    for line in lines:
        held.add(line)
    return list(held.lines.values())


def _may_replace(new: Line, old: Line) -> bool:
    """Whether two lines are of one kind and one speaker, and share more than the value that is named as
    wrong."""
    former = _words(new.wrong)
    if new.kind != old.kind or _is_of_agent(new) != _is_of_agent(old):
        return False
    return not former or bool((_words(new.text) & _words(old.text)) - former)


def _is_of_agent(line: Line) -> bool:
    return line.text.startswith(AGENT)


def _told(line: Line) -> str:
    """What a line tells, without its day and that the agent said it."""
    return undated(line.text).removeprefix(AGENT)


def _words(text: str) -> frozenset[str]:
    """What a line is found by: its words, and which property of whom it tells (where I live)."""
    meant = meaning_of(whose(undated(text))[1])
    told = {word for word in lexical.words(text) if not lexical.is_stop(word)}
    return frozenset(told | meant.slot | meant.relations)
