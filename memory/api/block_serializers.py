"""What of blocks, their versions and proposals stands in answers."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from memory import measure
from memory.api.archive_serializers import TRUSTS, trust_field
from memory.api.serializers import ActorSerializer, SourceSerializer
from memory.models import Block, BlockVersion, Proposal
from memory.web import diff

_MOMENT = serializers.DateTimeField()


def _at(moment: datetime | None) -> str | None:
    """A moment as every answer has it."""
    return None if moment is None else str(_MOMENT.to_representation(moment))


class SectionSerializer(serializers.Serializer[Any]):
    """A section of a typed block."""

    name = serializers.CharField()
    description = serializers.CharField(default="")


class BlockSerializer(serializers.Serializer[Any]):
    """A core memory block. `version` is also the ETag of its address."""

    id = serializers.UUIDField()
    workspace = serializers.UUIDField(source="workspace_id")
    label = serializers.CharField()  # type: ignore[assignment]
    description = serializers.CharField()
    value = serializers.CharField()
    used = serializers.SerializerMethodField(help_text="How much of the limit the value fills.")
    limit = serializers.IntegerField(help_text="How much the value may fill, in the unit.")
    unit = serializers.ChoiceField(Block.Unit.choices)
    governance = serializers.ChoiceField(
        Block.Governance.choices, help_text="What agents may do: write, propose, or only read."
    )
    sections = SectionSerializer(many=True, help_text="Of a typed block; a free text has none.")
    version = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    retired_at = serializers.DateTimeField(
        allow_null=True, help_text="When it was deleted; it can come back."
    )

    def get_used(self, block: Any) -> int:
        return measure.used(block)

    def to_representation(self, block: Any) -> dict[str, Any]:
        """What the fields say, by hand: programs list blocks all the time, and this takes a tenth of that."""
        return {
            "id": str(block.id),
            "workspace": str(block.workspace_id),
            "label": block.label,
            "description": block.description,
            "value": block.value,
            "used": measure.used(block),
            "limit": block.limit,
            "unit": block.unit,
            "governance": block.governance,
            "sections": [
                {"name": each["name"], "description": each.get("description", "")} for each in block.sections
            ],
            "version": block.version,
            "created_at": _at(block.created_at),
            "updated_at": _at(block.updated_at),
            "retired_at": _at(block.retired_at),
        }


class VersionSerializer(serializers.Serializer[Any]):
    """One state of a block: what was done, by whom, and what it read like then."""

    id = serializers.UUIDField()
    number = serializers.IntegerField()
    operation = serializers.ChoiceField(choices=BlockVersion.Operation.choices)
    value = serializers.CharField()
    actor = ActorSerializer(source="*")
    source = SourceSerializer(allow_null=True)  # type: ignore[assignment]
    valid_from = serializers.DateTimeField()
    supersedes = serializers.UUIDField(source="supersedes_id", allow_null=True)
    proposal = serializers.UUIDField(source="proposal_id", allow_null=True)
    approved_by = serializers.UUIDField(allow_null=True, help_text="Who allowed what another proposed.")
    erased_at = serializers.DateTimeField(allow_null=True)


class RunSerializer(serializers.Serializer[Any]):
    """A stretch of text that stayed, came or went."""

    kind = serializers.ChoiceField([diff.SAME, diff.INSERTED, diff.DELETED])
    text = serializers.CharField()


class DiffSerializer(serializers.Serializer[Any]):
    """What changed from one version to another, word by word."""

    a = serializers.IntegerField(help_text="0 is the empty block.")
    b = serializers.IntegerField()
    runs = RunSerializer(many=True)


class LineSerializer(serializers.Serializer[Any]):
    """A line of a block, and with which version it came. Lines older than 2,000 versions have none."""

    text = serializers.CharField()
    version = serializers.IntegerField(allow_null=True)
    actor = serializers.SerializerMethodField()
    who = serializers.CharField(help_text="A person's name.")
    source = SourceSerializer(allow_null=True)  # type: ignore[assignment]
    message = serializers.UUIDField(source="message_id", allow_null=True)
    approved_by = serializers.UUIDField(allow_null=True)
    at = serializers.DateTimeField(allow_null=True)

    def get_actor(self, line: Any) -> dict[str, Any] | None:
        return {"kind": line.actor.kind, "id": line.actor.id} if line.actor else None


class BlameSerializer(serializers.Serializer[Any]):
    """The lines of a block's newest version."""

    version = serializers.IntegerField()
    lines = LineSerializer(many=True)


class ProposalSerializer(serializers.Serializer[Any]):
    """A change that waits for an editor's yes, or what became of it."""

    id = serializers.UUIDField()
    workspace = serializers.UUIDField(source="workspace_id")
    block = serializers.UUIDField(source="block_id")
    label = serializers.CharField(source="block.label")  # type: ignore[assignment]
    base = serializers.IntegerField(source="base.number", help_text="The version that it was made on.")
    operation = serializers.ChoiceField(choices=BlockVersion.Operation.choices)
    arguments = serializers.DictField()
    value = serializers.CharField(help_text="What the block would read like, had it stayed at its base.")
    reason = serializers.CharField()
    actor = ActorSerializer(source="*")
    source = SourceSerializer(allow_null=True)  # type: ignore[assignment]
    asked_by = serializers.UUIDField(allow_null=True, help_text="In whose turn or request it was made.")
    conversation = serializers.UUIDField(source="conversation_id", allow_null=True)
    trust = serializers.SerializerMethodField()
    status = serializers.ChoiceField(Proposal.Status.choices)
    decided_by = serializers.UUIDField(allow_null=True)
    decided_at = serializers.DateTimeField(allow_null=True)
    note = serializers.CharField(help_text="Why it was rejected.")
    made = serializers.UUIDField(source="made_id", allow_null=True, help_text="The version that it became.")
    created_at = serializers.DateTimeField()

    @extend_schema_field(trust_field())
    def get_trust(self, proposal: Proposal) -> str:
        """That of the least trusted text which whoever proposed it had before them."""
        return TRUSTS[proposal.trust]


class PreviewSerializer(serializers.Serializer[Any]):
    """What approving would do now."""

    version = serializers.IntegerField(source="head.version", help_text="The block's version now.")
    base = serializers.CharField(source="base.value")
    theirs = serializers.CharField(source="head.value", help_text="What the block reads like now.")
    mine = serializers.CharField(source="proposed", help_text="What was proposed.")
    merged = serializers.CharField(
        source="merged.text", help_text="The text that approving makes; both sides where it is not clean."
    )
    is_clean = serializers.BooleanField()
    has_moved = serializers.BooleanField(help_text="Whether the block has changed since.")


class ProposalDetailSerializer(ProposalSerializer):
    """A proposal, and while it is open what approving would do."""

    preview = PreviewSerializer(allow_null=True)


class MovePreviewSerializer(serializers.Serializer[Any]):
    """What moving a block would show, and to whom."""

    versions = serializers.IntegerField(help_text="So many versions go along.")
    open_proposals = serializers.IntegerField()
    readers = serializers.ListField(child=serializers.CharField(), help_text="Who will read it.")
    no_longer = serializers.ListField(child=serializers.CharField(), help_text="Who will not any more.")
