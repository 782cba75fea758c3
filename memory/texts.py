"""What PostgreSQL cannot hold in a text, and what is done about it."""

from __future__ import annotations

import json
import re

# NUL, and halves of surrogate pairs that stand alone.
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def storable(text: str) -> str:
    """The text with U+FFFD in the place of what cannot be stored; for the words of a model.

    What people and programs send is refused instead, at the doors: nothing of theirs changes silently.
    """
    return UNSTORABLE.sub("\ufffd", text)


def storable_json(text: str) -> str:
    """JSON text whose strings hold nothing that cannot be stored or shown, escapes included.

    What is not JSON is cleaned as the plain text that it is.
    """
    if "\\u" not in text:
        return storable(text)
    try:
        return storable(json.dumps(json.loads(text), ensure_ascii=False))
    except (ValueError, RecursionError):
        return storable(text)
