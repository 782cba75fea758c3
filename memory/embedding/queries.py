"""Vectors of questions, for search: kept for a while, and never waited for longer than two seconds."""

from __future__ import annotations

from array import array
from collections.abc import Collection
from functools import cache, lru_cache

from memory.embedding.base import EmbedderDown, Vector
from memory.embedding.breaker import Breaker
from memory.embedding.catalog import embedder
from memory.outbound import within

SECONDS = 2.0
PAUSE = 5.0
KEPT = 1024
TOKENS, TOKENS_OF_A_LETTER, EAST = 256, 0.25, 0x2E80
"""So much of a question is embedded, counted roughly: a character of Chinese is about a token, a letter a
quarter. More says little of what is asked, and takes seconds."""


def query_vectors(text: str, *, models: Collection[str]) -> dict[str, Vector]:
    """The question's vector by each of the models that answers; those that are down are left out.

    Raises EmbedderDown where none answers: after two seconds at most, and at once for a while after that.
    """
    text = _beginning(text)
    found: dict[str, Vector] = {}
    down = EmbedderDown("No embedding model was asked.")
    for name in models:
        try:
            found[name] = _vector(name, text).tolist()
        except EmbedderDown as error:
            down = error
    if not found:
        raise down
    return found


def _beginning(text: str) -> str:
    room = float(TOKENS)
    for place, character in enumerate(text):
        room -= 1.0 if ord(character) >= EAST else TOKENS_OF_A_LETTER
        if room < 0:
            return text[:place]
    return text


@lru_cache(maxsize=KEPT)
def _vector(name: str, text: str) -> array[float]:
    """A pure function of its two arguments, whoever asks: a model does not change under its name."""
    return array("f", _breaker(name).call(lambda: _ask(name, text)))


def _ask(name: str, text: str) -> Vector:
    model = embedder(name)
    try:
        return within(SECONDS, lambda: model.query(text))
    except TimeoutError:
        raise EmbedderDown("The embedding model did not answer in time.") from None


@cache
def _breaker(name: str) -> Breaker:
    return Breaker(PAUSE)
