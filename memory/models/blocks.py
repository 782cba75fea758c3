"""Core memory: blocks, every state that they had, and what waits for a yes."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memory.actors import ActorKind
from memory.models.sources import Source
from memory.models.trust import Trust
from tenants.fields import ScopedForeignKey
from tenants.scoped import WorkspaceRow


class Block(WorkspaceRow):
    """A core memory block: a labelled text that is always in the prompt. `version` is the head's number.

    `sections` holds `{"name", "description"}` for each part of a typed block; a free text has none.
    """

    class Unit(models.TextChoices):
        CHARACTERS = "characters", _("characters")
        TOKENS = "tokens", _("tokens")

    class Governance(models.TextChoices):
        FREE = "free", _("free")
        PROPOSE = "propose", _("propose only")
        READ_ONLY = "read_only", _("read-only")

    label = models.CharField(_("label"), max_length=64)
    description = models.CharField(_("description"), max_length=1000, blank=True, default="")
    value = models.TextField(_("value"), blank=True, default="")
    limit = models.PositiveIntegerField(_("limit"), default=2000)
    unit = models.CharField(_("unit"), max_length=16, choices=Unit.choices, default=Unit.CHARACTERS)
    governance = models.CharField(
        _("what agents may do"), max_length=16, choices=Governance.choices, default=Governance.FREE
    )
    sections = models.JSONField(_("sections"), default=list, blank=True)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)
    retired_at = models.DateTimeField(null=True, blank=True)

    class Meta(WorkspaceRow.Meta):
        indexes: ClassVar = [models.Index(fields=["tenant", "workspace", "label"], name="block_by_workspace")]

    def __str__(self) -> str:
        return self.label


class BlockVersion(WorkspaceRow):
    """One state of a block, never changed: a trigger in the database refuses it.

    `proposal` and `approved_by` are set where somebody proposed the change and somebody else allowed it.
    """

    class Operation(models.TextChoices):
        CREATE = "create", _("created")
        APPEND = "append", _("appended")
        REPLACE = "replace", _("replaced")
        INSERT = "insert", _("inserted")
        RETHINK = "rethink", _("rewritten")
        PATCH = "patch", _("patched")
        SECTION = "section", _("section rewritten")
        EDIT = "edit", _("edited")
        RESTORE = "restore", _("restored")
        UNDO = "undo", _("undone")
        MERGE = "merge", _("merged")

    block = ScopedForeignKey(Block, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    operation = models.CharField(max_length=16, choices=Operation.choices)
    value = models.TextField(blank=True)
    actor_kind = models.CharField(max_length=16, choices=ActorKind.choices)
    actor_id = models.UUIDField(null=True)
    source = ScopedForeignKey(Source, models.PROTECT, null=True, related_name="+")
    valid_from = models.DateTimeField(default=timezone.now)
    supersedes = ScopedForeignKey("self", models.PROTECT, null=True, related_name="+")
    proposal: Any = ScopedForeignKey("Proposal", models.PROTECT, null=True, related_name="+")
    approved_by = models.UUIDField(null=True)
    erased_at = models.DateTimeField(null=True)

    class Meta(WorkspaceRow.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "block", "number"], name="version_numbers_unique")
        ]

    def __str__(self) -> str:
        return f"v{self.number}"


class Proposal(WorkspaceRow):
    """A change that waits for an editor's yes: the operation, and the text that it makes of its base.

    `conversation_id` and `turn_id` may name rows of another workspace, such as a private chat. `trust` is
    that of the least trusted text which whoever made it had before them.
    """

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        APPROVED = "approved", _("approved")
        REJECTED = "rejected", _("rejected")
        WITHDRAWN = "withdrawn", _("withdrawn")

    block = ScopedForeignKey(Block, models.CASCADE, related_name="proposals")
    base = ScopedForeignKey(BlockVersion, models.PROTECT, related_name="+")
    operation = models.CharField(max_length=16, choices=BlockVersion.Operation.choices)
    arguments = models.JSONField(default=dict)
    value = models.TextField(blank=True)
    reason = models.CharField(max_length=1000, blank=True, default="")
    source = ScopedForeignKey(Source, models.PROTECT, null=True, related_name="+")
    actor_kind = models.CharField(max_length=16, choices=ActorKind.choices)
    actor_id = models.UUIDField(null=True)
    asked_by = models.UUIDField(null=True)
    conversation_id = models.UUIDField(null=True)
    turn_id = models.UUIDField(null=True)
    trust = models.SmallIntegerField(choices=Trust.choices, default=Trust.TRUSTED)
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.OPEN)
    decided_by = models.UUIDField(null=True)
    decided_at = models.DateTimeField(null=True)
    note = models.CharField(max_length=1000, blank=True, default="")
    made = ScopedForeignKey(BlockVersion, models.PROTECT, null=True, related_name="+")
    told_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(WorkspaceRow.Meta):
        indexes: ClassVar = [
            models.Index(fields=["tenant", "workspace", "status"], name="proposal_inbox"),
            models.Index(
                fields=["tenant", "conversation_id"],
                condition=models.Q(told_at=None),
                name="proposal_untold",
            ),
            models.Index(fields=["tenant", "block", "status"], name="proposal_by_block"),
        ]

    def __str__(self) -> str:
        return f"{self.operation} ({self.status})"

    @property
    def is_untrusted(self) -> bool:
        """Whether it may be what a document or a web page asked for."""
        return self.trust <= Trust.UNTRUSTED
