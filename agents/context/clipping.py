"""A text that is too long is shown in part, and says where to read on: it stays whole in recall."""

from __future__ import annotations

from dataclasses import dataclass, field

from agents.context.tokens import Tokenizer

CLIPPED_MIN = 40
"""However short it must be, so much of a text is shown."""
CHARACTERS_MOST, BYTES_MOST = 12, 4
"""So many characters a token has at the most, and so many bytes a character: no token is less than a byte."""


@dataclass
class Clipper:
    """Shortens texts to `most` tokens, with a line of its own that leads to the rest.

    `has_cut` tells afterwards whether any text was too long. What it keeps depends on the text and on `most`
    alone, so a text is cut at the same place in every prompt.
    """

    most: int
    tokenizer: Tokenizer
    has_cut: bool = field(default=False, init=False)

    def __call__(self, text: str, read_on: str = "") -> str:
        kept = kept_of(text, self.most, self.tokenizer)
        if kept == len(text):
            return text
        self.has_cut = True
        way = f'; read on with message_read(id="{read_on}", offset={kept})' if read_on else ""
        return f"{text[:kept]}\n[clipped: {len(text) - kept:,} more characters{way}]"


def kept_of(text: str, most: int, tokenizer: Tokenizer) -> int:
    """How many characters from the beginning of a text take at most `most` tokens; at least one."""
    if len(text) * BYTES_MOST <= most:
        return len(text)
    kept = min(len(text), most * CHARACTERS_MOST)
    while kept > 1 and (count := tokenizer.count(text[:kept])) > most:
        kept = max(1, min(kept - 1, kept * most // count))
    return kept
