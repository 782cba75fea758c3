"""Who works on a turn: a lease of 15 s, fenced by an attempt number.

Claiming is one conditional UPDATE; a partial unique index holds one running turn per conversation. Each
write of a worker renews its lease first, so one that lost it to another writes nothing more.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import IntegrityError, connection
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from agents.models import Agent, Turn
from memory import recall
from memory.models import Proposal
from tenants.models import Workspace
from tenants.scope import Identity, scope

ATTEMPTS_MAX = 3

# Why a claimed turn can only be ended.
EXHAUSTED, LOCKED_OUT = "interrupted", "no_access"


class LeaseLost(Exception):
    """Another worker has taken this turn over. Write nothing more."""


@dataclass(frozen=True)
class TurnKey:
    """What a task carries: ids only."""

    tenant_id: uuid.UUID
    workspace_id: uuid.UUID
    turn_id: uuid.UUID

    def background(self) -> Identity:
        """Background work: no person, and the reach of one workspace."""
        return Identity(self.tenant_id, None, frozenset({self.workspace_id}))


@dataclass(frozen=True)
class Claim:
    """A turn that is ours, and the identity in which it is worked on.

    `hopeless` says why it can only be ended: every worker that had it died, or its person does not reach the
    conversation any more. The identity is the background's then.
    """

    key: TurnKey
    identity: Identity
    attempt: int
    is_first: bool
    hopeless: str = ""


def claim(key: TurnKey) -> Claim | None:
    """Take a turn that waits, or whose worker died. None where somebody else has it or it must wait."""
    try:
        with scope(key.background()):
            turn = _take(key.turn_id)
    except IntegrityError:  # another turn of the conversation is running
        return None
    if turn is None:
        return None
    tries = turn.attempt - turn.attempt_base
    if tries > ATTEMPTS_MAX:
        return Claim(key, key.background(), turn.attempt, is_first=False, hopeless=EXHAUSTED)
    identity = reach_of(turn)
    if identity is None:
        return Claim(key, key.background(), turn.attempt, is_first=tries == 1, hopeless=LOCKED_OUT)
    return Claim(key, identity, turn.attempt, is_first=tries == 1)


def _take(turn_id: uuid.UUID) -> Turn | None:
    now = timezone.now()
    earlier = Turn.objects.filter(
        conversation_id=OuterRef("conversation_id"), status=Turn.Status.QUEUED, id__lt=OuterRef("id")
    )
    is_next = Q(~Exists(earlier), status=Turn.Status.QUEUED)
    is_left_alone = Q(status=Turn.Status.RUNNING, lease_until__lt=now)
    taken = Turn.objects.filter(is_next | is_left_alone, id=turn_id).update(
        status=Turn.Status.RUNNING,
        attempt=F("attempt") + 1,
        lease_until=now + timedelta(seconds=settings.TURN_LEASE),
        started_at=now,
    )
    if not taken:
        return None
    turn = Turn.objects.get(id=turn_id)
    _place(turn)
    return turn


def _place(turn: Turn) -> None:
    """A position for the turn's message, after those that were stopped while they waited before it."""
    mine = Turn.objects.filter(
        conversation_id=turn.conversation_id, id__lte=turn.id, message__position=None
    ).exclude(status=Turn.Status.QUEUED)
    recall.place(turn.conversation_id, mine.order_by("id").values_list("message_id", flat=True))


def reach_of(turn: Turn) -> Identity | None:
    """What a turn may see: the conversation's, the agent's and the organisation's workspace, as its person.

    And those of the blocks, archives and skills that the agent has, so that one attached from elsewhere is
    seen and can be proposed to, and those of decisions that are to be told, though the block was detached
    since. My personal workspace is among them only where the conversation lies in it. None where the
    conversation is out of the person's reach.
    """
    reach = None if turn.reach is None else frozenset(turn.reach)
    whole = Identity(turn.tenant_id, turn.user_id, reach)
    with scope(whole) as mine:
        if turn.workspace_id not in mine.workspaces:
            return None
        wanted = {*_places_of(turn), *mine.of_kind(Workspace.Kind.ORGANISATION)}
        # A row of somebody else's own block is out of sight, and out of reach.
        shared = (wanted & set(mine.workspaces)) - {*mine.of_kind(Workspace.Kind.PERSONAL)}
        return whole.narrowed({turn.workspace_id, *shared})


def _places_of(turn: Turn) -> Iterable[uuid.UUID]:
    """Where the agent lies, where what it has lies, and the proposals of which its chat has not heard."""
    agents = Agent.objects.filter(contexts=turn.context_id)
    untold = Proposal.objects.filter(conversation_id=turn.conversation_id, told_at=None)
    rows = agents.values_list("workspace_id").union(
        *(agents.values_list(f"{held}__workspace_id") for held in ("attachments", "archives", "skills")),
        untold.exclude(status=Proposal.Status.OPEN).values_list("workspace_id"),
    )
    return (place for (place,) in rows)


def hold(claimed: Claim) -> bool:
    """Renew the lease inside the present transaction; answers whether a stop was asked for.

    Raises LeaseLost.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE agents_turn SET lease_until = now() + make_interval(secs => %s) "
            "WHERE tenant_id = %s AND id = %s AND attempt = %s AND status = 'running' "
            "RETURNING stop_requested_at IS NOT NULL",
            [settings.TURN_LEASE, claimed.key.tenant_id, claimed.key.turn_id, claimed.attempt],
        )
        row = cursor.fetchone()
    if row is None:
        raise LeaseLost(LeaseLost.__doc__)
    return bool(row[0])


def next_in_line(conversation_id: uuid.UUID) -> Turn | None:
    """The turn that waits longest in a conversation."""
    return (
        Turn.objects.filter(conversation_id=conversation_id, status=Turn.Status.QUEUED).order_by("id").first()
    )
