"""Archival storage: archives and their passages."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memory.actors import ActorKind
from memory.models.sources import Source
from memory.models.trust import Trust
from tenants.fields import ScopedForeignKey
from tenants.scoped import WorkspaceRow


class Archive(WorkspaceRow):
    """A named collection of passages and of the documents that some of them are parts of."""

    name = models.CharField(_("name"), max_length=120)
    description = models.CharField(_("description"), max_length=1000, blank=True, default="")
    created_at = models.DateTimeField(default=timezone.now)
    retired_at = models.DateTimeField(null=True, blank=True)

    class Meta(WorkspaceRow.Meta):
        indexes: ClassVar = [
            models.Index(fields=["tenant", "workspace", "name"], name="archive_by_workspace")
        ]

    def __str__(self) -> str:
        return self.name


class Passage(WorkspaceRow):
    """A text in archival storage, found again by search.

    Text is never changed in place: a correction is a new row that supersedes the one before, whose
    `valid_to` says until when it was held to be true. A part of a document says where it stands in it:
    pages, offsets into the document's text (in characters), the headings above it, its `place` among the
    parts.
    """

    archive = ScopedForeignKey(Archive, models.CASCADE, related_name="passages")
    content = models.TextField(_("text"))
    tags = ArrayField(models.CharField(max_length=64), default=list)
    importance = models.FloatField(_("importance"), default=0.5)
    trust = models.SmallIntegerField(choices=Trust.choices, default=Trust.TRUSTED)
    actor_kind = models.CharField(max_length=16, choices=ActorKind.choices)
    actor_id = models.UUIDField(null=True)
    source = ScopedForeignKey(Source, models.PROTECT, null=True, related_name="+")
    version = models.PositiveIntegerField(default=1)
    valid_from = models.DateTimeField(default=timezone.now)
    valid_to = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)
    supersedes = ScopedForeignKey("self", models.PROTECT, null=True, related_name="+")
    document: Any = ScopedForeignKey("Document", models.CASCADE, null=True, related_name="passages")
    place = models.PositiveIntegerField(null=True)
    page = models.PositiveIntegerField(null=True)
    page_to = models.PositiveIntegerField(null=True)
    start = models.PositiveIntegerField(null=True)
    end = models.PositiveIntegerField(null=True)
    headings = ArrayField(models.CharField(max_length=300), default=list)
    occurred_at = models.DateTimeField(default=timezone.now)
    created_at = models.DateTimeField(default=timezone.now)
    retired_at = models.DateTimeField(null=True)

    # Whether an insertion found it there already, and added tags to it; not stored.
    is_known = False
    has_new_tags = False

    class Meta(WorkspaceRow.Meta):
        indexes: ClassVar = [
            models.Index(fields=["tenant", "archive", "-created_at"], name="passage_by_archive"),
            models.Index(
                fields=["tenant", "document", "place"],
                condition=models.Q(document__isnull=False),
                name="passage_by_document",
            ),
        ]

    @property
    def is_current(self) -> bool:
        """Whether it stands, by itself, with its archive and with its document; see `standing`."""
        expired = self.expires_at is not None and self.expires_at <= timezone.now()
        is_kept = self.retired_at is None and self.archive.retired_at is None
        is_in_use = self.document is None or self.document.is_in_use
        return self.valid_to is None and is_kept and is_in_use and not expired

    @staticmethod
    def standing() -> models.Q:
        """The condition on passages that stand: kept, and neither corrected nor replaced."""
        return models.Q(valid_to=None) & Passage.kept()

    @staticmethod
    def kept() -> models.Q:
        """The condition on passages that search finds, as what stands or as what was: neither deleted, nor
        expired, nor part of a document that is not read or is deleted."""
        is_in_use = models.Q(document__status="ready", document__retired_at=None)
        return (
            models.Q(retired_at=None, archive__retired_at=None)
            & (models.Q(expires_at=None) | models.Q(expires_at__gt=timezone.now()))
            & (models.Q(document=None) | is_in_use)
        )

    def __str__(self) -> str:
        return self.content[:60]
