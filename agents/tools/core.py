"""Tools that write core memory. Each is one operation on one block, found by its label.

What becomes of it, a change, a proposal or a refusal, is said by `memory.governance`, through `core.operate`.
"""

from __future__ import annotations

from typing import Any

from agents.core_memory import CoreBlock, blocks_in_view
from agents.tools.base import ToolContext, ToolError, shortly, tool
from memory import core, measure
from memory.models import Proposal
from memory.operations import Append, BlockError, Insert, Operation, Patch, Replace, Rethink

PROPOSED = (
    "Not saved: this block changes only with a person's yes, so your change waits as a proposal. Tell the "
    "person that it is proposed. You will hear what became of it; do not propose it again."
)
UNTRUSTED = (
    "Not saved: text from a document was read in this chat, so whatever you write to core memory here "
    "waits as a proposal for a person's yes. Tell the person so. You will hear what became of it."
)


@tool
def core_memory_append(context: ToolContext, label: str, content: str, reason: str = "") -> dict[str, Any]:
    """Add a line at the end of a core memory block.

    Args:
        label: The block's label.
        content: The line to add.
        reason: Why, for whoever decides on a proposal.
    """
    return _write(context, label, Append(content), reason)


@tool
def core_memory_replace(
    context: ToolContext, label: str, old_content: str, new_content: str, reason: str = ""
) -> dict[str, Any]:
    """Replace a text in a core memory block; the way to correct or remove a line.

    Args:
        label: The block's label.
        old_content: The exact text that stands there now, exactly once.
        new_content: What to put in its place; empty removes it.
        reason: Why, for whoever decides on a proposal.
    """
    return _write(context, label, Replace(old_content, new_content), reason)


@tool
def memory_insert(
    context: ToolContext, label: str, new_string: str, insert_line: int = -1, reason: str = ""
) -> dict[str, Any]:
    """Insert text at a line of a core memory block.

    Args:
        label: The block's label.
        new_string: The text to insert.
        insert_line: Insert after this line; 0 is the top, -1 the end.
        reason: Why, for whoever decides on a proposal.
    """
    return _write(context, label, Insert(new_string, insert_line), reason)


@tool
def memory_replace(
    context: ToolContext, label: str, old_string: str, new_string: str, reason: str = ""
) -> dict[str, Any]:
    """The same as core_memory_replace.

    Args:
        label: The block's label.
        old_string: Its old_content.
        new_string: Its new_content.
        reason: Why, for whoever decides on a proposal.
    """
    return _write(context, label, Replace(old_string, new_string), reason)


@tool
def memory_rethink(context: ToolContext, label: str, new_memory: str, reason: str = "") -> dict[str, Any]:
    """Rewrite a whole core memory block, to condense or reorder it.

    Args:
        label: The block's label.
        new_memory: The whole new text.
        reason: Why, for whoever decides on a proposal.
    """
    return _write(context, label, Rethink(new_memory), reason)


@tool
def memory_apply_patch(context: ToolContext, label: str, patch: str, reason: str = "") -> dict[str, Any]:
    """Change several places of a core memory block at once; all of the patch fits, or nothing changes.

    Args:
        label: The block's label.
        patch: Lines as in a unified diff: a space before what stays, - before what goes, + before what comes.
        reason: Why, for whoever decides on a proposal.
    """
    return _write(context, label, Patch(patch), reason)


@tool
def memory_finish_edits(context: ToolContext) -> dict[str, Any]:
    """Say that you are done with changing memory. Speak to the person next."""
    return {"status": "ok"}


def _write(context: ToolContext, label: str, operation: Operation, reason: str) -> dict[str, Any]:
    block = _find(context, label)
    origin = context.origin(block.override)
    try:
        made = core.operate(
            block.block_id,
            operation,
            actor=context.actor,
            source=context.source(block.workspace_id),
            origin=origin,
            reason=reason.strip(),
        )
    except BlockError as error:
        raise ToolError(str(error), code=error.code, **error.facts) from None
    context.written.append(made)
    if isinstance(made, Proposal):
        why = UNTRUSTED if origin.is_untrusted else PROPOSED
        return {"status": "proposed", "label": label, "proposal": str(made.id), "message": why}
    used = measure.length(made.value, block.unit)
    answer = {"status": "ok", "label": label, "version": made.number}
    return answer | {"used": used, "limit": block.limit, "unit": block.unit}


def _find(context: ToolContext, label: str) -> CoreBlock:
    """The block of that label which this turn sees. Nobody writes from here to one that is lent."""
    turn, home = context.turn, context.conversation.workspace_id
    in_view = blocks_in_view(context.agent, turn.user_id, home, turn.reach)
    seen = {block.label: block for block in in_view}
    block = seen.get(label)
    if block is None:
        raise ToolError(f"There is no block {shortly(label)!r} in your core memory.", labels=sorted(seen))
    if block.is_lent:
        raise ToolError(
            "This block is the person's own. It is only shown in this chat, which others read: it is "
            "changed in a chat of their own.",
            code="read_only",
            label=label,
        )
    return block
