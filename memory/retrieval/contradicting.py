"""Hits that contradict each other, sentence by sentence: of the many that a text has, one may say otherwise.

Judged by words alone and carefully (`memory.retrieval.sifting.says_otherwise`). Of a longer text a sentence
counts only where it differs from another one's in one place: reports of May and of June are both true.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

from memory.retrieval.records import Hit
from memory.retrieval.sifting import Statement, says_otherwise

OTHERWISE_MOST = 3
"""What says otherwise than more texts than these is one of a list, whose lines differ as they should."""
SPOKEN_LETTERS = 6_000
"""So much of a text is compared by its sentences: more than a passage of a document has."""
FRAME = 3
"""So many words beside those that tell two sentences share at least, to be about one thing."""
PLACE = 8
"""So many words, or signs of Chinese, are one place: a date, an amount, a name with its particles."""
_ENDS = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])|\s*\n\s*|\s*\|\s+(?=\|)")
Spoken = tuple[Hit, list[Statement]]
Said = tuple[Hit, Statement]


def mark_contradictions(hits: Sequence[Hit]) -> list[Hit]:
    """Hits of a page in their order, but each that says otherwise than one before it right behind that one.
    Both name the other. Lines of a list are left as they are."""
    otherwise = _otherwise(hits)
    for hit in hits:
        hit.contradicts.extend(other.id for other in otherwise[id(hit)])
    waiting, found = list(hits), []
    while waiting:
        first = waiting.pop(0)
        others = [each for each in waiting if each in otherwise[id(first)]]
        found += [first, *others]
        waiting = [each for each in waiting if each not in others]
    return found


def _otherwise(hits: Sequence[Hit]) -> dict[int, list[Hit]]:
    """For each hit, by its identity, those that it contradicts; none for what is one of a list."""
    # What was said on a branch that was left is no statement of its own.
    spoken = [(hit, _sentences(hit.text)) for hit in hits if not hit.is_abandoned]
    found: dict[int, list[Hit]] = {id(hit): [] for hit in hits}
    for one, other in [*_as_wholes(spoken), *_in_sentences(spoken)]:
        if other not in found[id(one)]:
            found[id(one)].append(other)
            found[id(other)].append(one)
    listed = {key for key, others in found.items() if len(others) > OTHERWISE_MOST}
    return {
        key: [] if key in listed else [each for each in others if id(each) not in listed]
        for key, others in found.items()
    }


def _sentences(text: str) -> list[Statement]:
    """A text's sentences, each once."""
    parts = [part for part in _ENDS.split(text[:SPOKEN_LETTERS]) if part.strip()]
    return [Statement(part) for part in dict.fromkeys(parts)]


def _as_wholes(spoken: Sequence[Spoken]) -> Iterator[tuple[Hit, Hit]]:
    """Pairs of texts that are one sentence each."""
    said = [(hit, sentences[0]) for hit, sentences in spoken if len(sentences) == 1]
    return ((one, other) for (one, a), (other, b) in combinations(said, 2) if says_otherwise(a, b))


def _in_sentences(spoken: Sequence[Spoken]) -> Iterator[tuple[Hit, Hit]]:
    """Pairs of texts of which one sentence differs in one place. Sentences that are alike but for what tells
    meet under the words that they share, so that nothing is compared with everything."""
    frames: dict[frozenset[str], list[Said]] = defaultdict(list)
    for hit, sentences in spoken:
        for statement in sentences:
            frame = statement.words - statement.telling
            if len(frame) >= FRAME:
                frames[frame].append((hit, statement))
    for said in frames.values():
        if not _is_list(said):
            yield from _at_odds(said)


def _is_list(said: Sequence[Said]) -> bool:
    """Whether one text has several such sentences, or many texts have one: rows, whose values are many."""
    hits = {id(hit) for hit, _ in said}
    return len(hits) < len(said) or len(hits) > OTHERWISE_MOST + 1


def _at_odds(said: Sequence[Said]) -> Iterator[tuple[Hit, Hit]]:
    for (one, a), (other, b) in combinations(said, 2):
        if says_otherwise(a, b) and _differ_in_one_place(a, b):
            yield one, other


def _differ_in_one_place(a: Statement, b: Statement) -> bool:
    """Whether two sentences have the same beginning and end around a few words that tell: "May was 300" and
    "June was 310" are two places."""
    one, other = a.pieces, b.pieces
    least = min(len(one), len(other))
    before = next((n for n in range(least) if one[n] != other[n]), least)
    after = next((n for n in range(least - before) if one[-1 - n] != other[-1 - n]), least - before)
    mine, theirs = one[before : len(one) - after], other[before : len(other) - after]
    between = set(mine) & set(theirs) - a.telling - b.telling
    return max(len(mine), len(theirs)) <= PLACE and not between
