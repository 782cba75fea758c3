"""What requests about memory may say."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from memory.core import LIMIT_MAX, BlockFields
from memory.models import IndexEntry
from memory.operations import Append, Insert, Operation, Replace, Rethink
from memory.retrieval import LIMIT_MAX as HITS_MAX
from tenants.api.bodies import Body
from tenants.api.fields import Flag, Id, Number, Text, Whole, Words
from tenants.api.pages import cursor_field

DESCRIPTION_MAX = 1_000
LABEL_MAX = 64


class BlockChange(Body):
    """What a person changes on a block; what is left out stays."""

    label = Text(required=False, max_length=LABEL_MAX)  # type: ignore[assignment]
    description = Text(required=False, allow_blank=True, max_length=DESCRIPTION_MAX)
    value = Text(required=False, allow_blank=True, max_length=LIMIT_MAX)
    limit = Whole(required=False, min_value=1, max_value=LIMIT_MAX)
    read_only = Flag(required=False)  # type: ignore[assignment]


class BlockNew(BlockChange):
    """A new block in an agent's core memory."""

    label = Text(max_length=LABEL_MAX)


def block_fields(said: dict[str, Any]) -> BlockFields:
    """Checked fields of a body, as the domain takes them."""
    return BlockFields(**said)


def _named(name: str) -> Any:
    """The field that names an operation, with its one value in the schema."""

    @extend_schema_field({"type": "string", "enum": [name]})
    class Named(Text):
        pass

    return Named()


class AppendBody(Body):
    """Add a line at the end."""

    operation = _named("append")
    content = Text(max_length=LIMIT_MAX)


class ReplaceBody(Body):
    """Put a text in the place of another that stands in the block exactly once."""

    operation = _named("replace")
    old_content = Text(max_length=LIMIT_MAX)
    new_content = Text(allow_blank=True, max_length=LIMIT_MAX)


class InsertBody(Body):
    """Insert lines after line number `line`; 0 is the top, -1 the end."""

    operation = _named("insert")
    content = Text(max_length=LIMIT_MAX)
    line = Whole(default=-1)


class RethinkBody(Body):
    """Rewrite the whole block."""

    operation = _named("rethink")
    content = Text(allow_blank=True, max_length=LIMIT_MAX)


OPERATIONS: dict[str, tuple[type[Body], type[Operation]]] = {
    "append": (AppendBody, Append),
    "replace": (ReplaceBody, Replace),
    "insert": (InsertBody, Insert),
    "rethink": (RethinkBody, Rethink),
}
OPERATION_SCHEMA = PolymorphicProxySerializer(
    component_name="BlockOperation",
    serializers={name: body for name, (body, _) in OPERATIONS.items()},
    resource_type_field_name="operation",
)


def operation_of(data: Any) -> Operation:
    """The operation that a body asks for. Raises ValidationError."""
    if not isinstance(data, dict):
        raise ValidationError({"operation": ["Send one JSON object with an operation."]})
    name = data.get("operation")
    if not isinstance(name, str) or name not in OPERATIONS:
        raise ValidationError({"operation": [f"One of {', '.join(OPERATIONS)}."]})
    body, operation = OPERATIONS[name]
    checked = body(data=data)
    checked.is_valid(raise_exception=True)
    return operation(**{key: value for key, value in checked.validated_data.items() if key != "operation"})


class SearchQuery(Body):
    """What to look for."""

    q = Words(help_text="Words, in any language; any of them finds.")
    kind = serializers.ChoiceField(
        choices=[IndexEntry.Kind.MESSAGE.value, IndexEntry.Kind.PASSAGE.value], required=False
    )
    conversation = Id(required=False, help_text="Only messages of this conversation.")
    limit = Number(min_value=1, max_value=HITS_MAX, default=20)
    cursor = cursor_field()
