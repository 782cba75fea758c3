"""Procedural memory: skills, texts on how something is done. Editors write them; each change is a version."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from memory import audited, core, index, provenance
from memory.actors import Actor
from memory.governance import PEOPLE
from memory.models import Skill, SkillVersion
from memory.stale import StaleVersion
from memory.texts import UNSTORABLE
from tenants.permissions import require_role

NAME_MAX, DESCRIPTION_MAX, CONTENT_MAX = 64, 500, 50_000


class BadSkill(Exception):
    """A skill cannot have this name, description or text."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True)
class SkillFields:
    """What a person may set on a skill. None leaves a field as it is."""

    name: str | None = None
    description: str | None = None
    content: str | None = None

    def changes(self, skill: Skill) -> dict[str, str]:
        """What is given, without white space around names, and differs from what the skill has."""
        given = {name: value for name, value in vars(self).items() if value is not None}
        plain = {name: value if name == "content" else value.strip() for name, value in given.items()}
        return {name: value for name, value in plain.items() if value != getattr(skill, name)}


def create_skill(
    *, workspace_id: uuid.UUID, name: str, description: str, content: str, actor: Actor
) -> Skill:
    """A new skill with its version 1. Raises BadSkill, NotAllowed."""
    if actor.kind in PEOPLE:
        require_role(workspace_id, "editor")
    skill = Skill(workspace_id=workspace_id)
    for field, value in SkillFields(name, description, content).changes(skill).items():
        setattr(skill, field, value)
    _check(skill)
    _named(skill)
    _written(skill, actor)
    audited.record("skill.created", skill, actor)
    return skill


def edit_skill(skill_id: uuid.UUID, fields: SkillFields, *, expected_version: int, actor: Actor) -> Skill:
    """Change a skill, as its next version; where nothing differs, nothing happens.

    Raises Skill.DoesNotExist, NotAllowed, BadSkill, StaleVersion.
    """
    skill = _governed(skill_id)
    if skill.version != expected_version:
        raise StaleVersion(skill.version, skill.id)
    changes = fields.changes(skill)
    return _advanced(skill, changes, actor, "skill.edited", fields=sorted(changes)) if changes else skill


def restore(skill_id: uuid.UUID, number: int, *, actor: Actor) -> Skill:
    """Make an old version the newest one again, as a new version.

    Raises Skill.DoesNotExist, SkillVersion.DoesNotExist, NotAllowed, BadSkill.
    """
    skill = _governed(skill_id)
    old = SkillVersion.objects.get(skill=skill, number=number)
    changes = SkillFields(old.name, old.description, old.content).changes(skill)
    return _advanced(skill, changes, actor, "skill.restored", to=number) if changes else skill


def retire_skill(skill_id: uuid.UUID, *, retired: bool = True) -> Skill:
    """Take a skill out of use and search, or bring it back.

    Raises Skill.DoesNotExist, NotAllowed, BadSkill where its name is another's by now.
    """
    skill = _governed(skill_id, also_deleted=True)
    if (skill.retired_at is not None) != retired:
        skill.retired_at = timezone.now() if retired else None
        _named(skill)
        index.index_skill(skill)
        audited.record("skill.deleted" if retired else "skill.brought_back", skill, core.by_me())
    return skill


def skills(workspace_id: uuid.UUID, *, retired: bool = False) -> QuerySet[Skill]:
    """The skills of a workspace by name; those that were deleted instead."""
    rows = Skill.objects.filter(workspace_id=workspace_id, retired_at__isnull=not retired)
    return rows.order_by("name", "id")


def _governed(skill_id: uuid.UUID, *, also_deleted: bool = False) -> Skill:
    skill = Skill.objects.select_for_update().get(id=skill_id)
    require_role(skill.workspace_id, "editor")
    if skill.retired_at is not None and not also_deleted:
        raise BadSkill("name", "This skill was deleted. Bring it back before you change it.")
    return skill


def _check(skill: Skill) -> None:
    faults = {
        "name": (
            not 1 <= len(skill.name) <= NAME_MAX or len(skill.name.splitlines()) > 1,
            f"A name is one line of 1 to {NAME_MAX} characters.",
        ),
        "description": (
            not 1 <= len(skill.description) <= DESCRIPTION_MAX,
            f"A description has 1 to {DESCRIPTION_MAX} characters: by it the agent knows when to load it.",
        ),
        "content": (
            not skill.content.strip() or len(skill.content) > CONTENT_MAX,
            f"The text of a skill has 1 to {CONTENT_MAX:,} characters.",
        ),
    }
    for field, (is_wrong, words) in faults.items():
        if is_wrong or UNSTORABLE.search(getattr(skill, field)):
            raise BadSkill(field, words)


def _named(skill: Skill) -> None:
    """Store a skill; a name is one skill's of a workspace. Raises BadSkill."""
    try:
        with transaction.atomic():
            skill.save()
    except IntegrityError:
        raise BadSkill("name", f"Another skill here is called {skill.name}.") from None


def _advanced(skill: Skill, changes: dict[str, str], actor: Actor, action: str, **details: Any) -> Skill:
    for field, value in changes.items():
        setattr(skill, field, value)
    _check(skill)
    skill.version += 1
    skill.updated_at = timezone.now()
    _named(skill)
    _written(skill, actor)
    audited.record(action, skill, actor, version=skill.version, **details)
    return skill


def _written(skill: Skill, actor: Actor) -> None:
    """The row of a skill's present state, and its entry."""
    SkillVersion.objects.create(
        workspace_id=skill.workspace_id,
        skill=skill,
        number=skill.version,
        name=skill.name,
        description=skill.description,
        content=skill.content,
        actor_kind=actor.kind,
        actor_id=actor.id,
        source=provenance.source_of_person(skill.workspace_id, actor.id),
        supersedes=SkillVersion.objects.filter(skill=skill, number=skill.version - 1).first(),
    )
    index.index_skill(skill)
