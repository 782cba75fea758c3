"""What an agent sees of a conversation, and its turns: their steps, what happened in them."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from agents.models.agents import Agent
from memory.models import Conversation, Message, Summary
from tenants.fields import ScopedForeignKey
from tenants.scoped import WorkspaceRow


class MainContext(WorkspaceRow):
    """What one agent sees of one conversation: where its queue begins, and what stands for the rest.

    Tool results up to `cleared_to` stand in the queue as placeholders. One that `is_filling` has so much in
    its queue that a summary is made in the background.
    """

    agent = ScopedForeignKey(Agent, models.PROTECT, across=True, related_name="contexts")
    conversation = ScopedForeignKey(Conversation, models.CASCADE, related_name="contexts")
    queue_from = models.PositiveBigIntegerField(default=1)
    summary = ScopedForeignKey(Summary, models.PROTECT, null=True, related_name="+")
    cleared_to = models.PositiveBigIntegerField(default=0)
    window_used = models.PositiveIntegerField(default=0)
    is_filling = models.BooleanField(default=False)

    class Meta(WorkspaceRow.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "conversation", "agent"], name="context_once")
        ]
        indexes: ClassVar = [
            models.Index(fields=["tenant", "agent"], name="context_by_agent"),
            models.Index(fields=["id"], condition=models.Q(is_filling=True), name="context_filling"),
        ]

    def __str__(self) -> str:
        return f"from {self.queue_from}"


class Turn(WorkspaceRow):
    """From one message of a person to the agent's answer. Claimed by a lease, fenced by `attempt`.

    `reach` is that of the key with which the message was sent; null is everything that the person has. One
    that `is_abandoned` lies on a branch that was left: its message was edited, or answered again.
    """

    class Status(models.TextChoices):
        QUEUED = "queued", _("waiting")
        RUNNING = "running", _("running")
        AWAITING = "awaiting", _("waits for a decision")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        STOPPED = "stopped", _("stopped")
        INTERRUPTED = "interrupted", _("interrupted")

    ENDED: ClassVar = (Status.DONE, Status.FAILED, Status.STOPPED, Status.INTERRUPTED)

    context = ScopedForeignKey(MainContext, models.CASCADE, related_name="turns")
    conversation = ScopedForeignKey(Conversation, models.CASCADE, related_name="turns")
    message = ScopedForeignKey(Message, models.PROTECT, related_name="+")
    user = models.ForeignKey("tenants.User", models.CASCADE, db_index=False, related_name="+")
    reach = ArrayField(models.UUIDField(), null=True)
    is_abandoned = models.BooleanField(default=False)
    client_id = models.CharField(max_length=120)
    body_digest = models.CharField(max_length=64)
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.QUEUED)
    attempt = models.PositiveIntegerField(default=0)
    attempt_base = models.PositiveIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    stop_requested_at = models.DateTimeField(null=True)
    error_kind = models.CharField(max_length=32, blank=True, default="")
    error_text = models.CharField(max_length=2000, blank=True, default="")
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta(WorkspaceRow.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["tenant", "conversation", "client_id"], name="turn_once_per_client_id"
            ),
            models.UniqueConstraint(
                fields=["tenant", "conversation"],
                condition=models.Q(status="running"),
                name="turn_one_running",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["created_at"],
                condition=models.Q(status__in=["queued", "running"]),
                name="turn_unfinished",
            ),
        ]

    @property
    def has_ended(self) -> bool:
        """Whether nothing more will come."""
        return self.status in self.ENDED

    def __str__(self) -> str:
        return f"{self.id} {self.status}"


class Approval(WorkspaceRow):
    """A tool call that waits for a person's yes. `arguments` are the model's, `edited` what the person made
    of them before it ran; both are JSON as text."""

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        APPROVED = "approved", _("approved")
        REJECTED = "rejected", _("rejected")
        EXPIRED = "expired", _("expired")
        CANCELLED = "cancelled", _("cancelled")

    turn = ScopedForeignKey(Turn, models.CASCADE, related_name="approvals")
    message = ScopedForeignKey(Message, models.PROTECT, related_name="+")
    call_id = models.CharField(max_length=200)
    tool = models.CharField(max_length=120)
    arguments = models.TextField(default="{}")
    edited = models.TextField(blank=True, default="")
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.OPEN)
    note = models.CharField(max_length=1000, blank=True, default="")
    decided_by = models.UUIDField(null=True)
    decided_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(WorkspaceRow.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "turn", "call_id"], name="approval_once_per_call")
        ]
        indexes: ClassVar = [
            models.Index(fields=["expires_at"], condition=models.Q(status="open"), name="approval_by_expiry")
        ]

    def __str__(self) -> str:
        return f"{self.tool} ({self.status})"


class ExternalCall(WorkspaceRow):
    """A tool call whose effect lies outside of the database: noted before it is made, so that whoever takes
    the turn over asks whether it was done. `result` is JSON as text, once it is known."""

    turn = ScopedForeignKey(Turn, models.CASCADE, related_name="external_calls")
    call_id = models.CharField(max_length=200)
    tool = models.CharField(max_length=120)
    result = models.TextField(blank=True, default="")
    started_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True)

    class Meta(WorkspaceRow.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "turn", "call_id"], name="external_once_per_call")
        ]

    def __str__(self) -> str:
        return f"{self.tool} {self.call_id}"


class Step(WorkspaceRow):
    """One model call of a turn: what it was sent and used, how long it took, and what went wrong.

    `window` tells of what parts the prompt was made, by reference (`agents.context.recording`); `digest` is
    the SHA-256 of what was sent. `counted_tokens` is our count of the prompt, `prompt_tokens` the
    provider's; `cached_tokens` what the provider had in its cache, null where it does not say.
    """

    turn = ScopedForeignKey(Turn, models.CASCADE, related_name="steps")
    number = models.PositiveIntegerField()
    attempt = models.PositiveIntegerField()
    model_name = models.CharField(max_length=200)
    prompt_tokens = models.PositiveIntegerField(default=0)
    completion_tokens = models.PositiveIntegerField(default=0)
    counted_tokens = models.PositiveIntegerField(default=0)
    cached_tokens = models.PositiveIntegerField(null=True)
    window = models.JSONField(default=dict)
    digest = models.CharField(max_length=64, blank=True, default="")
    seconds = models.FloatField(default=0)
    finish_reason = models.CharField(max_length=32, blank=True, default="")
    error_kind = models.CharField(max_length=32, blank=True, default="")
    error_text = models.CharField(max_length=2000, blank=True, default="")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(WorkspaceRow.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["tenant", "turn", "number", "attempt"], name="step_numbers_unique"
            )
        ]

    def __str__(self) -> str:
        return f"step {self.number}"


class PartText(WorkspaceRow):
    """A text that stood in prompts, kept once: steps name it by `digest`, the SHA-256 of kind and text.

    It lies where what it shows lies, so whoever may not see a block does not see it in a past prompt either.
    `records` are the ids of what it shows: what erases one of them deletes it here.
    """

    kind = models.CharField(max_length=16)
    digest = models.CharField(max_length=64)
    text = models.TextField()
    records = ArrayField(models.UUIDField(), default=list)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(WorkspaceRow.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "workspace", "digest"], name="part_text_once")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.digest[:8]}"


class TurnEvent(WorkspaceRow):
    """What happened in a turn, in order, for whoever follows it; gone an hour after the end."""

    turn = ScopedForeignKey(Turn, models.CASCADE, related_name="events")
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=16)
    data = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(WorkspaceRow.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "turn", "seq"], name="event_numbers_unique")
        ]

    def __str__(self) -> str:
        return f"{self.seq} {self.kind}"
