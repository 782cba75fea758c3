"""Who thinks: providers and models, agents, what an agent sees of a conversation, turns, steps, events."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memory.models import Archive, Block, Conversation, Message, Summary
from tenants.fields import ScopedForeignKey
from tenants.scoped import TenantRow, WorkspaceRow

WINDOW_MIN, WINDOW_MAX = 4_000, 4_000_000


class Provider(TenantRow):
    """Where language models are asked. The key is encrypted at rest and never shown again."""

    name = models.CharField(_("name"), max_length=120)
    base_url = models.URLField(_("base URL"), max_length=500)
    key_encrypted = models.BinaryField(default=b"")
    created_at = models.DateTimeField(default=timezone.now)

    @property
    def has_key(self) -> bool:
        """Whether a key is kept: all that a page ever says of it."""
        return bool(self.key_encrypted)

    def __str__(self) -> str:
        return self.name


class LanguageModel(TenantRow):
    """A model that agents of a tenant can use: the offline one, the environment's, or a provider's."""

    class Origin(models.TextChoices):
        OFFLINE = "offline", _("built in")
        ENVIRONMENT = "environment", _("set by the environment")
        PROVIDER = "provider", _("provider")

    origin = models.CharField(max_length=16, choices=Origin.choices, default=Origin.PROVIDER)
    provider = ScopedForeignKey(Provider, models.CASCADE, null=True, blank=True, related_name="models")
    name = models.CharField(_("model"), max_length=200)
    window = models.PositiveIntegerField(
        _("window in tokens"),
        default=32_000,
        validators=[MinValueValidator(WINDOW_MIN), MaxValueValidator(WINDOW_MAX)],
    )
    tokenizer = models.CharField(_("tokenizer"), max_length=32, default="o200k_base")
    streams = models.BooleanField(null=True)
    calls_tools = models.BooleanField(null=True)
    tested_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(TenantRow.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["tenant", "origin", "provider", "name"],
                nulls_distinct=False,
                name="model_once_per_provider",
            )
        ]

    @property
    def is_offline(self) -> bool:
        """Whether this is the model built into memsite."""
        return self.origin == self.Origin.OFFLINE

    def __str__(self) -> str:
        return self.name


class Agent(WorkspaceRow):
    """An agent: a name, a model, and memory of its own."""

    name = models.CharField(_("name"), max_length=120)
    description = models.CharField(_("description"), max_length=1000, blank=True, default="")
    model = ScopedForeignKey(LanguageModel, models.PROTECT, related_name="agents")
    window = models.PositiveIntegerField(
        _("window in tokens"),
        null=True,
        blank=True,
        validators=[MinValueValidator(WINDOW_MIN), MaxValueValidator(WINDOW_MAX)],
    )
    instructions = models.TextField(_("instructions"), blank=True, default="")
    retired_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(WorkspaceRow.Meta):
        indexes: ClassVar = [models.Index(fields=["tenant", "workspace", "name"], name="agent_by_workspace")]

    @property
    def window_size(self) -> int:
        """Tokens that the agent's prompt and answer may fill together."""
        most: int = self.model.window
        return min(self.window or most, most)

    def __str__(self) -> str:
        return self.name


class AgentBlock(WorkspaceRow):
    """A block in an agent's core memory. It lies where the block lies: who sees one sees the other.

    `person` is set on a block that belongs to one person's chats with a shared agent; `in_shared_chats` says
    that its owner lends it to the chats that others read. `governance` overrides the block's own for this
    agent; empty leaves it to the block.
    """

    agent = ScopedForeignKey(Agent, models.CASCADE, across=True, related_name="attachments")
    block = ScopedForeignKey(Block, models.CASCADE, related_name="attachments")
    label = models.CharField(max_length=64)
    person = models.ForeignKey("tenants.User", models.CASCADE, null=True, db_index=False, related_name="+")
    position = models.PositiveIntegerField(default=0)
    governance = models.CharField(
        _("what this agent may do"), max_length=16, choices=Block.Governance.choices, blank=True, default=""
    )
    in_shared_chats = models.BooleanField(_("shown in chats that others read"), default=False)

    class Meta(WorkspaceRow.Meta):
        constraints: ClassVar = [
            # Within a workspace: a row that one does not see must not stand in one's way.
            models.UniqueConstraint(
                fields=["tenant", "agent", "workspace", "label", "person"],
                nulls_distinct=False,
                name="label_once_per_agent",
            ),
            models.UniqueConstraint(fields=["tenant", "agent", "block"], name="block_once_per_agent"),
        ]

    def __str__(self) -> str:
        return self.label


class AgentArchive(WorkspaceRow):
    """An archive that an agent searches; it writes to the one of the conversation's workspace."""

    agent = ScopedForeignKey(Agent, models.CASCADE, across=True, related_name="archives")
    archive = ScopedForeignKey(Archive, models.CASCADE, related_name="attachments")

    class Meta(WorkspaceRow.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["tenant", "agent", "workspace"], name="archive_once_per_workspace"
            )
        ]

    def __str__(self) -> str:
        return str(self.archive_id)


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
