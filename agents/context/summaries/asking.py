"""Asking a model for a summary, in pieces where its own window is too small for all at once.

No transaction is open here: a model may take minutes. What it answers is checked before it counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass

from agents.context.quoting import quoted
from agents.context.summaries import transcript
from agents.context.summaries.checking import SummaryFailed, checked
from agents.context.summaries.extractive import language_in, lines_in
from agents.context.summaries.lines import CHINESE, Kind
from agents.context.tokens import tokenizer
from agents.llm import catalog
from agents.llm.base import Finish, ModelError, ModelRequest, TextDelta
from agents.llm.pump import pump
from agents.models import LanguageModel
from agents.prompts import prompt
from memory.models import Message

__all__ = ["Source", "SummaryFailed", "asked"]

SECONDS = 120.0
"""For one call. Nobody waits: a turn that cannot wait makes its own."""
AROUND = 100
"""Tokens of marks around what is shown."""
FILTERED = "content_filter"
Count = Callable[[str], int]


@dataclass(frozen=True)
class Source:
    """What is to be summarised: the summary `before` ("" for none), the messages after it, oldest first, and
    how many tokens the new one may have, as `count` counts them."""

    before: str
    messages: Sequence[Message]
    most: int
    count: Count


def asked(writer: LanguageModel, source: Source, begin: Callable[[], object] | None = None) -> str:
    """A model's summary, checked: instructions stand in it word for word, and what it left out is added as
    far as there is room. Raises SummaryFailed.

    `writer` has its provider; `begin` is called before each piece, of which there may be many.
    """
    counter = tokenizer(writer.tokenizer)
    language = language_in(source.before, source.messages)
    told = prompt("summary_zh" if language == CHINESE else "summary").replace("{most}", str(source.most))
    room = _room(writer, source, counter.count, told)
    rows = transcript.shown(source.messages, counter, max(room // transcript.SHARE_OF_ONE, 40))
    wanted = lines_in(source.before, source.messages, source.count)
    standing = [line for line in wanted if line.kind == Kind.STANDING]
    before = source.before
    pieces = list(transcript.pieces(rows, counter, room))
    for number, piece in enumerate(pieces, start=1):
        if begin:
            begin()
        answer = _heard(writer, _request(writer, told, before, piece, source.most))
        # What a model leaves out of one piece is added at the end, where all of them are known.
        added = wanted if number == len(pieces) else standing
        before = checked(answer, [before, *piece], added, source.most, source.count, language)
    return before


def _room(writer: LanguageModel, source: Source, count: Count, told: str) -> int:
    """Tokens of messages in one piece: what is left beside the prompt, the summary so far and the answer."""
    size = int(writer.window / max(writer.usage_ratio, 1.0))
    summary = max(count(source.before), source.most)
    return max(size - count(told) - AROUND - summary - 2 * source.most, size // 4)


def _request(writer: LanguageModel, told: str, before: str, piece: list[str], most: int) -> ModelRequest:
    known = [f"<summary>\n{quoted(before)}\n</summary>"] if before else []
    messages = [
        {"role": "system", "content": told},
        {"role": "user", "content": "\n".join([*known, *piece])},
    ]
    return ModelRequest(writer.name, messages, max_tokens=most * 2)


def _heard(writer: LanguageModel, request: ModelRequest) -> str:
    """A model's whole answer. Raises SummaryFailed."""
    until, heard = time.monotonic() + SECONDS, []
    try:
        with closing(pump(catalog.answering(writer), request)) as deltas:
            for delta in deltas:
                if isinstance(delta, TextDelta):
                    heard.append(delta.text)
                if isinstance(delta, Finish) and delta.reason == FILTERED:
                    raise SummaryFailed("refused")
                if time.monotonic() > until:
                    raise SummaryFailed("timeout")
    except ModelError as error:
        raise SummaryFailed(error.kind) from None
    return "".join(heard)
