"""Procedural memory: skills, which agents load when they need them."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memory.actors import ActorKind
from memory.models.sources import Source
from tenants.fields import ScopedForeignKey
from tenants.scoped import WorkspaceRow


class Skill(WorkspaceRow):
    """How something is done, in words: prompts list it by its description, a tool loads the text."""

    name = models.CharField(_("name"), max_length=64)
    description = models.CharField(_("description"), max_length=500)
    content = models.TextField(_("text"))
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)
    retired_at = models.DateTimeField(null=True, blank=True)

    class Meta(WorkspaceRow.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["tenant", "workspace", "name"],
                condition=models.Q(retired_at=None),
                name="skill_names_unique",
            )
        ]

    def __str__(self) -> str:
        return self.name


class SkillVersion(WorkspaceRow):
    """One state of a skill; rows are added and never changed."""

    skill = ScopedForeignKey(Skill, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=64)
    description = models.CharField(max_length=500)
    content = models.TextField()
    actor_kind = models.CharField(max_length=16, choices=ActorKind.choices)
    actor_id = models.UUIDField(null=True)
    source = ScopedForeignKey(Source, models.PROTECT, null=True, related_name="+")
    valid_from = models.DateTimeField(default=timezone.now)
    supersedes = ScopedForeignKey("self", models.PROTECT, null=True, related_name="+")

    class Meta(WorkspaceRow.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "skill", "number"], name="skill_versions_unique")
        ]

    def __str__(self) -> str:
        return f"{self.name} v{self.number}"
