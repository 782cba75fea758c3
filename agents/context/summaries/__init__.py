"""The recursive summary: what stands for evicted messages. See MemGPT (Packer et al. 2023), 2.1 and 2.2.

`fold` makes one at once and without a model, `summarised` is its text. What a model writes is asked for in
the background (`agents.summarising`) and checked here (`checked`).
"""

from agents.context.summaries.asking import Source, SummaryFailed, asked
from agents.context.summaries.extractive import language_in, summarised
from agents.context.summaries.folding import AT_ONCE, fold, writer_of

__all__ = [
    "AT_ONCE",
    "Source",
    "SummaryFailed",
    "asked",
    "fold",
    "language_in",
    "summarised",
    "writer_of",
]
