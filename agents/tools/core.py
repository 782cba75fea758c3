"""Tools that write core memory. Each is one operation on one block, found by its label."""

from __future__ import annotations

from typing import Any

from agents import blocks
from agents.tools.base import ToolContext, ToolError, shortly, tool
from memory import core
from memory.models import Block
from memory.operations import Append, BlockError, Insert, Operation, Replace, Rethink


@tool
def core_memory_append(context: ToolContext, label: str, content: str) -> dict[str, Any]:
    """Add a line at the end of a core memory block.

    Args:
        label: The block's label.
        content: The line to add.
    """
    return _write(context, label, Append(content))


@tool
def core_memory_replace(
    context: ToolContext, label: str, old_content: str, new_content: str
) -> dict[str, Any]:
    """Replace a text in a core memory block; the way to correct or remove a line.

    Args:
        label: The block's label.
        old_content: The exact text that stands there now, exactly once.
        new_content: What to put in its place; empty removes it.
    """
    return _write(context, label, Replace(old_content, new_content))


@tool
def memory_insert(context: ToolContext, label: str, new_string: str, insert_line: int = -1) -> dict[str, Any]:
    """Insert text at a line of a core memory block.

    Args:
        label: The block's label.
        new_string: The text to insert.
        insert_line: Insert after this line; 0 is the top, -1 the end.
    """
    return _write(context, label, Insert(new_string, insert_line))


@tool
def memory_replace(context: ToolContext, label: str, old_string: str, new_string: str) -> dict[str, Any]:
    """Replace a text in a core memory block (the same as core_memory_replace).

    Args:
        label: The block's label.
        old_string: The exact text that stands there now, exactly once.
        new_string: What to put in its place; empty removes it.
    """
    return _write(context, label, Replace(old_string, new_string))


@tool
def memory_rethink(context: ToolContext, label: str, new_memory: str) -> dict[str, Any]:
    """Rewrite a whole core memory block, to condense or reorder it.

    Args:
        label: The block's label.
        new_memory: The whole new text.
    """
    return _write(context, label, Rethink(new_memory))


def _write(context: ToolContext, label: str, operation: Operation) -> dict[str, Any]:
    block = _find(context, label)
    try:
        version = core.operate(block.id, operation, actor=context.actor, source=context.source())
    except BlockError as error:
        raise ToolError(str(error), code=error.code, **error.facts) from None
    context.written.append(version)
    used = len(version.value)
    return {"status": "ok", "label": label, "version": version.number, "used": used, "limit": block.limit}


def _find(context: ToolContext, label: str) -> Block:
    """The block of that label which this turn sees. What is wider than the conversation is not written."""
    seen = {block.label: block for block in blocks.blocks_in_view(context.agent, context.turn.user_id)}
    block = seen.get(label)
    if block is None:
        raise ToolError(f"There is no block {shortly(label)!r} in your core memory.", labels=sorted(seen))
    if block.workspace_id != context.conversation.workspace_id:
        raise ToolError(
            "This block is shared with more people than this conversation: only a person can change it.",
            code="wider_than_conversation",
            label=label,
        )
    return block
