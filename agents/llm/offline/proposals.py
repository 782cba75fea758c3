"""Changes of memory that wait for a person's yes: which do, and what the prompt says became of others."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_DECIDED = re.compile(
    r"^- proposal (?P<id>\S+) \((?P<label>[^:\n]+): \w+ “(?P<gist>.*)”\): "
    r"(?P<outcome>approved|rejected|withdrawn) by (?P<who>[^;\n]+)"
    r"(?:; see version \d+ of the block)?(?:; their note: “(?P<note>.*)”)?$",
    re.M,
)


@dataclass(frozen=True)
class Decision:
    """What became of one proposal: `outcome` is approved, rejected or withdrawn; `note` may be empty."""

    id: str
    label: str
    gist: str
    outcome: str
    who: str
    note: str


def decisions(text: str) -> list[Decision]:
    """The decisions of which a text tells."""
    return [
        Decision(**{name: value or "" for name, value in match.groupdict().items()})
        for match in _DECIDED.finditer(text)
    ]


def waiting(proposed: Iterable[tuple[str, str]], decided: Iterable[Decision]) -> frozenset[str]:
    """The texts, of those that were proposed as (id, text), of which nothing is decided yet."""
    known = {decision.id for decision in decided}
    return frozenset(text for proposal, text in proposed if text and proposal not in known)
