"""The figures of a report as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evaluation.metrics import CUTS, SESSIONS_AT

_NAME = 16


def of_recall(report: dict[str, Any]) -> Iterator[str]:
    """A table: all questions, what plain BM25 finds of them, each kind; each conversation of several."""
    yield _row("", "questions", *(f"R@{cut}" for cut in CUTS), f"sessions@{SESSIONS_AT}")
    yield _figures("all", report)
    yield _figures("plain BM25", report["plain_bm25"])
    for group in ("kinds", "evidence", "conversations"):
        if len(report[group]) > 1:
            yield ""
            yield from (_figures(name, each) for name, each in report[group].items())
    yield ""
    yield f"{report['messages']} messages; {report['questions_without_evidence']} questions without evidence"
    yield from _costs(report)
    for code, times in report["notices"].items():
        yield f"notice {code}: {times} times"


def of_hops(report: dict[str, Any]) -> Iterator[str]:
    """A table of the accuracy by the number of hops."""
    yield _row("hops", "cases", "accuracy")
    for hops, found in report["hops"].items():
        yield _row(hops, found["cases"], found["accuracy"])
    yield ""
    yield f"{report['passages']} passages in {report['archives']} archives; {report['lookups']} lookups"
    yield from _costs(report)


def of_summaries(report: dict[str, Any]) -> Iterator[str]:
    """A table of what stands in the summary of each language."""
    names = ("facts", "planted", "ceiling", "instructions", "changed", "stale", "tokens")
    yield _row("", *names)
    for language, found in report["languages"].items():
        yield _row(language, *(found[name] for name in names))
    yield ""
    for language, found in report["languages"].items():
        yield f"{language}: {found['evicted_tokens']} tokens evicted; CPU s: {_both(found['cpu_seconds'])}"


def of_long_chat(report: dict[str, Any]) -> Iterator[str]:
    """A line for each figure; lists as their lines."""
    for name, value in report.items():
        yield f"{name:<32}{len(value) if isinstance(value, list) else value}"
        if isinstance(value, list):
            yield from (f"  {each}" for each in value)


def _figures(name: str, found: dict[str, Any]) -> str:
    return _row(name, found["questions"], *found["recall"].values(), found["sessions"])


def _row(name: str, *columns: object) -> str:
    return f"{name:<{_NAME}}" + "".join(f"{_shown(each):>13}" for each in columns)


def _shown(value: object) -> str:
    return "-" if value is None else f"{value:.1f}" if isinstance(value, float) else str(value)


def _costs(report: dict[str, Any]) -> Iterator[str]:
    yield f"CPU of a query, ms: {_both(report['cpu_ms_per_query'])}"
    for name, spent in report["cpu_seconds"].items():
        yield f"CPU of {name}, s: {_both(spent)}"
    if report["not_embedded"]:
        yield f"not embedded: {report['not_embedded']}"


def _both(spent: dict[str, float | None]) -> str:
    return f"app {_shown(spent['app'])}, PostgreSQL {_shown(spent['postgresql'])}"
