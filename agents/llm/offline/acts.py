"""What the offline model does in one step: call tools, or speak."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Do:
    """One tool call."""

    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Say:
    """The words that end the turn."""

    text: str


Step = list[Do] | Say
