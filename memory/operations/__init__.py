"""What can be done to a block's text, and why it is refused."""

from memory.operations.editing import Append, Insert, Replace, Rethink
from memory.operations.errors import (
    BadOperation,
    BadPatch,
    BadSections,
    BlockError,
    Deleted,
    LimitPassed,
    ReadOnly,
    TextFoundTwice,
    TextNotFound,
)
from memory.operations.patching import Patch
from memory.operations.sections import SetSection

Operation = Append | Replace | Insert | Rethink | Patch | SetSection
OPERATIONS: dict[str, type[Operation]] = {
    each.name: each for each in (Append, Replace, Insert, Rethink, Patch, SetSection)
}

__all__ = [
    "OPERATIONS",
    "Append",
    "BadOperation",
    "BadPatch",
    "BadSections",
    "BlockError",
    "Deleted",
    "Insert",
    "LimitPassed",
    "Operation",
    "Patch",
    "ReadOnly",
    "Replace",
    "Rethink",
    "SetSection",
    "TextFoundTwice",
    "TextNotFound",
]
