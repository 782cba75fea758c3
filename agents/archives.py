"""Which archives an agent reads and writes.

It writes to its own, one for each workspace that it talks in, and searches those that people attach as well.
"""

from __future__ import annotations

import uuid

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from agents.attaching import BadAttachment, note, require_both, take_away
from agents.models import Agent, AgentArchive
from memory.actors import Actor, ActorKind
from memory.archival import create_archive
from memory.models import Archive, Passage

# A prompt says no more exactly than this how many passages there are: counting more would cost every step.
PASSAGES_MOST = 1_000


def archive_for(agent: Agent, workspace_id: uuid.UUID) -> Archive:
    """The archive that the agent writes to in a workspace, made on first use."""
    if found := _own(agent, workspace_id):
        return found
    try:
        with transaction.atomic():
            # One that somebody has deleted stays attached: it may be brought back.
            _owned(agent, workspace_id).exclude(archive__retired_at=None).update(is_own=False)
            maker = Actor(ActorKind.AGENT, agent.id, agent.name)
            archive = create_archive(workspace_id=workspace_id, name=agent.name, actor=maker)
            AgentArchive.objects.create(workspace_id=workspace_id, agent=agent, archive=archive)
            return archive
    except IntegrityError:  # another turn made it at the same moment
        return Archive.objects.get(attachments__in=_owned(agent, workspace_id))


def attachments(agent: Agent) -> list[AgentArchive]:
    """The archives in sight that an agent has, each with its archive: its own ones first, then by name."""
    return list(_in_use(agent).select_related("archive").order_by("-is_own", "archive__name", "id"))


def archives_in_view(agent: Agent) -> list[uuid.UUID]:
    """Ids of the archives that the agent searches in the present scope."""
    return list(_in_use(agent).values_list("archive_id", flat=True))


def attach(agent_id: uuid.UUID, archive_id: uuid.UUID) -> AgentArchive:
    """Let an agent search an archive.

    Raises Agent.DoesNotExist, Archive.DoesNotExist, NotAllowed, BadAttachment.
    """
    with transaction.atomic():
        archive = Archive.objects.get(id=archive_id, retired_at=None)
        agent = require_both(agent_id, archive)
        if AgentArchive.objects.filter(agent=agent, archive=archive).exists():
            raise BadAttachment("The agent has this archive already.")
        row = AgentArchive.objects.create(
            workspace_id=archive.workspace_id, agent=agent, archive=archive, is_own=False
        )
        note("archive.attached", archive, agent, agent.id)
    return row


def detach(agent_id: uuid.UUID, archive_id: uuid.UUID) -> None:
    """Let an agent search an archive no longer. Raises AgentArchive.DoesNotExist, NotAllowed,
    BadAttachment for the one that it writes to."""
    row = AgentArchive.objects.select_related("archive").get(agent_id=agent_id, archive_id=archive_id)
    if row.is_own:
        raise BadAttachment("This is the archive that the agent writes to. It can be deleted, not detached.")
    take_away(row, row.archive, "archive.detached")


def passage_count(agent: Agent) -> int:
    """How many passages the agent can find, counted up to PASSAGES_MOST."""
    found = Passage.objects.filter(Passage.standing(), archive__attachments__agent=agent)
    return found[:PASSAGES_MOST].count()


def _own(agent: Agent, workspace_id: uuid.UUID) -> Archive | None:
    return Archive.objects.filter(attachments__in=_owned(agent, workspace_id), retired_at=None).first()


def _owned(agent: Agent, workspace_id: uuid.UUID) -> QuerySet[AgentArchive]:
    return AgentArchive.objects.filter(agent=agent, workspace_id=workspace_id, is_own=True)


def _in_use(agent: Agent) -> QuerySet[AgentArchive]:
    return AgentArchive.objects.filter(agent=agent, archive__retired_at=None)
