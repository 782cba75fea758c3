"""Any OpenAI-compatible `/embeddings` as an Embedder, over one pooled `openai` client per process.

https://platform.openai.com/docs/api-reference/embeddings. As with language models the client is asked for the
raw response and never retries: only here is it known for how long it may.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import KW_ONLY, dataclass, field
from functools import cache
from typing import Any, cast

import httpx2
from openai import APIConnectionError, APIStatusError, Omit, OpenAI, Stream

from memory.embedding.answers import vectors_of
from memory.embedding.base import EmbedderDown, Vector
from memory.embedding.pooling import embed_long
from memory.outbound import TooLarge, body_of, http_client, seconds_to_wait

LARGEST_ANSWER = 64 * 2**20
QUERY_SECONDS = 2.0
# Statuses of a request that the server may take another time, and of one that it will never take.
_PASSING = frozenset({408, 409, 425, 429})
_FOR_GOOD = frozenset({400, 413, 422})
_PROBE = "hello"

_shortens: set[tuple[str, str]] = set()
"""Addresses and models that have to be told `dimensions`, as this process has learned."""


class _Refused(EmbedderDown):
    """The server said no to a request."""

    def __init__(self, status: int, body: str, headers: Mapping[str, str]) -> None:
        super().__init__(
            f"The embedding endpoint answered {status}.",
            retry_after=seconds_to_wait(headers) or 0.0,
            said=" ".join(body.split())[:300],
        )
        self.status = status

    @property
    def is_passing(self) -> bool:
        return self.status in _PASSING or self.status >= 500


class _Unreachable(EmbedderDown):
    """The server was not reached, or fell silent."""

    is_passing = True


@dataclass(frozen=True)
class EndpointEmbedder:
    """A model at a base URL; `dimensions` 0 takes what comes. All times are seconds.

    A request for passages is made up to `attempts` times, with waits from `backoff` upwards, or as long as
    the server asks for; together they stay below `patience`. A query is asked for once.
    """

    name: str
    base_url: str
    api_key: str = field(repr=False)
    remote_name: str
    dimensions: int
    _: KW_ONLY
    tokens_max: int = 512
    query_prefix: str = ""
    passage_prefix: str = ""
    batch: int = 64
    timeout: float = 60.0
    attempts: int = 4
    patience: float = 30.0
    backoff: float = 0.5

    def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        """A vector for each text, None for one that is refused for good. Raises EmbedderDown."""
        room = max(self.tokens_max - len(self.passage_prefix), 16)
        return embed_long(texts, self._all, room)

    def query(self, text: str) -> Vector:
        """The vector of a question. Raises EmbedderDown."""
        return self._ask([self.query_prefix + text], QUERY_SECONDS)[0]

    def _all(self, texts: list[str]) -> list[Vector | None]:
        groups = (texts[at : at + self.batch] for at in range(0, len(texts), self.batch))
        return [vector for group in groups for vector in self._sifted(group)]

    def _sifted(self, texts: list[str]) -> list[Vector | None]:
        """Vectors of a batch. One that is refused is halved until the texts are found that it is for."""
        try:
            return list(self._patiently([self.passage_prefix + text for text in texts]))
        except _Refused as refusal:
            if refusal.status not in _FOR_GOOD:
                raise
            if len(texts) == 1:
                self._require_sense(refusal)
                return [None]
        half = len(texts) // 2
        return [*self._sifted(texts[:half]), *self._sifted(texts[half:])]

    def _require_sense(self, refusal: _Refused) -> None:
        """Is it this text that the server does not take, or all of them? Raises EmbedderDown for all."""
        try:
            self._patiently([self.passage_prefix + _PROBE])
        except _Refused:
            raise refusal from None

    def _patiently(self, texts: list[str]) -> list[Vector]:
        waited = 0.0
        for attempt in range(1, self.attempts + 1):
            try:
                return self._ask(texts, self.timeout)
            except (_Refused, _Unreachable) as error:
                backoff = self.backoff * 2.0 ** (attempt - 1) * random.uniform(0.5, 1.0)
                wait = backoff + error.retry_after
                if not error.is_passing or attempt == self.attempts or waited + wait > self.patience:
                    raise
            time.sleep(wait)
            waited += wait
        raise AssertionError("the last attempt raises")

    def _ask(self, texts: list[str], seconds: float) -> list[Vector]:
        """Vectors in the order of the texts. A longer one than wanted is asked for again, shortened."""
        place = (self.base_url, self.remote_name)
        vectors = self._request(texts, seconds, shorten=place in _shortens)
        if place not in _shortens and any(len(each) > (self.dimensions or len(each)) for each in vectors):
            vectors = self._request(texts, seconds, shorten=True)
            _shortens.add(place)
        if wrong := {len(each) for each in vectors} - {self.dimensions or len(vectors[0])}:
            raise EmbedderDown(
                f"The embedding endpoint answered {wrong.pop()} dimensions, not {self.dimensions}."
            )
        return vectors

    def _request(self, texts: list[str], seconds: float, *, shorten: bool) -> list[Vector]:
        body: dict[str, Any] = {"model": self.remote_name, "input": texts, "encoding_format": "float"}
        if shorten:
            body["dimensions"] = self.dimensions
        return vectors_of(self._post(json.dumps(body).encode(), seconds), len(texts))

    def _post(self, body: bytes, seconds: float) -> bytes:
        deadline = time.monotonic() + seconds
        try:
            response = cast(
                httpx2.Response,
                _client(os.getpid()).post(
                    f"{self.base_url.rstrip('/')}/embeddings",
                    cast_to=httpx2.Response,
                    content=body,
                    options={
                        "headers": self._headers(),
                        "timeout": httpx2.Timeout(seconds, connect=min(seconds, 5.0)),
                    },
                    stream=True,
                    stream_cls=Stream[Any],
                ),
            )
            with closing(response):
                return body_of(response, largest=LARGEST_ANSWER, deadline=deadline)
        except APIStatusError as error:
            # Not chained: some servers repeat the key in their answer.
            raise _Refused(error.status_code, self._hidden(error), error.response.headers) from None
        except (APIConnectionError, httpx2.HTTPError, httpx2.InvalidURL, TimeoutError, ValueError) as error:
            raise _Unreachable(f"The embedding endpoint cannot be reached: {_reason(error)}") from None
        except TooLarge as error:
            raise EmbedderDown(str(error)) from None

    def _headers(self) -> dict[str, str | Omit]:
        if not (self.api_key.isascii() and self.api_key.isprintable()):
            raise EmbedderDown("The key of the embedding endpoint has characters that no key has.")
        return {"Authorization": f"Bearer {self.api_key}" if self.api_key else Omit()}

    def _hidden(self, error: APIStatusError) -> str:
        return error.response.text.replace(self.api_key, "[key]") if self.api_key else error.response.text


@cache
def _client(process: int) -> OpenAI:
    """The client of this process. It holds no key: each call brings its own."""
    client = OpenAI(api_key="none", base_url="http://localhost", max_retries=0, http_client=http_client())
    # Read from the environment of the machine, and nobody else's business.
    client.organization = client.project = None
    return client


def _reason(error: Exception) -> str:
    cause = error.__cause__ or error
    return str(cause) or type(cause).__name__
