"""Which archives an agent reads and writes: one for each workspace that it talks in."""

from __future__ import annotations

import uuid

from django.db import IntegrityError, transaction

from agents.models import Agent, AgentArchive
from memory.archival import create_archive
from memory.models import Archive, Passage


def archive_for(agent: Agent, workspace_id: uuid.UUID) -> Archive:
    """The archive that the agent writes to in a workspace, made on first use."""
    found = Archive.objects.filter(attachments__agent=agent, workspace_id=workspace_id).first()
    if found:
        return found
    try:
        with transaction.atomic():
            archive = create_archive(workspace_id=workspace_id, name=agent.name)
            AgentArchive.objects.create(workspace_id=workspace_id, agent=agent, archive=archive)
            return archive
    except IntegrityError:  # another turn made it at the same moment
        return Archive.objects.get(attachments__agent=agent, workspace_id=workspace_id)


def archives_in_view(agent: Agent) -> list[uuid.UUID]:
    """Ids of the archives that the agent searches in the present scope."""
    return list(AgentArchive.objects.filter(agent=agent).values_list("archive_id", flat=True))


def passage_count(agent: Agent) -> int:
    """How many passages lie there."""
    return Passage.objects.filter(archive__in=archives_in_view(agent)).count()
