"""The narrow table that retrieval reads."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.utils.translation import gettext_lazy as _

from tenants.scoped import WorkspaceRow


class IndexEntry(WorkspaceRow):
    """The narrow table that retrieval reads; the text lies with its record."""

    class Kind(models.TextChoices):
        MESSAGE = "message", _("message")
        PASSAGE = "passage", _("passage")
        SUMMARY = "summary", _("summary")

    class State(models.TextChoices):
        CURRENT = "current", _("current")
        SUPERSEDED = "superseded", _("no longer current")
        HIDDEN = "hidden", _("hidden")

    kind = models.CharField(max_length=16, choices=Kind.choices)
    record_id = models.UUIDField()
    container_id = models.UUIDField()
    role = models.CharField(max_length=16, blank=True, default="")
    occurred_at = models.DateTimeField()
    state = models.CharField(max_length=16, choices=State.choices, default=State.CURRENT)
    tags = ArrayField(models.CharField(max_length=64), default=list)
    lexemes = SearchVectorField()

    class Meta(WorkspaceRow.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "kind", "record_id"], name="index_one_per_record")
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["tenant", "workspace", "kind", "container_id", "-occurred_at"], name="index_narrow"
            ),
            GinIndex(fields=["lexemes"], name="index_lexemes"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.record_id}"
