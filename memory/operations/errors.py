"""Why a write to a block is refused. The words are for models and programs, and say how to do better."""

from __future__ import annotations

from typing import Any


class BlockError(Exception):
    """A write to a block was refused; nothing changed. The message says how to do better."""

    code = "refused"

    def __init__(self, message: str, **facts: Any) -> None:
        super().__init__(message)
        self.facts = facts


class LimitPassed(BlockError):
    """The text would be longer than the block's limit."""

    code = "limit_passed"


class ReadOnly(BlockError):
    """The block is read-only for agents."""

    code = "read_only"


class Deleted(BlockError):
    """The block was deleted. It can be brought back."""

    code = "deleted"


class TextNotFound(BlockError):
    """The text to replace does not stand in the block."""

    code = "text_not_found"


class TextFoundTwice(BlockError):
    """The text to replace stands in the block more than once."""

    code = "text_found_twice"


class BadOperation(BlockError):
    """The operation makes no sense."""

    code = "bad_operation"


class BadPatch(BadOperation):
    """The patch cannot be read, or does not fit."""

    code = "bad_patch"


class BadSections(BlockError):
    """The text of a typed block would not have its sections, each once."""

    code = "bad_sections"
