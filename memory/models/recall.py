"""Recall storage: conversations, their messages, and what evicted messages were folded into."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memory.actors import ActorKind
from memory.models.trust import Trust
from tenants.fields import ScopedForeignKey
from tenants.scoped import WorkspaceRow


class Conversation(WorkspaceRow):
    """A chat in recall storage. `owner_id` is the person whose chat it is; a team chat is the workspace's."""

    owner = models.ForeignKey("tenants.User", models.CASCADE, db_index=False, related_name="+")
    title = models.CharField(_("title"), max_length=200, blank=True, default="")
    is_title_made = models.BooleanField(default=True)
    pinned_at = models.DateTimeField(null=True, blank=True)
    deleted_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    last_message_at = models.DateTimeField(default=timezone.now)

    class Meta(WorkspaceRow.Meta):
        indexes: ClassVar = [
            models.Index(fields=["tenant", "workspace", "-last_message_at"], name="conversation_recent")
        ]

    def __str__(self) -> str:
        return self.title or str(self.id)


class Message(WorkspaceRow):
    """One message of recall storage: complete, and never shortened or removed by the loop.

    `position` is its place in the conversation; a message that waits for the turn before it has none yet.
    `name` is the tool of a tool's answer, or who spoke where several do; `external_id` what an import calls
    it. `trust` is that of the least trusted text in it: what a tool read out of a document is not trusted.

    Messages form a tree by `parent`, and one branch of it is the chat; what `is_abandoned` lies on another.
    `detail` is what pages tell beside a tool's answer (`ms`, `hits` with their scores); models never see it.
    """

    class Role(models.TextChoices):
        USER = "user", _("you")
        ASSISTANT = "assistant", _("assistant")
        TOOL = "tool", _("tool")
        SYSTEM = "system", _("system")

    class State(models.TextChoices):
        COMPLETE = "complete", _("complete")
        STOPPED = "stopped", _("stopped")
        INTERRUPTED = "interrupted", _("interrupted")

    conversation = ScopedForeignKey(Conversation, models.CASCADE, related_name="messages")
    parent = ScopedForeignKey("self", models.PROTECT, null=True, related_name="+")
    position = models.PositiveBigIntegerField(null=True)
    turn_id = models.UUIDField(null=True)
    role = models.CharField(max_length=16, choices=Role.choices)
    content = models.TextField(blank=True, default="")
    tool_calls = models.JSONField(default=list)
    tool_call_id = models.CharField(max_length=200, blank=True, default="")
    name = models.CharField(max_length=120, blank=True, default="")
    actor_kind = models.CharField(max_length=16, choices=ActorKind.choices)
    actor_id = models.UUIDField(null=True)
    state = models.CharField(max_length=16, choices=State.choices, default=State.COMPLETE)
    claims_unsaved = models.BooleanField(default=False)
    external_id = models.CharField(max_length=200, blank=True, default="")
    trust = models.SmallIntegerField(choices=Trust.choices, default=Trust.TRUSTED)
    is_abandoned = models.BooleanField(default=False)
    detail = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(WorkspaceRow.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["tenant", "conversation", "position"], name="message_positions_unique"
            ),
            # A tool's answer is stored once, whatever dies in between.
            models.UniqueConstraint(
                fields=["tenant", "turn_id", "tool_call_id"],
                condition=~models.Q(tool_call_id=""),
                name="message_one_answer_per_call",
            ),
            models.UniqueConstraint(
                fields=["tenant", "conversation", "external_id"],
                condition=~models.Q(external_id=""),
                name="message_once_per_external_id",
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["tenant", "turn_id"], name="message_by_turn")]

    def __str__(self) -> str:
        return f"{self.role} {self.position}"

    @property
    def is_imported(self) -> bool:
        """Whether it was said elsewhere: nobody vouches here for who said it."""
        return self.turn_id is None


class Summary(WorkspaceRow):
    """What evicted messages were folded into. It names the span that it covers and the one before it.

    Its text never changes: one that is made anew of the same messages is another row, which `replaces` it.
    `made_by` is the model's name, or "extractive"; `fault` says why it was not the model that made it, and
    `tries` how often a model was asked since, next time at `mend_at`.
    """

    EXTRACTIVE: ClassVar = "extractive"

    conversation = ScopedForeignKey(Conversation, models.CASCADE, related_name="summaries")
    previous = ScopedForeignKey("self", models.PROTECT, null=True, related_name="+")
    replaces = ScopedForeignKey("self", models.PROTECT, null=True, related_name="+")
    content = models.TextField()
    made_by = models.CharField(max_length=200, default=EXTRACTIVE)
    fault = models.CharField(max_length=32, blank=True, default="")
    tries = models.PositiveSmallIntegerField(default=0)
    mend_at = models.DateTimeField(null=True)
    from_position = models.PositiveBigIntegerField()
    to_position = models.PositiveBigIntegerField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(WorkspaceRow.Meta):
        indexes: ClassVar = [
            models.Index(fields=["tenant", "conversation", "to_position"], name="summary_by_span"),
            models.Index(
                fields=["mend_at"], condition=models.Q(mend_at__isnull=False), name="summary_to_mend"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.from_position}..{self.to_position}"
