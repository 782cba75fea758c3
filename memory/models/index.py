"""The narrow table that retrieval reads, and what the embedder keeps beside it."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from pgvector.django import HalfVectorField

from memory.models.trust import Trust
from tenants.scoped import WorkspaceRow

MODEL_NAME_MAX = 64


class IndexEntry(WorkspaceRow):
    """The narrow table that retrieval reads; the text lies with its record.

    `container_id` is the conversation, archive or block that the record belongs to, `place` its position
    there.
    `length` counts the words of its own text, `digest` is the same for texts that read alike. `valid_from` is
    set where it is not the moment at which it occurred, `valid_to` when it is superseded; expiry is judged
    when it is read. `vector` was made by the embedding model `embedded_by`, which is empty until one has;
    `format` says how its lexemes were made, 0 being the way of the first release.
    """

    class Kind(models.TextChoices):
        MESSAGE = "message", _("message")
        PASSAGE = "passage", _("passage")
        SUMMARY = "summary", _("summary")
        SKILL = "skill", _("skill")
        BLOCK = "block", _("memory block")

    class State(models.TextChoices):
        CURRENT = "current", _("current")
        SUPERSEDED = "superseded", _("no longer current")
        ABANDONED = "abandoned", _("on a branch that was left")
        HIDDEN = "hidden", _("hidden")

    kind = models.CharField(max_length=16, choices=Kind.choices)
    record_id = models.UUIDField()
    container_id = models.UUIDField()
    place = models.BigIntegerField(null=True)
    role = models.CharField(max_length=16, blank=True, default="")
    speaker = models.CharField(max_length=120, blank=True, default="")
    occurred_at = models.DateTimeField()
    valid_from = models.DateTimeField(null=True)
    valid_to = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)
    state = models.CharField(max_length=16, choices=State.choices, default=State.CURRENT)
    trust = models.SmallIntegerField(choices=Trust.choices, default=Trust.TRUSTED)
    importance = models.FloatField(default=0.5)
    access_count = models.PositiveIntegerField(default=0)
    accessed_at = models.DateTimeField(null=True)
    tags = ArrayField(models.CharField(max_length=64), default=list)
    length = models.PositiveIntegerField(default=0)
    digest = models.CharField(max_length=32, blank=True, default="")
    lexemes = SearchVectorField()
    format = models.PositiveSmallIntegerField(default=0)
    vector = HalfVectorField(null=True)
    embedded_by = models.CharField(max_length=MODEL_NAME_MAX, blank=True, default="")

    class Meta(WorkspaceRow.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "kind", "record_id"], name="index_one_per_record")
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["tenant", "workspace", "kind", "container_id", "-occurred_at"], name="index_narrow"
            ),
            models.Index(fields=["embedded_by", "tenant", "workspace"], name="index_by_model"),
            models.Index(
                fields=["tenant", "container_id", "digest"],
                condition=models.Q(kind="passage", state="current"),
                name="index_known",
            ),
            GinIndex(fields=["workspace", "lexemes"], name="index_lexemes", gin_pending_list_limit=256),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.record_id}"


class EmbeddingModel(models.Model):
    """A model that makes vectors, known to the whole site. `name` stands in every row that it embedded.

    The built-in one has no address. One at a time is current; rows of the others serve until they are
    embedded again.
    """

    name = models.CharField(max_length=MODEL_NAME_MAX, unique=True)
    base_url = models.URLField(max_length=500, blank=True, default="")
    remote_name = models.CharField(max_length=200, blank=True, default="")
    key_encrypted = models.BinaryField(default=b"")
    dimensions = models.PositiveIntegerField()
    tokens_max = models.PositiveIntegerField(default=512)
    query_prefix = models.CharField(max_length=200, blank=True, default="")
    passage_prefix = models.CharField(max_length=200, blank=True, default="")
    is_current = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["is_current"], condition=models.Q(is_current=True), name="embedding_one_current"
            )
        ]

    def __str__(self) -> str:
        return self.name


class Embedding(WorkspaceRow):
    """The vector of one text by one model: the same text is not embedded twice in a workspace."""

    model = models.CharField(max_length=MODEL_NAME_MAX)
    digest = models.CharField(max_length=64)
    vector = HalfVectorField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(WorkspaceRow.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["tenant", "workspace", "model", "digest"], name="embedding_once_per_text"
            )
        ]

    def __str__(self) -> str:
        return f"{self.model} {self.digest[:8]}"
