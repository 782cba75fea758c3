"""The tool by which an agent speaks."""

from __future__ import annotations

from typing import Any

from agents.tools.base import ToolContext, ToolError, tool

SEND_MESSAGE = "send_message"


@tool
def send_message(context: ToolContext, message: str) -> dict[str, Any]:
    """Speak to the person. This ends your turn.

    Args:
        message: What you say, as Markdown, in the person's language.
    """
    if not message.strip():
        raise ToolError("The message is empty. Say something.")
    return {"status": "ok"}
