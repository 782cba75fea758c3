"""The chat model as second stage of a search: one call that sees the candidates and names the best of them.

Ranking a list in one call is RankGPT's way (Sun et al. 2023, arXiv:2304.09542), without its sliding window.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

from agents.context.quoting import quoted
from agents.llm import catalog
from agents.llm.base import LanguageModel, ModelError, ModelRequest, TextDelta
from agents.llm.pump import pump
from agents.models import LanguageModel as ModelRow
from agents.prompts import prompt
from memory.retrieval.rerank import RerankFailed

# A turn's lease is longer than this, and a person waits.
SECONDS = 10.0
NAMED_AT_MOST = 10
SHOWN_MOST = 600
ANSWER_TOKENS = 1_000
_MARKS = re.compile(r"<(?=[\s\\/]*(?:text|question)\b)", re.IGNORECASE)
_LIST = re.compile(r"\[[\d,\s]*\]")


@dataclass(frozen=True)
class ModelRerank:
    """Asks a chat model which texts answer a query."""

    model: LanguageModel
    model_name: str
    seconds: float
    name: str = "model"

    @classmethod
    def of(cls, row: ModelRow) -> ModelRerank | None:
        """The second stage that a model of the tenant's is; None where its key cannot be read."""
        try:
            return cls(catalog.answering(row), row.name, SECONDS)
        except ModelError:
            return None

    def __call__(self, query: str, texts: Sequence[str]) -> list[float]:
        """A score from 0 to 1 for each text, in their order: what the model names stands before the rest.

        Raises RerankFailed where it is slow, fails, or names what it was not shown.
        """
        ranked = _ranked(self._answer(query, texts), len(texts))
        rest = [place for place in range(len(texts)) if place not in ranked]
        places = {place: rank for rank, place in enumerate([*ranked, *rest])}
        return [1 - places[place] / len(texts) for place in range(len(texts))]

    def _answer(self, query: str, texts: Sequence[str]) -> str:
        until, heard = time.monotonic() + self.seconds, []
        try:
            with closing(pump(self.model, self._request(query, texts))) as deltas:
                for delta in deltas:
                    if isinstance(delta, TextDelta):
                        heard.append(delta.text)
                    if time.monotonic() > until:
                        raise RerankFailed(f"The model did not rank within {self.seconds:g} seconds.")
        except ModelError as error:
            raise RerankFailed(f"The model did not rank: {error}") from None
        return "".join(heard)

    def _request(self, query: str, texts: Sequence[str]) -> ModelRequest:
        told = prompt("rerank").replace("{most}", str(NAMED_AT_MOST))
        shown = [
            f'<text number="{number}">\n{_shown(text)}\n</text>' for number, text in enumerate(texts, start=1)
        ]
        asked = "\n".join([f"<question>\n{_shown(query)}\n</question>", *shown])
        messages = [{"role": "system", "content": told}, {"role": "user", "content": asked}]
        return ModelRequest(self.model_name, messages, max_tokens=ANSWER_TOKENS)


def _shown(text: str) -> str:
    """A text's beginning, which cannot close the marks between which it stands."""
    return quoted(_MARKS.sub("&lt;", text[:SHOWN_MOST]))


def _ranked(answer: str, count: int) -> list[int]:
    """The places that an answer names, best first, from 0. Raises RerankFailed for anything else."""
    lists = _LIST.findall(answer)
    try:
        named = json.loads(lists[-1]) if lists else None
    except ValueError:
        named = None
    if named is None:
        raise RerankFailed("The model answered without a list of numbers.")
    if len(set(named)) != len(named) or not all(1 <= number <= count for number in named):
        raise RerankFailed("The model named texts that it was not shown.")
    return [number - 1 for number in named]
