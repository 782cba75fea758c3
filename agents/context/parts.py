"""The parts of a prompt, typed until the last moment: counter, inspector and tests never parse a prompt."""

from __future__ import annotations

import hashlib
import json
import math
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any

from agents.context.writing import Queued
from memory.models import Trust


class PartKind(StrEnum):
    """What stands in a window, in its order; stable parts come first. Core memory is the frame of blocks."""

    SYSTEM = "system"
    TOOLS = "tools"
    SKILLS = "skills"
    CORE = "core"
    BLOCK = "block"
    SUMMARY = "summary"
    QUEUE = "queue"
    STATUS = "status"


HEAD = frozenset({PartKind.SYSTEM, PartKind.SKILLS, PartKind.CORE, PartKind.BLOCK})
"""The parts that are one system message together. Each ends with a line break, so that no token reaches from
one into the next, and their counts sum to the count of the whole."""


@dataclass(frozen=True)
class Part:
    """One part with its text, or its messages, and the tokens it takes.

    `about` is what a step keeps of it beside its text. The text is kept where `place` says, a workspace, as
    that of `records`; without a place it is not kept.
    """

    kind: PartKind
    tokens: int
    text: str = ""
    messages: tuple[dict[str, Any], ...] = ()
    tools: tuple[dict[str, Any], ...] = ()
    about: Mapping[str, Any] = field(default_factory=dict)
    place: uuid.UUID | None = None
    records: tuple[uuid.UUID, ...] = ()

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of kind and text, by which a step names a text that is kept; empty where none is."""
        return digest_of(f"{self.kind}\0{self.text}") if self.place else ""


@dataclass(frozen=True)
class Move:
    """What compiling did, or would do, to older messages.

    `evicted` tells of messages that left the queue ({"from", "to", "messages", "tokens", "summary"}),
    `cleared` of tool results that became placeholders ({"results", "tokens"}); None where there are none.
    `clipped` are the ids of the messages that are shown in part.
    """

    evicted: dict[str, Any] | None = None
    cleared: dict[str, Any] | None = None
    clipped: tuple[str, ...] = ()


@dataclass(frozen=True)
class Window:
    """A compiled main context: its parts, and how many tokens they may take.

    `size` is the whole window, in the tokens of the provider, who counts `ratio` of them for one of ours. All
    else is in ours: `capacity` is what the prompt may take, `room` what messages may take of that. `trust` is
    that of the least trusted message in it, and so of the answer that is made from it. `queue` are the
    messages of the queue, each as it is shown. `before` is what the model call before it was sent, as its
    step keeps it; `ms` how long compiling took.
    """

    parts: tuple[Part, ...]
    size: int
    capacity: int
    room: int
    ratio: float = 1.0
    trust: int = Trust.TRUSTED
    is_pressed: bool = False
    move: Move = field(default_factory=Move)
    queue: tuple[Queued, ...] = ()
    before: Mapping[str, Any] = field(default_factory=dict)
    ms: float = 0.0

    @property
    def used(self) -> int:
        """Tokens of all parts."""
        return sum(part.tokens for part in self.parts)

    @property
    def filled(self) -> int:
        """The same in the tokens of the provider, as far as they are known."""
        return math.ceil(self.used * self.ratio)

    def tokens(self, kind: PartKind) -> int:
        """Tokens of one kind of part."""
        return sum(part.tokens for part in self.of(kind))

    def of(self, *kinds: PartKind) -> list[Part]:
        """The parts of some kinds, in their order."""
        return [part for part in self.parts if part.kind in kinds]

    def text(self, *kinds: PartKind) -> str:
        """The text of some kinds of parts."""
        return "".join(part.text for part in self.of(*kinds))

    def messages(self) -> list[dict[str, Any]]:
        """The chat-completions messages: the one rendering of the parts."""
        queue = [message for part in self.of(PartKind.QUEUE) for message in part.messages]
        summary, status = self.text(PartKind.SUMMARY), self.text(PartKind.STATUS)
        return rendered(self.text(*HEAD), summary, queue, status)

    def tools(self) -> list[dict[str, Any]]:
        """The schemas of the tools."""
        return [schema for part in self.parts for schema in part.tools]

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of messages and tools as they are sent."""
        return request_digest(self.messages(), self.tools())


def rendered(head: str, summary: str, queue: list[dict[str, Any]], status: str) -> list[dict[str, Any]]:
    """Messages out of the texts of the parts."""
    system = [{"role": "system", "content": text} for text in (head, summary) if text]
    return [*system, *queue, {"role": "system", "content": status}]


def request_digest(messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> str:
    """The SHA-256 of a request's messages and tools."""
    return digest_of(json.dumps({"messages": messages, "tools": tools}, ensure_ascii=False))


def digest_of(text: str) -> str:
    """The SHA-256 of a text, in hexadecimal. Halves of surrogate pairs count as question marks."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
