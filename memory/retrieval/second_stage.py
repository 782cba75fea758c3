"""The second stage: what stands first is read again by a model, and put in its order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory.index.texts import records_of, text_of
from memory.retrieval.fusion import Ranked, share_of
from memory.retrieval.records import Notice
from memory.retrieval.rerank import RerankFailed, SecondStage

READ_AGAIN = 50


def reordered(
    query: str, ranked: Sequence[Ranked], second_stage: SecondStage
) -> tuple[list[Ranked], list[Notice]]:
    """The first 50 in the order of a second stage, then the others as they were; in the first stage's order,
    with a notice, where it fails."""
    first, rest = list(ranked[:READ_AGAIN]), list(ranked[READ_AGAIN:])
    records = records_of(each.candidate for each in first)
    first = [each for each in first if each.candidate.record_id in records]
    texts = [text_of(each.candidate.kind, records[each.candidate.record_id]) for each in first]
    if not texts:
        return first + rest, []
    try:
        scores = second_stage(query, texts)
    except RerankFailed:
        return first + rest, [Notice("rerank_failed")]
    low, width = min(scores), (max(scores) - min(scores)) or 1.0
    read = [
        replace(each, parts=replace(each.parts, rerank=(score - low) / width * share_of(each.candidate)))
        for each, score in zip(first, scores, strict=True)
    ]
    return sorted(read, key=lambda each: -(each.parts.rerank or 0.0)) + rest, []
