"""The API's schema: what every route may refuse, written once."""

from __future__ import annotations

from typing import Any

from memsite.errors import PROBLEM

PROBLEM_SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "Why a request was refused (RFC 9457); nothing changed. A 409 on a block also holds "
    "`base`, `theirs`, `mine`, `version`, and `merged` where nobody has to choose; a 422 holds numbers, such "
    "as `limit`, `room` and `over`; a 500 holds the `reference` that stands in the log.",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "A sentence for people."},
        "code": {"type": "string", "description": "A word for programs."},
        "errors": {
            "type": "object",
            "additionalProperties": {},
            "description": "Each wrong field, with sentences.",
        },
    },
    "required": ["type", "title", "status", "detail"],
    "additionalProperties": {},
}


def add_problems(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Hook of drf-spectacular: every operation may answer a problem."""
    result["components"]["schemas"]["Problem"] = PROBLEM_SCHEMA
    refused = {
        "description": "Refused; nothing changed.",
        "content": {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for operations in result["paths"].values():
        for operation in operations.values():
            operation["responses"].setdefault("default", refused)
    _drop_marks(result)
    return result


def _drop_marks(node: Any) -> None:
    """What drf-spectacular leaves for another hook of its own."""
    for part in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        _drop_marks(part)
    if isinstance(node, dict):
        node.pop("x-spec-enum-id", None)
