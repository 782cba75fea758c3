"""What requests about memory may say."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from memory.core import BlockFields
from memory.measure import LIMIT_MAX
from memory.models import Block, Proposal
from memory.operations import OPERATIONS, Operation
from memory.operations.sections import SECTIONS_MAX
from memory.proposals import NOTE_MAX
from memory.proposing import REASON_MAX
from tenants.api.bodies import Body
from tenants.api.fields import Id, Text, Whole
from tenants.api.pages import PageQuery

DESCRIPTION_MAX = 1_000
LABEL_MAX = 64
VERSION_MAX = 2**31 - 1


class SectionBody(Body):
    """A section of a typed block."""

    name = Text(max_length=64)
    description = Text(required=False, allow_blank=True, max_length=300)


class BlockSettings(Body):
    """What a block has; what is left out stays."""

    label = Text(required=False, max_length=LABEL_MAX)  # type: ignore[assignment]
    description = Text(required=False, allow_blank=True, max_length=DESCRIPTION_MAX)
    value = Text(required=False, allow_blank=True, max_length=LIMIT_MAX)
    limit = Whole(required=False, min_value=1, max_value=LIMIT_MAX)
    unit = serializers.ChoiceField(Block.Unit.choices, required=False)
    governance = serializers.ChoiceField(
        Block.Governance.choices,
        required=False,
        help_text="What agents may do: write, propose, or only read.",
    )
    sections = serializers.ListField(
        child=SectionBody(),
        required=False,
        max_length=SECTIONS_MAX,
        help_text="A typed block's value holds a line `## name` for each; an empty list makes it free.",
    )


def _reason() -> Text:
    return Text(
        required=False, allow_blank=True, max_length=REASON_MAX, help_text="Why; shown where it is proposed."
    )


class BlockChange(BlockSettings):
    """What a person changes on a block."""

    reason = _reason()


class BlockNew(BlockSettings):
    """A new block in an agent's core memory."""

    label = Text(max_length=LABEL_MAX)


def block_fields(said: dict[str, Any]) -> BlockFields:
    """Checked fields of a body, as the domain takes them."""
    return BlockFields(**{name: value for name, value in said.items() if name != "reason"})


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
    reason = _reason()


class ReplaceBody(Body):
    """Put a text in the place of another that stands in the block exactly once."""

    operation = _named("replace")
    old_content = Text(max_length=LIMIT_MAX)
    new_content = Text(allow_blank=True, max_length=LIMIT_MAX)
    reason = _reason()


class InsertBody(Body):
    """Insert lines after line number `line`; 0 is the top, -1 the end."""

    operation = _named("insert")
    content = Text(max_length=LIMIT_MAX)
    line = Whole(default=-1)
    reason = _reason()


class RethinkBody(Body):
    """Rewrite the whole block."""

    operation = _named("rethink")
    content = Text(allow_blank=True, max_length=LIMIT_MAX)
    reason = _reason()


class PatchBody(Body):
    """Apply a patch: a unified diff, or lines that begin with a space, - or +; each hunk fits once."""

    operation = _named("patch")
    patch = Text(max_length=2 * LIMIT_MAX)
    reason = _reason()


class SetSectionBody(Body):
    """Rewrite one section of a typed block."""

    operation = _named("section")
    section = Text(max_length=64)
    content = Text(allow_blank=True, max_length=LIMIT_MAX)
    reason = _reason()


BODIES: dict[str, type[Body]] = {
    "append": AppendBody,
    "replace": ReplaceBody,
    "insert": InsertBody,
    "rethink": RethinkBody,
    "patch": PatchBody,
    "section": SetSectionBody,
}
OPERATION_SCHEMA = PolymorphicProxySerializer(
    component_name="BlockOperation", serializers={**BODIES}, resource_type_field_name="operation"
)


def operation_of(data: Any) -> tuple[Operation, str]:
    """The operation that a body asks for, and why. Raises ValidationError."""
    if not isinstance(data, dict):
        raise ValidationError({"operation": ["Send one JSON object with an operation."]})
    name = data.get("operation")
    if not isinstance(name, str) or name not in BODIES:
        raise ValidationError({"operation": [f"One of {', '.join(BODIES)}."]})
    checked = BODIES[name](data=data)
    checked.is_valid(raise_exception=True)
    said = {key: value for key, value in checked.validated_data.items() if key != "operation"}
    reason = said.pop("reason", "")
    return OPERATIONS[name](**said), reason


class PlaceBody(Body):
    """The workspace to which a block goes."""

    workspace = Id()


class ProposalsQuery(PageQuery):
    """Which proposals to list."""

    workspace = Id(required=False)
    block = Id(required=False)
    status = serializers.ChoiceField(Proposal.Status.choices, default=Proposal.Status.OPEN.value)


class Approval(Body):
    """A yes, to the proposal as it is or to another text in its place."""

    value = Text(required=False, allow_blank=True, max_length=LIMIT_MAX, help_text="The text that you want.")
    version = Whole(
        required=False,
        min_value=1,
        max_value=VERSION_MAX,
        help_text="The block's version that you saw; refused where there is a newer one.",
    )


class Rejection(Body):
    """A no, and why."""

    note = Text(required=False, allow_blank=True, max_length=NOTE_MAX, help_text="Told to the proposer.")
