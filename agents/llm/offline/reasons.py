"""Why a change is proposed, for whoever decides: never more than that somebody said it, and who."""

from __future__ import annotations

from dataclasses import replace

from agents.llm.offline.acts import Do
from agents.llm.offline.prompt import Prompt

_SAID = ("{} said so in a chat.", "{}在会话里这样说。")
_SOMEBODY = ("The person", "用户")


def with_reasons(prompt: Prompt, calls: list[Do], *, chinese: bool) -> list[Do]:
    """The calls, each with a reason where it writes to a block that takes only proposals."""
    name = prompt.speaker or _SOMEBODY[chinese]
    reason = _SAID[chinese].format(f"{name} " if chinese and name[-1].isascii() else name)
    proposing = {block.label for block in prompt.blocks if block.proposes}
    return [
        replace(call, arguments=call.arguments | {"reason": reason})
        if call.arguments.get("label") in proposing
        else call
        for call in calls
    ]
