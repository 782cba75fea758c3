"""What tasks carry, and as whom their work is done."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from agents.models import MainContext, Turn
from agents.turns import lease
from tenants.scope import Identity, scope


@dataclass(frozen=True)
class RowKey:
    """A row by its ids: of a context that is filling, or of a summary that is to be made anew."""

    tenant_id: uuid.UUID
    workspace_id: uuid.UUID
    row_id: uuid.UUID

    def background(self) -> Identity:
        """Background work: no person, and the reach of one workspace."""
        return Identity(self.tenant_id, None, frozenset({self.workspace_id}))


def identity_of(context: MainContext, turn: Turn | None) -> Identity | None:
    """Who a chat's summary is made as: the person of its last turn, with what that turn saw.

    The agent may lie in a workspace that background work does not reach. None where the person does not reach
    the chat any more. `context` has its conversation.
    """
    if turn is not None:
        return lease.reach_of(turn)
    return Identity(context.tenant_id, context.conversation.owner_id)


def owner_of(context: MainContext) -> Identity | None:
    """The chat's owner, as far as they reach it; `context` has its conversation."""
    whole = Identity(context.tenant_id, context.conversation.owner_id)
    with scope(whole) as mine:
        return whole if context.workspace_id in mine.workspaces else None


def last_turn(context: MainContext) -> Turn | None:
    """The newest turn of a chat."""
    return Turn.objects.filter(context=context).order_by("-id").first()
