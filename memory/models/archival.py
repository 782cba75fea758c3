"""Archival storage: archives and their passages."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memory.actors import ActorKind
from memory.models.sources import Source
from tenants.fields import ScopedForeignKey
from tenants.scoped import WorkspaceRow


class Archive(WorkspaceRow):
    """A named collection of passages."""

    name = models.CharField(_("name"), max_length=120)
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.name


class Passage(WorkspaceRow):
    """A text in archival storage, found again by search."""

    archive = ScopedForeignKey(Archive, models.CASCADE, related_name="passages")
    content = models.TextField()
    tags = ArrayField(models.CharField(max_length=64), default=list)
    actor_kind = models.CharField(max_length=16, choices=ActorKind.choices)
    actor_id = models.UUIDField(null=True)
    source = ScopedForeignKey(Source, models.PROTECT, null=True, related_name="+")
    version = models.PositiveIntegerField(default=1)
    valid_from = models.DateTimeField(default=timezone.now)
    supersedes = ScopedForeignKey("self", models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(WorkspaceRow.Meta):
        indexes: ClassVar = [
            models.Index(fields=["tenant", "archive", "-created_at"], name="passage_by_archive")
        ]

    def __str__(self) -> str:
        return self.content[:60]
