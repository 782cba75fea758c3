"""How much of one request stands at the front of the next, byte for byte: looked at, not computed."""

from __future__ import annotations

import json
from typing import Any


def texts(request: Any) -> list[str]:
    """A request's parts in the order in which providers read them: the tools, then each message."""
    return [json.dumps(request["tools"]), *(json.dumps(each) for each in request["messages"])]


def shared_messages(before: Any, after: Any) -> int:
    """How many messages of the earlier request, its status left out, stand at the front of the later one."""
    count = 0
    for one, other in zip(before["messages"][:-1], after["messages"], strict=False):
        if json.dumps(one) != json.dumps(other):
            break
        count += 1
    return count


def extends(before: Any, after: Any) -> bool:
    """Whether all but the status of the earlier request stands at the front of the later one."""
    whole = len(before["messages"]) - 1
    return before["tools"] == after["tools"] and shared_messages(before, after) == whole
