"""Where remembered things come from, and what was made of what."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tenants.scoped import WorkspaceRow


class Source(WorkspaceRow):
    """Where a remembered thing comes from: what every `source_id` points to."""

    class Kind(models.TextChoices):
        MESSAGE = "message", _("message")
        DOCUMENT = "document", _("document")
        URL = "url", _("web page")
        API = "api", _("API client")
        IMPORT = "import", _("import")
        PERSON = "person", _("person")

    kind = models.CharField(max_length=16, choices=Kind.choices)
    reference = models.CharField(max_length=512)
    title = models.CharField(max_length=300, blank=True, default="")
    occurred_at = models.DateTimeField(default=timezone.now)

    class Meta(WorkspaceRow.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["tenant", "workspace", "kind", "reference"], name="source_once_per_reference"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.title or self.reference}"


class Derivation(WorkspaceRow):
    """Parent to child between remembered things, whatever their kinds: forgetting follows these."""

    parent_kind = models.CharField(max_length=24)
    parent_id = models.UUIDField()
    child_kind = models.CharField(max_length=24)
    child_id = models.UUIDField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(WorkspaceRow.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["tenant", "parent_id", "child_id"], name="derivation_once_per_pair"
            )
        ]
        indexes: ClassVar = [models.Index(fields=["tenant", "child_id"], name="derivation_by_child")]

    def __str__(self) -> str:
        return f"{self.parent_kind} -> {self.child_kind}"
