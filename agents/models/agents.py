"""Agents, and what of memory each of them has."""

from __future__ import annotations

from typing import ClassVar

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from agents.models.providers import WINDOW_MAX, WINDOW_MIN, LanguageModel
from memory.models import Archive, Block, Skill
from tenants.fields import ScopedForeignKey
from tenants.scoped import WorkspaceRow


class Agent(WorkspaceRow):
    """An agent: a name, a model, and memory of its own.

    `retrieval` holds its own weights of search and its second stage, `context` its own settings of the
    window (`agents.context.settings`); what they leave out is as everywhere. `tool_rules` are those of
    `agents.tools.rules`. `summary_model` writes the summaries; without one it is the agent's own model.
    """

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
    retrieval = models.JSONField(default=dict, blank=True)
    context = models.JSONField(default=dict, blank=True)
    tool_rules = models.JSONField(default=list, blank=True)
    summary_model = ScopedForeignKey(
        LanguageModel, models.PROTECT, null=True, blank=True, related_name="summarises_for"
    )
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
    """An archive that an agent searches. It writes to its own one of the conversation's workspace."""

    agent = ScopedForeignKey(Agent, models.CASCADE, across=True, related_name="archives")
    archive = ScopedForeignKey(Archive, models.CASCADE, related_name="attachments")
    is_own = models.BooleanField(default=True)

    class Meta(WorkspaceRow.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["tenant", "agent", "workspace"],
                condition=models.Q(is_own=True),
                name="archive_once_per_workspace",
            ),
            models.UniqueConstraint(fields=["tenant", "agent", "archive"], name="archive_once_per_agent"),
        ]

    def __str__(self) -> str:
        return str(self.archive_id)


class AgentSkill(WorkspaceRow):
    """A skill that an agent knows of. It lies where the skill lies: who sees one sees the other."""

    agent = ScopedForeignKey(Agent, models.CASCADE, across=True, related_name="skills")
    skill = ScopedForeignKey(Skill, models.CASCADE, related_name="attachments")

    class Meta(WorkspaceRow.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "agent", "skill"], name="skill_once_per_agent")
        ]

    def __str__(self) -> str:
        return str(self.skill_id)
