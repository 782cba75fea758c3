"""Documents: files that were read and cut into passages."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memory.actors import ActorKind
from memory.models.archival import Archive
from memory.models.sources import Source
from memory.models.trust import Trust
from tenants.fields import ScopedForeignKey
from tenants.scoped import WorkspaceRow


class Document(WorkspaceRow):
    """A file in an archive. What it says is quoted to models and never obeyed: `trust` is stored with it.

    `digest` is the SHA-256 of its bytes. A file that is read again supersedes the one before it. The work on
    it is claimed by a lease, as a turn is; `attempt_base` is the attempt before a person asked for it last.
    `tags` go to its passages. `done` of `total` are pages, then passages, by `status`. `fault` is
    the code of an UnreadableDocument. `fault_facts` are its facts; of a document that was read, those of what
    could not be: `empty_pages`, how many pages hold no text.
    """

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting")
        READING = "reading", _("being read")
        FILING = "filing", _("being filed")
        READY = "ready", _("ready")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    archive = ScopedForeignKey(Archive, models.CASCADE, related_name="documents")
    name = models.CharField(_("name"), max_length=255)
    kind = models.CharField(max_length=32, blank=True, default="")
    media_type = models.CharField(max_length=127, blank=True, default="")
    size = models.PositiveBigIntegerField(default=0)
    digest = models.CharField(max_length=64)
    trust = models.SmallIntegerField(choices=Trust.choices, default=Trust.UNTRUSTED)
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.WAITING)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    fault = models.CharField(max_length=32, blank=True, default="")
    fault_facts = models.JSONField(default=dict)
    pages = models.PositiveIntegerField(null=True)
    characters = models.PositiveIntegerField(default=0)
    version = models.PositiveIntegerField(default=1)
    supersedes = ScopedForeignKey("self", models.PROTECT, null=True, related_name="+")
    source = ScopedForeignKey(Source, models.PROTECT, null=True, related_name="+")
    actor_kind = models.CharField(max_length=16, choices=ActorKind.choices)
    actor_id = models.UUIDField(null=True)
    conversation_id = models.UUIDField(null=True)
    message_id = models.UUIDField(null=True)
    tags = ArrayField(models.CharField(max_length=64), default=list)
    attempt = models.PositiveIntegerField(default=0)
    attempt_base = models.PositiveIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=timezone.now)
    ready_at = models.DateTimeField(null=True)
    retired_at = models.DateTimeField(null=True)

    # Whether an upload found it there already; not stored.
    is_known = False

    class Meta(WorkspaceRow.Meta):
        indexes: ClassVar = [
            models.Index(fields=["tenant", "archive", "-created_at"], name="document_by_archive"),
            models.Index(fields=["tenant", "workspace", "digest"], name="document_by_digest"),
            models.Index(
                fields=["tenant", "conversation_id"],
                condition=models.Q(conversation_id__isnull=False),
                name="document_by_conversation",
            ),
            models.Index(
                fields=["created_at"],
                condition=models.Q(status__in=["waiting", "reading", "filing"]),
                name="document_unfinished",
            ),
        ]

    @property
    def is_unfinished(self) -> bool:
        """Whether a worker has it, or is to have it."""
        return self.status in {self.Status.WAITING, self.Status.READING, self.Status.FILING}

    @property
    def is_in_use(self) -> bool:
        """Whether what it says can be found: it was read, and is not deleted."""
        return self.status == self.Status.READY and self.retired_at is None

    def __str__(self) -> str:
        return self.name


class DocumentFile(WorkspaceRow):
    """The bytes of a document as they were uploaded, and the text that was read out of them."""

    document = ScopedForeignKey(Document, models.CASCADE, related_name="files")
    data = models.BinaryField()
    text = models.TextField(blank=True, default="")

    class Meta(WorkspaceRow.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "document"], name="file_once_per_document")
        ]

    def __str__(self) -> str:
        return str(self.document_id)
