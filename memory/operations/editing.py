"""The plain operations on a block's text, as pure functions: text in, text out, or a stated refusal.

`is_rebasable` says whether an operation means the same on a text that has changed since it was made.
"""

from __future__ import annotations

from dataclasses import dataclass

from memory.operations.errors import BadOperation, TextFoundTwice, TextNotFound


@dataclass(frozen=True)
class Append:
    """Add a line at the end."""

    content: str
    name = "append"
    is_rebasable = True

    def apply(self, value: str) -> str:
        if not self.content.strip():
            raise BadOperation("There is nothing to append: the content is empty.")
        return f"{value}\n{self.content}" if value.strip() else self.content


@dataclass(frozen=True)
class Replace:
    """Put a text in the place of another that stands in the block exactly once."""

    old_content: str
    new_content: str
    name = "replace"
    is_rebasable = True

    def apply(self, value: str) -> str:
        if not self.old_content:
            raise BadOperation("The text to replace is empty. Give the exact text that stands in the block.")
        found = value.count(self.old_content)
        if found == 0:
            raise TextNotFound("The text to replace does not stand in the block. Copy it exactly, or append.")
        if found > 1:
            raise TextFoundTwice(
                f"The text to replace stands in the block {found} times. Give more of it, to make it unique.",
                times=found,
            )
        start = value.index(self.old_content)
        end = start + len(self.old_content)
        if not self.new_content and _is_whole_line(value, start, end):
            return _without_line(value, start, end)
        return value[:start] + self.new_content + value[end:]


@dataclass(frozen=True)
class Insert:
    """Insert lines after line number `line`; 0 is the top, -1 the end."""

    content: str
    line: int = -1
    name = "insert"

    @property
    def is_rebasable(self) -> bool:
        """A line's number means another line once the text has changed; its end stays its end."""
        return self.line == -1

    def apply(self, value: str) -> str:
        if not self.content.strip():
            raise BadOperation("There is nothing to insert: the content is empty.")
        lines = value.split("\n") if value else []
        if not -1 <= self.line <= len(lines):
            raise BadOperation(
                f"There is no line {self.line}: the block has {len(lines)} lines. Use -1 for the end.",
                lines=len(lines),
            )
        place = len(lines) if self.line == -1 else self.line
        return "\n".join([*lines[:place], self.content, *lines[place:]])


@dataclass(frozen=True)
class Rethink:
    """Rewrite the whole block."""

    content: str
    name = "rethink"
    is_rebasable = False

    def apply(self, value: str) -> str:
        return self.content


def _is_whole_line(value: str, start: int, end: int) -> bool:
    return (start == 0 or value[start - 1] == "\n") and (end == len(value) or value[end] == "\n")


def _without_line(value: str, start: int, end: int) -> str:
    """A line that is replaced by nothing takes its line break along."""
    if end < len(value):
        return value[:start] + value[end + 1 :]
    return value[: max(start - 1, 0)]
