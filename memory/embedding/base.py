"""What embeds texts: the interface, and what goes wrong."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

Vector = list[float]
"""As many floats as the model has dimensions, of length 1: the inner product of two is their cosine."""


class EmbedderDown(Exception):
    """The embedding model does not answer at present, or not with vectors: words alone serve until it does.

    `retry_after` is how many seconds its server asks for, 0 where it says nothing. `said` are its own words,
    which may repeat what it was sent: they are shown only where that was nobody's.
    """

    def __init__(self, message: str, *, retry_after: float = 0.0, said: str = "") -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.said = said


class Embedder(Protocol):
    """A model that makes vectors. Queries and passages are told apart, as such models are trained to.

    `tokens_max` is the longest text that it reads at once (longer ones are split and pooled), `batch` how
    many texts are best given to it together.
    """

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    @property
    def tokens_max(self) -> int: ...

    @property
    def batch(self) -> int: ...

    def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        """A vector for each text, None for one that is refused for good. Raises EmbedderDown."""

    def query(self, text: str) -> Vector:
        """The vector of a question, asked for once and not for long. Raises EmbedderDown."""


def unit(vector: Sequence[float]) -> Vector:
    """The vector at length 1. Raises EmbedderDown where it has none, or is no vector (NaN, infinite)."""
    length = math.hypot(*vector)
    if not math.isfinite(length) or length == 0:
        raise EmbedderDown("The embedding model answered with something that is no vector.")
    return [each / length for each in vector]
