"""One request of the strangers' walk, and what is looked at in its answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

BOTH = ("Bob", "Charlie")
MESSAGE = {"content": "hello", "client_id": "walk"}


@dataclass(frozen=True)
class Ask:
    """One request. Strangers send it with Alice's values, but for the path's values that are named in `own`.

    Without an id of Alice's in it, the answer itself is looked at: hers shows `shows`, theirs does not.
    """

    query: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    path: Mapping[str, Any] = field(default_factory=dict)
    # The text of a file: then the body is a form, with the file in it.
    file: str = ""
    own: tuple[str, ...] = ()
    shows: str = ""
    strangers: tuple[str, ...] = BOTH
    refusal: int = 404


def shows(text: str, **options: Any) -> Ask:
    """A list of one's own: everybody gets one."""
    return Ask(shows=text, **options)
