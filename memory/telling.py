"""How much a message says, before anybody has judged its importance."""

from __future__ import annotations

import math

from memory import lexical

ALL = 150
"""So many words say as much as a message can."""
QUESTION = 1 / 3


def substance(text: str) -> float:
    """0 to 1: by the logarithm of its words, a question a third of that.

    What is asked for later is told in statements of some length, hardly ever in "Wow, that's great!" or in
    questions: worth 1.6 points of recall@10 on LoCoMo.
    """
    told = min(1.0, math.log1p(lexical.length(text)) / math.log(ALL))
    return told * QUESTION if text.rstrip().endswith(("?", "？")) else told
