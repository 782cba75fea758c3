"""What a model is shown to summarise: the summary so far, and messages as data, cut into pieces that fit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from django.utils import timezone

from agents.context.clipping import kept_of
from agents.context.quoting import quoted
from agents.context.speakers import name_on
from agents.context.summaries import actions
from agents.context.summaries.statements import FROM_DOCUMENTS
from agents.context.tokens import Tokenizer
from memory.models import Message, Trust

SHARE_OF_ONE = 4
"""No message takes more than this part of a piece."""
CLIPPED = "[…]"
_MARKS = re.compile(r"<(?=[\s\\/]*(?:message|done)\b)", re.IGNORECASE)


def shown(messages: Sequence[Message], counter: Tokenizer, most: int) -> list[str]:
    """Each message as a model is shown it, of at most `most` tokens: what was said, and what was done.

    What was answered from documents is pointed at; what tools answered is left out.
    """
    done = actions.done_in(messages)
    rows = []
    for message in messages:
        rows += [f"<done>{_data(line.text)}</done>" for line in done.get(message.id, [])]
        if message.role in {Message.Role.USER, Message.Role.ASSISTANT} and message.content.strip():
            rows.append(_row(message, counter, most))
    return rows


def _row(message: Message, counter: Tokenizer, most: int) -> str:
    is_trusted = message.trust > Trust.UNTRUSTED
    said = _clipped(message.content, counter, most) if is_trusted else FROM_DOCUMENTS.format(id=message.id)
    who = f"{message.role} {name_on(message)}".strip()
    day = f"{timezone.localtime(message.created_at):%Y-%m-%d}"
    return f'<message from="{_data(who)}" date="{day}">\n{_data(said)}\n</message>'


def pieces(rows: Sequence[str], counter: Tokenizer, most: int) -> Iterator[list[str]]:
    """Rows in runs of at most `most` tokens each; at least one run, at least one row in each."""
    piece: list[str] = []
    used = 0
    for row in rows:
        tokens = counter.count(row)
        if piece and used + tokens > most:
            yield piece
            piece, used = [], 0
        piece.append(row)
        used += tokens
    yield piece


def _clipped(text: str, counter: Tokenizer, most: int) -> str:
    kept = kept_of(text, most, counter)
    return text if kept == len(text) else f"{text[:kept]}{CLIPPED}"


def _data(text: str) -> str:
    """A text that cannot close the marks between which it stands."""
    return quoted(_MARKS.sub("&lt;", text))
