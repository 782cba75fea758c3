"""The search to compare with: BM25 over words as anybody would write it in a page of code.

A message alone, without its neighbours, speaker or date; words in Latin letters and digits as they are, Han
by every two characters that stand together. What it finds says how much of a set words alone give away, so
that figures on different sets can be read beside each other. Source: Robertson and Zaragoza, The
Probabilistic Relevance Framework: BM25 and Beyond (2009), with the usual parameters.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from evaluation.metrics import Answer
from evaluation.samples import Line, Question, Sample

K1, B = 1.2, 0.75
_RUNS = re.compile(r"[\u4e00-\u9fff]+|[a-z0-9]+")


class PlainSearch:
    """BM25 over the lines of a sample."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._ids = [line.id for line in lines]
        counts = [Counter(terms(line.text)) for line in lines]
        mean = sum(map(Counter.total, counts)) / max(len(counts), 1)
        self._norms = [K1 * (1 - B + B * each.total() / mean) if mean else K1 for each in counts]
        self._postings: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for place, each in enumerate(counts):
            for term, count in each.items():
                self._postings[term].append((place, count))

    def find(self, text: str, most: int) -> tuple[str, ...]:
        """The ids of at most so many lines that share a term with the text, best first."""
        scores: defaultdict[int, float] = defaultdict(float)
        for term in set(terms(text)):
            postings = self._postings.get(term, [])
            rarity = math.log(1 + (len(self._ids) - len(postings) + 0.5) / (len(postings) + 0.5))
            for place, count in postings:
                scores[place] += rarity * count * (K1 + 1) / (count + self._norms[place])
        best = sorted(scores, key=lambda place: (-scores[place], place))[:most]
        return tuple(self._ids[place] for place in best)


def answers(sample: Sample, questions: Sequence[Question], most: int) -> list[Answer]:
    """What it finds for each question, among all lines of the sample."""
    search = PlainSearch([line for chat in sample.chats for line in chat.lines])
    return [Answer(question, search.find(question.text, most)) for question in questions]


def terms(text: str) -> list[str]:
    """The terms of a text: `一只cat` gives 一只 and cat; a single character of Han stands for itself."""
    return [term for run in _RUNS.findall(text.lower()) for term in _terms_of_run(run)]


def _terms_of_run(run: str) -> list[str]:
    if run.isascii() or len(run) == 1:
        return [run]
    return [run[place : place + 2] for place in range(len(run) - 1)]
