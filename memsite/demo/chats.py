"""The demo's chats: people speak, and the agents' turns are done here, or by a worker that is quicker."""

from __future__ import annotations

import time
import uuid

from agents.models import Turn
from agents.services import chats, receive_message, start_chat
from agents.turns.loop import run_turn
from memsite.demo.content import CHATS, OWNER, DemoChat
from memsite.demo.people import DemoPeople
from memsite.demo.team import DemoTeam
from tenants.scope import Identity, RowKey, current_scope, scope

PATIENCE, PAUSE = 60.0, 0.2


class Unfinished(Exception):
    """A worker has taken a turn of the demo and does not end it. Look into its log, and run this again."""


def talk(people: DemoPeople, team: DemoTeam) -> None:
    """Have every chat to its end. A message that was sent is not sent again. Raises Unfinished."""
    for chat in CHATS:
        identity = people.owner if chat.who == OWNER else people.colleague
        conversation_id = _opened(chat, identity, team)
        for place, line in enumerate(chat.lines):
            with scope(identity):
                turn = receive_message(
                    conversation_id=conversation_id, content=line, client_id=f"demo-{place}"
                )
            _finish(turn, identity)


def _opened(chat: DemoChat, identity: Identity, team: DemoTeam) -> uuid.UUID:
    with scope(identity):
        home = team.workspace_id if chat.is_shared else current_scope().home
        known = chats(workspace_id=home, conversation__title=chat.title).first()
        made = known or start_chat(agent_id=team.agents[chat.agent], workspace_id=home, title=chat.title)
        return made.conversation_id


def _finish(turn: Turn, identity: Identity) -> None:
    """Do a turn's work. Where a worker of the site holds it, wait for that."""
    for _ in run_turn(RowKey(turn.tenant_id, turn.workspace_id, turn.id)):
        pass
    deadline = time.monotonic() + PATIENCE
    while not _has_ended(turn, identity):
        if time.monotonic() > deadline:
            raise Unfinished(Unfinished.__doc__)
        time.sleep(PAUSE)


def _has_ended(turn: Turn, identity: Identity) -> bool:
    with scope(identity):
        return Turn.objects.get(id=turn.id).has_ended
