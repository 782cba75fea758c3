"""The parts of a prompt, typed until the last moment: counter, inspector and tests never parse a prompt."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from memory.models import Trust


class PartKind(StrEnum):
    """What stands in a window, in its order; stable parts come first."""

    SYSTEM = "system"
    TOOLS = "tools"
    SKILLS = "skills"
    CORE = "core"
    SUMMARY = "summary"
    QUEUE = "queue"
    STATUS = "status"


@dataclass(frozen=True)
class Part:
    """One part with its text, or its messages, and the tokens it takes."""

    kind: PartKind
    tokens: int
    text: str = ""
    messages: tuple[dict[str, Any], ...] = ()
    tools: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True)
class Window:
    """A compiled main context: its parts, and how many tokens they may take.

    `trust` is that of the least trusted message in it, and so of the answer that is made from it.
    """

    parts: tuple[Part, ...]
    capacity: int
    size: int
    trust: int = Trust.TRUSTED

    @property
    def used(self) -> int:
        """Tokens of all parts."""
        return sum(part.tokens for part in self.parts)

    def tokens(self, kind: PartKind) -> int:
        """Tokens of one kind of part."""
        return sum(part.tokens for part in self.parts if part.kind == kind)

    def messages(self) -> list[dict[str, Any]]:
        """The chat-completions messages: the one rendering of the parts."""
        texts = {part.kind: part.text for part in self.parts if part.text}
        head = (PartKind.SYSTEM, PartKind.SKILLS, PartKind.CORE)
        system = "\n\n".join(texts[kind] for kind in head if kind in texts)
        rendered: list[dict[str, Any]] = [{"role": "system", "content": system}]
        if PartKind.SUMMARY in texts:
            rendered.append({"role": "system", "content": texts[PartKind.SUMMARY]})
        for part in self.parts:
            rendered.extend(part.messages)
        rendered.append({"role": "system", "content": texts[PartKind.STATUS]})
        return rendered

    def tools(self) -> list[dict[str, Any]]:
        """The schemas of the tools."""
        return [schema for part in self.parts for schema in part.tools]
