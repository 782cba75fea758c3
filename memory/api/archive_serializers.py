"""What of archives, passages, documents and skills stands in answers."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from memory.api.serializers import ActorSerializer, SourceSerializer
from memory.documents.faults import SENTENCES
from memory.models import Document, Source, Trust

_MOMENT = serializers.DateTimeField()
TRUSTS = {level.value: level.name.lower() for level in Trust}


def at(moment: Any) -> str | None:
    """A moment as every answer has it."""
    return None if moment is None else str(_MOMENT.to_representation(moment))


def key(value: Any) -> str | None:
    """An id as every answer has it."""
    return None if value is None else str(value)


def trust_field(**options: Any) -> serializers.ChoiceField:
    """How far a text is trusted."""
    return serializers.ChoiceField(
        choices=list(TRUSTS.values()),
        help_text="By where it comes from: a person, an agent, a document.",
        **options,
    )


class ArchiveSerializer(serializers.Serializer[Any]):
    """A named collection of passages and documents."""

    id = serializers.UUIDField()
    workspace = serializers.UUIDField(source="workspace_id")
    name = serializers.CharField()
    description = serializers.CharField()
    created_at = serializers.DateTimeField()
    retired_at = serializers.DateTimeField(
        allow_null=True, help_text="When it was deleted; it can come back."
    )


def source_of(source: Source | None) -> dict[str, Any] | None:
    """A source, as the serializer has it."""
    if source is None:
        return None
    return {
        "id": str(source.id),
        "kind": source.kind,
        "reference": source.reference,
        "title": source.title,
    }


class PassageSerializer(serializers.Serializer[Any]):
    """A passage. A correction is another one, with the next version, that supersedes it."""

    id = serializers.UUIDField()
    workspace = serializers.UUIDField()
    archive = serializers.UUIDField()
    content = serializers.CharField()
    tags = serializers.ListField(child=serializers.CharField())
    importance = serializers.FloatField()
    trust = trust_field()
    actor = ActorSerializer()
    source = SourceSerializer(allow_null=True)  # type: ignore[assignment]
    version = serializers.IntegerField()
    supersedes = serializers.UUIDField(allow_null=True)
    valid_from = serializers.DateTimeField()
    valid_to = serializers.DateTimeField(allow_null=True, help_text="Until when it was held to be true.")
    expires_at = serializers.DateTimeField(allow_null=True)
    occurred_at = serializers.DateTimeField()
    document = serializers.UUIDField(allow_null=True, help_text="The document that it is a part of.")
    place = serializers.IntegerField(allow_null=True, help_text="Its place among the document's parts.")
    page = serializers.IntegerField(allow_null=True)
    page_to = serializers.IntegerField(allow_null=True)
    start = serializers.IntegerField(allow_null=True, help_text="In characters of the document's text.")
    end = serializers.IntegerField(allow_null=True)
    headings = serializers.ListField(child=serializers.CharField())
    created_at = serializers.DateTimeField()
    retired_at = serializers.DateTimeField(
        allow_null=True, help_text="When it was deleted; it can come back."
    )
    is_current = serializers.BooleanField(
        help_text="Neither corrected nor deleted nor expired, nor part of a document that is."
    )

    def to_representation(self, passage: Any) -> dict[str, Any]:
        """What the fields say, by hand: programs send and list a thousand at a time."""
        return {
            "id": str(passage.id),
            "workspace": str(passage.workspace_id),
            "archive": str(passage.archive_id),
            "content": passage.content,
            "tags": passage.tags,
            "importance": passage.importance,
            "trust": TRUSTS[passage.trust],
            "actor": {"kind": passage.actor_kind, "id": key(passage.actor_id)},
            "source": source_of(passage.source),
            "version": passage.version,
            "supersedes": key(passage.supersedes_id),
            "valid_from": at(passage.valid_from),
            "valid_to": at(passage.valid_to),
            "expires_at": at(passage.expires_at),
            "occurred_at": at(passage.occurred_at),
            "document": key(passage.document_id),
            "place": passage.place,
            "page": passage.page,
            "page_to": passage.page_to,
            "start": passage.start,
            "end": passage.end,
            "headings": passage.headings,
            "created_at": at(passage.created_at),
            "retired_at": at(passage.retired_at),
            "is_current": passage.is_current,
        }


class FiledSerializer(PassageSerializer):
    """A passage that was sent to be filed."""

    known = serializers.BooleanField(help_text="The text was in the archive already: this is that passage.")

    def to_representation(self, passage: Any) -> dict[str, Any]:
        return super().to_representation(passage) | {"known": passage.is_known}


class FiledManySerializer(serializers.Serializer[Any]):
    """Passages that were sent to be filed, in their order."""

    passages = FiledSerializer(many=True)


class FaultSerializer(serializers.Serializer[Any]):
    """Why a document could not be read."""

    code = serializers.CharField()
    text = serializers.CharField(help_text="What can be done about it.")


class DocumentSerializer(serializers.Serializer[Any]):
    """A file that is read into passages. `done` of `total` are pages while it is read, then passages."""

    id = serializers.UUIDField()
    workspace = serializers.UUIDField(source="workspace_id")
    archive = serializers.UUIDField(source="archive_id")
    name = serializers.CharField()
    kind = serializers.CharField(help_text="What it was found to be, such as pdf or code: python.")
    media_type = serializers.CharField()
    size = serializers.IntegerField(help_text="In bytes.")
    digest = serializers.CharField(help_text="SHA-256 of its bytes.")
    trust = serializers.SerializerMethodField()
    status = serializers.ChoiceField(Document.Status.choices)
    done = serializers.IntegerField()
    total = serializers.IntegerField(help_text="0 while it is not known.")
    fault = serializers.SerializerMethodField()
    pages = serializers.IntegerField(allow_null=True)
    empty_pages = serializers.SerializerMethodField(
        help_text="Pages without text where others have some: pictures of pages, most often."
    )
    characters = serializers.IntegerField()
    tags = serializers.ListField(child=serializers.CharField())
    actor = ActorSerializer(source="*")
    version = serializers.IntegerField()
    supersedes = serializers.UUIDField(source="supersedes_id", allow_null=True)
    source = serializers.UUIDField(source="source_id", allow_null=True)  # type: ignore[assignment]
    conversation = serializers.UUIDField(source="conversation_id", allow_null=True)
    known = serializers.BooleanField(
        source="is_known", help_text="Of an upload: these bytes were in the archive already."
    )
    created_at = serializers.DateTimeField()
    ready_at = serializers.DateTimeField(allow_null=True)
    retired_at = serializers.DateTimeField(
        allow_null=True, help_text="When it was deleted; it can come back."
    )

    @extend_schema_field(trust_field())
    def get_trust(self, document: Any) -> str:
        return TRUSTS[document.trust]

    def get_empty_pages(self, document: Any) -> int:
        return int(document.fault_facts.get("empty_pages", 0))

    @extend_schema_field(FaultSerializer(allow_null=True))
    def get_fault(self, document: Any) -> Any:
        if not document.fault:
            return None
        return {"code": document.fault, "text": SENTENCES.get(document.fault, "It could not be read.")}


class SkillSerializer(serializers.Serializer[Any]):
    """A skill: how something is done, in words. `version` is also the ETag of its address."""

    id = serializers.UUIDField()
    workspace = serializers.UUIDField(source="workspace_id")
    name = serializers.CharField()
    description = serializers.CharField()
    content = serializers.CharField()
    version = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    retired_at = serializers.DateTimeField(
        allow_null=True, help_text="When it was deleted; it can come back."
    )


class SkillVersionSerializer(serializers.Serializer[Any]):
    """One state of a skill."""

    id = serializers.UUIDField()
    number = serializers.IntegerField()
    name = serializers.CharField()
    description = serializers.CharField()
    content = serializers.CharField()
    actor = ActorSerializer(source="*")
    valid_from = serializers.DateTimeField()
    supersedes = serializers.UUIDField(source="supersedes_id", allow_null=True)
