"""The second stage of a search: the best hits, put in a better order by a model that reads both sides.

`HttpRerank` asks a server as Cohere (https://docs.cohere.com/reference/rerank), Jina, vLLM and Hugging Face's
text-embeddings-inference have it. What it says is believed only where it makes sense.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import httpx2
from django.conf import settings

from memory.outbound import TooLarge, body_of, http_client, within

LARGEST_ANSWER = 2**20
LONGEST = 4000
"""Characters of a text that are sent: such models read some hundred words."""
_TAKES_ANOTHER_SHAPE = frozenset({400, 404, 422})
_reads_texts: set[str] = set()
"""Addresses that want `texts` in place of `documents`, as this process has learned."""


class RerankFailed(Exception):
    """The second stage did not put the hits in order: the first stage's order stands."""


class SecondStage(Protocol):
    """Says how well each text answers a question."""

    @property
    def name(self) -> str: ...

    def __call__(self, query: str, texts: Sequence[str]) -> list[float]:
        """A score for each text, in their order; the higher, the better. Raises RerankFailed."""


@dataclass(frozen=True)
class HttpRerank:
    """A server's `/rerank` at a URL; `timeout` in seconds bounds the whole call."""

    url: str
    model: str = ""
    key: str = field(default="", repr=False)
    timeout: float = 2.0

    @property
    def name(self) -> str:
        return self.model or self.url

    def __call__(self, query: str, texts: Sequence[str]) -> list[float]:
        if not texts:
            return []
        sent = [text[:LONGEST] for text in texts]
        try:
            return within(self.timeout, lambda: self._scores(query, sent))
        except TimeoutError:
            raise RerankFailed("The reranker did not answer in time.") from None

    def _scores(self, query: str, texts: list[str]) -> list[float]:
        deadline = time.monotonic() + self.timeout
        shapes = [self._documents, self._texts]
        if self.url in _reads_texts:
            shapes.reverse()
        for last, shape in enumerate(shapes):
            status, body = self._post(shape(query, texts), deadline)
            if status == httpx2.codes.OK:
                if shape == self._texts:
                    _reads_texts.add(self.url)
                return scores_of(body, len(texts))
            if status not in _TAKES_ANOTHER_SHAPE or last:
                break
        raise RerankFailed(f"The reranker answered {status}.")

    def _documents(self, query: str, texts: list[str]) -> dict[str, Any]:
        """The body as Cohere has it."""
        named = {"model": self.model} if self.model else {}
        return named | {"query": query, "documents": texts, "top_n": len(texts)}

    def _texts(self, query: str, texts: list[str]) -> dict[str, Any]:
        """The body as text-embeddings-inference has it."""
        return {"query": query, "texts": texts, "truncate": True}

    def _post(self, body: dict[str, Any], deadline: float) -> tuple[int, bytes]:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        sent = json.dumps(body).encode()
        try:
            with http_client().stream(
                "POST", self.url, content=sent, headers=headers, timeout=self.timeout
            ) as response:
                return response.status_code, body_of(response, largest=LARGEST_ANSWER, deadline=deadline)
        except (httpx2.HTTPError, httpx2.InvalidURL, TimeoutError, TooLarge, ValueError) as error:
            raise RerankFailed(f"The reranker cannot be reached: {type(error).__name__}.") from None


def scores_of(body: bytes, count: int) -> list[float]:
    """The scores of so many texts, in the order of the texts, from an answer of either shape.

    `{"results": [{"index", "relevance_score"}]}` or `[{"index", "score"}]`. Raises RerankFailed where a text
    has no score or two, where one is scored that was not sent, or where a score is no number.
    """
    try:
        found = json.loads(body)
        rows = found["results"] if isinstance(found, dict) else found
        pairs = [(_index(row), _score(row)) for row in rows]
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        raise RerankFailed("The reranker answered something else than scores.") from None
    if sorted(index for index, _ in pairs) != list(range(count)):
        raise RerankFailed("The reranker scored other texts than it was sent.")
    return [score for _, score in sorted(pairs)]


def _index(row: dict[str, Any]) -> int:
    if type(row["index"]) is not int:
        raise TypeError
    return int(row["index"])


def _score(row: dict[str, Any]) -> float:
    score = row["relevance_score"] if "relevance_score" in row else row["score"]
    if isinstance(score, bool) or not math.isfinite(float(score)):
        raise ValueError
    return float(score)


def configured() -> HttpRerank | None:
    """The reranker that the site's settings name; None without one."""
    given = settings.RERANK
    return HttpRerank(**given) if given["url"] else None
