"""Who works on a turn: a lease of 15 s, fenced by an attempt number.

Claiming is one conditional UPDATE; a partial unique index holds one running turn per conversation. Each
write of a worker renews its lease first, so one that lost it to another writes nothing more.

Lock order, here and wherever else both are locked: the conversation, then the turn.
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
from memory.models import Conversation, Proposal
from tenants.models import Workspace
from tenants.scope import Identity, RowKey, scope

ATTEMPTS_MAX = 3

# Why a claimed turn can only be ended.
EXHAUSTED, LOCKED_OUT, DELETED = "interrupted", "no_access", "deleted"


class LeaseLost(Exception):
    """Another worker has taken this turn over. Write nothing more."""


@dataclass(frozen=True)
class Claim:
    """A turn that is ours, and the identity in which it is worked on.

    `hopeless` says why it can only be ended: every worker that had it died, its person does not reach the
    conversation any more, or that was deleted. The identity is the background's then.
    """

    key: RowKey
    identity: Identity
    conversation_id: uuid.UUID
    attempt: int
    is_first: bool
    hopeless: str = ""


def claim(key: RowKey) -> Claim | None:
    """Take a turn that waits, or whose worker died. None where somebody else has it or it must wait."""
    try:
        with scope(key.background()):
            turn = _take(key.row_id)
    except IntegrityError as error:
        if not _is_another_running(error):
            raise
        return None
    if turn is None:
        return None
    identity, hopeless = _standing_of(turn)
    return Claim(
        key,
        identity or key.background(),
        turn.conversation_id,
        turn.attempt,
        is_first=turn.attempt - turn.attempt_base == 1,
        hopeless=hopeless,
    )


def _standing_of(turn: Turn) -> tuple[Identity | None, str]:
    """The identity in which a turn is worked on, or why nobody works on it."""
    if turn.attempt - turn.attempt_base > ATTEMPTS_MAX:
        return None, EXHAUSTED
    if turn.conversation.deleted_at is not None:
        return None, DELETED
    identity = reach_of(turn)
    return identity, "" if identity else LOCKED_OUT


def _is_another_running(error: IntegrityError) -> bool:
    """Whether it is the index that refused: another turn of the conversation is running."""
    facts = getattr(error.__cause__, "diag", None)
    return facts is not None and facts.constraint_name == "turn_one_running"


def _take(turn_id: uuid.UUID) -> Turn | None:
    """Answers the turn with its conversation, which is held."""
    held = Conversation.objects.select_for_update(no_key=True, of=("self",))
    conversation = held.filter(turns=turn_id).first()
    now = timezone.now()
    others = Turn.objects.filter(conversation_id=OuterRef("conversation_id"))
    queued = others.filter(status=Turn.Status.QUEUED)
    # A turn that has begun goes on before another one begins: its calls wait for their results.
    is_first = Q(started_at__isnull=False) | ~Exists(
        queued.filter(Q(id__lt=OuterRef("id")) | Q(started_at__isnull=False))
    )
    is_next = Q(is_first, ~Exists(others.filter(status=Turn.Status.AWAITING)), status=Turn.Status.QUEUED)
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
    turn.conversation = conversation
    _place(turn)
    return turn


def _place(turn: Turn) -> None:
    """A position for the turn's message, after those that were stopped while they waited before it.

    One that could never be placed stands in nobody's way.
    """
    mine = Turn.objects.filter(
        conversation_id=turn.conversation_id, id__lte=turn.id, message__position=None
    ).exclude(status__in=[Turn.Status.QUEUED, Turn.Status.FAILED])
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


# The chat's row is locked before the turn is found: the second statement reads the first.
_HOLDING = (
    "WITH held AS (SELECT id FROM memory_conversation WHERE tenant_id = %(tenant)s AND id = %(conversation)s "
    "FOR NO KEY UPDATE) "
)
# From this moment on, and not from the transaction's beginning: it may have waited for the chat.
_RENEWED = (
    "UPDATE agents_turn SET lease_until = clock_timestamp() + make_interval(secs => %(lease)s) {of} "
    "WHERE tenant_id = %(tenant)s AND agents_turn.id = %(turn)s AND attempt = %(attempt)s "
    "AND status = 'running' {same} RETURNING stop_requested_at IS NOT NULL"
)
_HOLD = _HOLDING + _RENEWED.format(of="FROM held", same="AND conversation_id = held.id")
_RENEW = _RENEWED.format(of="", same="")


def hold(claimed: Claim) -> bool:
    """Hold the chat and renew the lease, before anything is added there; answers as `renew` does.

    Raises LeaseLost.
    """
    return _renewed(claimed, _HOLD)


def renew(claimed: Claim) -> bool:
    """Renew the lease inside the present transaction; answers whether a stop was asked for.

    What adds messages begins with `hold` instead. Raises LeaseLost.
    """
    return _renewed(claimed, _RENEW)


def _renewed(claimed: Claim, statement: str) -> bool:
    ids = {
        "tenant": claimed.key.tenant_id,
        "conversation": claimed.conversation_id,
        "turn": claimed.key.row_id,
    }
    with connection.cursor() as cursor:
        cursor.execute(statement, ids | {"attempt": claimed.attempt, "lease": settings.TURN_LEASE})
        row = cursor.fetchone()
    if row is None:
        raise LeaseLost(LeaseLost.__doc__)
    return bool(row[0])


def next_in_line(conversation_id: uuid.UUID) -> Turn | None:
    """The turn that waits longest in a conversation."""
    return (
        Turn.objects.filter(conversation_id=conversation_id, status=Turn.Status.QUEUED).order_by("id").first()
    )
