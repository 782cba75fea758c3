"""Texts and vectors that are like what is remembered in what matters for speed: words by Zipf's law, vectors
in clusters, both about the same topics. The same seed makes the same."""

from __future__ import annotations

import itertools
import math
import random
from bisect import bisect
from dataclasses import dataclass

from memory import lexical

WORDS = 20_000
DIRECTIONS = 2_048
TOPIC_WORDS = 40
LONGEST = 80
_SYLLABLES = ["ba", "de", "fi", "go", "ku", "la", "me", "ni", "po", "ru", "sa", "te", "vo", "zu", "ki", "lo"]


@dataclass(frozen=True)
class Topic:
    """What some passages are about: words of its own, and a place among the vectors."""

    words: list[str]
    centre: list[float]


class Synthesis:
    """A source of texts and vectors."""

    def __init__(self, topics: int, dimensions: int, seed: int = 4) -> None:
        self._dimensions = dimensions
        self._chance = random.Random(seed)
        self._words = self._vocabulary()
        self._reach = list(itertools.accumulate(1 / rank for rank in range(1, len(self._words) + 1)))
        self._directions = [self._direction() for _ in range(DIRECTIONS)]
        self.topics = [self._topic() for _ in range(topics)]

    def topic(self) -> Topic:
        """One of the topics."""
        return self._chance.choice(self.topics)

    def text(self, topic: Topic) -> str:
        """A passage of 12 to 80 words; a third of them are the topic's."""
        length = self._chance.randint(12, LONGEST)
        words = [self._word(topic) for _ in range(length)]
        return " ".join(words).capitalize() + "."

    def query(self, topic: Topic) -> str:
        """Six words, as they might be asked for."""
        return " ".join(self._word(topic) for _ in range(6))

    def vector(self, topic: Topic) -> list[float]:
        """A vector near the topic's, of length 1."""
        one, two, three = self._chance.choices(self._directions, k=3)
        near = zip(topic.centre, one, two, three, strict=True)
        return _unit([c + 0.5 * a + 0.4 * b + 0.3 * d for c, a, b, d in near])

    def _word(self, topic: Topic) -> str:
        if self._chance.random() < 1 / 3:
            return self._chance.choice(topic.words)
        return self._words[bisect(self._reach, self._chance.random() * self._reach[-1])]

    def _vocabulary(self) -> list[str]:
        """Words that the stemmer leaves as they are, in no order of meaning."""
        found = (
            first + second + third + "k" for first, second, third in itertools.product(_SYLLABLES, repeat=3)
        )
        four = ("".join(each) + "m" for each in itertools.product(_SYLLABLES, repeat=4))
        whole = (word for word in itertools.chain(found, four) if lexical.stem(word) == word)
        kept = list(itertools.islice(whole, WORDS))
        self._chance.shuffle(kept)
        return kept

    def _direction(self) -> list[float]:
        return _unit([self._chance.gauss(0, 1) for _ in range(self._dimensions)])

    def _topic(self) -> Topic:
        return Topic(self._chance.sample(self._words, TOPIC_WORDS), self._direction())


def _unit(vector: list[float]) -> list[float]:
    size = math.sqrt(sum(value * value for value in vector))
    return [value / size for value in vector]
