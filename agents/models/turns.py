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
    """What one agent sees of one conversation: where its queue begins, and what stands for the rest."""

    agent = ScopedForeignKey(Agent, models.PROTECT, across=True, related_name="contexts")
    conversation = ScopedForeignKey(Conversation, models.CASCADE, related_name="contexts")
    queue_from = models.PositiveBigIntegerField(default=1)
    summary = ScopedForeignKey(Summary, models.PROTECT, null=True, related_name="+")
    window_used = models.PositiveIntegerField(default=0)

    class Meta(WorkspaceRow.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "conversation", "agent"], name="context_once")
        ]
        indexes: ClassVar = [models.Index(fields=["tenant", "agent"], name="context_by_agent")]

    def __str__(self) -> str:
        return f"from {self.queue_from}"


class Turn(WorkspaceRow):
    """From one message of a person to the agent's answer. Claimed by a lease, fenced by `attempt`.

    `reach` is that of the key with which the message was sent; null is everything that the person has.
    """

    class Status(models.TextChoices):
        QUEUED = "queued", _("waiting")
        RUNNING = "running", _("running")
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


class Step(WorkspaceRow):
    """One model call of a turn: what it used, how long it took, and what went wrong."""

    turn = ScopedForeignKey(Turn, models.CASCADE, related_name="steps")
    number = models.PositiveIntegerField()
    attempt = models.PositiveIntegerField()
    model_name = models.CharField(max_length=200)
    prompt_tokens = models.PositiveIntegerField(default=0)
    completion_tokens = models.PositiveIntegerField(default=0)
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
