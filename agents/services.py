"""What can be done about agents, their chats and turns. Doors call these; `agents.turn` does the thinking."""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import gettext as _

from agents import blocks, events, lease
from agents.events import Event, EventLog
from agents.llm import catalog
from agents.models import WINDOW_MIN, Agent, AgentBlock, LanguageModel, MainContext, Turn
from memory import core, recall
from memory.actors import person
from memory.core import BlockFields
from memory.models import Block, Conversation, Message
from memory.texts import UNSTORABLE
from tenants.models import Workspace
from tenants.permissions import require_role
from tenants.scope import current_scope

MESSAGE_MAX = 1_000_000
CLIENT_ID_MAX = 120

# Sent after commit with tenant_id, workspace_id and turn_id of a turn that waits for a worker.
turn_queued = Signal()


class ClientIdReused(Exception):
    """This client_id was used for a different message of this conversation."""


class BadMessage(Exception):
    """A message cannot be sent like this."""


class NotRetryable(Exception):
    """Only the last turn of a chat can be tried again, and only where it failed or was stopped."""


class BadAgent(Exception):
    """An agent cannot be set up like this."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True)
class AgentFields:
    """What a person sets on an agent. None leaves a field as it is; window 0 takes the model's."""

    name: str | None = None
    description: str | None = None
    instructions: str | None = None
    model_id: uuid.UUID | None = None
    window: int | None = None


def create_agent(*, workspace_id: uuid.UUID, fields: AgentFields, persona: str = "") -> Agent:
    """A new agent with `persona`, and `human` for the present person. Raises NotAllowed, BadAgent."""
    require_role(workspace_id, "editor")
    agent = Agent(workspace_id=workspace_id, model=catalog.ensure_models())
    _assign(agent, fields)
    agent.save()
    described = BlockFields(
        label=blocks.PERSONA,
        description=str(blocks.DESCRIPTIONS[blocks.PERSONA]),
        value=persona or _("I am %(name)s. I am helpful, brief and honest.") % {"name": agent.name},
        limit=5000,
    )
    blocks.add_block(agent, described, actor=person(current_scope().user_id))
    ensure_human(agent)
    return agent


def update_agent(agent_id: uuid.UUID, fields: AgentFields) -> Agent:
    """Change an agent's settings. Raises Agent.DoesNotExist, NotAllowed, BadAgent.

    A new model counts with its own tokenizer and window from the next model call on.
    """
    agent = Agent.objects.select_related("model").get(id=agent_id, retired_at=None)
    require_role(agent.workspace_id, "editor")
    _assign(agent, fields)
    agent.save()
    return agent


def retire_agent(agent_id: uuid.UUID, *, retired: bool = True) -> Agent:
    """Take an agent out of the lists, or bring it back; its memory and chats stay."""
    agent = Agent.objects.get(id=agent_id)
    require_role(agent.workspace_id, "editor")
    agent.retired_at = timezone.now() if retired else None
    agent.save(update_fields=["retired_at"])
    return agent


def _assign(agent: Agent, fields: AgentFields) -> None:
    given = {name: value for name, value in vars(fields).items() if value is not None}
    if "model_id" in given:
        agent.model = LanguageModel.objects.select_related("provider").get(id=given.pop("model_id"))
    for name, value in given.items():
        setattr(agent, name, value)
    agent.window = agent.window or None
    if not agent.name.strip():
        raise BadAgent("name", "An agent needs a name.")
    if agent.window is not None and not WINDOW_MIN <= agent.window <= agent.model.window:
        raise BadAgent(
            "window", f"The window lies between {WINDOW_MIN} and the model's {agent.model.window} tokens."
        )


def ensure_human(agent: Agent) -> None:
    """The present person's own `human` block with this agent."""
    user_id = current_scope().user_id
    personal = current_scope().of_kind(Workspace.Kind.PERSONAL)
    if user_id and personal:
        blocks.ensure_human(agent, user_id, personal[0])


def start_chat(*, agent_id: uuid.UUID, workspace_id: uuid.UUID | None = None, title: str = "") -> MainContext:
    """A new chat with an agent: in my personal workspace, unless it is opened as a team's.

    Raises Agent.DoesNotExist, NotAllowed.
    """
    agent = Agent.objects.select_related("model").get(id=agent_id, retired_at=None)
    home = workspace_id or current_scope().of_kind(Workspace.Kind.PERSONAL)[0]
    if workspace_id and workspace_id not in {agent.workspace_id, *current_scope().of_kind("personal")}:
        raise Agent.DoesNotExist
    conversation = recall.start_conversation(workspace_id=home, title=title)
    ensure_human(agent)
    return MainContext.objects.create(workspace_id=home, agent=agent, conversation=conversation)


def chats(**conditions: Any) -> QuerySet[MainContext]:
    """The chats in sight, pinned ones first, then the latest."""
    rows = MainContext.objects.filter(conversation__deleted_at=None, **conditions)
    return rows.select_related("conversation", "agent", "agent__model").order_by(
        F("conversation__pinned_at").desc(nulls_last=True), "-conversation__last_message_at"
    )


def receive_message(*, conversation_id: uuid.UUID, content: str, client_id: str) -> Turn:
    """Store a person's message and queue its turn; the same client_id again answers the same turn.

    Raises Conversation.DoesNotExist, NotAllowed, BadMessage, ClientIdReused.
    """
    _check_message(content, client_id)
    context = MainContext.objects.select_related("conversation").get(
        conversation_id=conversation_id, conversation__deleted_at=None
    )
    require_role(context.workspace_id, "member")
    digest = hashlib.sha256(content.encode()).hexdigest()
    known = Turn.objects.filter(conversation_id=conversation_id, client_id=client_id).first()
    if known is None:
        try:
            with transaction.atomic():
                return _queue(context, content, client_id, digest)
        except IntegrityError:  # the same message arrived twice at once
            known = Turn.objects.get(conversation_id=conversation_id, client_id=client_id)
    if known.body_digest != digest:
        raise ClientIdReused(ClientIdReused.__doc__)
    return known


def _check_message(content: str, client_id: str) -> None:
    if not content.strip():
        raise BadMessage("The message is empty.")
    if len(content) > MESSAGE_MAX:
        raise BadMessage(f"A message has at most {MESSAGE_MAX:,} characters; this one has {len(content):,}.")
    if not 1 <= len(client_id) <= CLIENT_ID_MAX:
        raise BadMessage(f"A client_id has 1 to {CLIENT_ID_MAX} characters.")
    if UNSTORABLE.search(content + client_id):
        raise BadMessage("NUL and halves of surrogate pairs cannot be stored.")


def _queue(context: MainContext, content: str, client_id: str, digest: str) -> Turn:
    user_id = current_scope().person
    turn = Turn(
        workspace_id=context.workspace_id,
        context=context,
        conversation_id=context.conversation_id,
        user_id=user_id,
        client_id=client_id,
        body_digest=digest,
    )
    turn.message = recall.add_message(
        context.conversation,
        role=Message.Role.USER,
        content=content,
        actor=person(user_id),
        placed=False,
        turn_id=turn.id,
    )
    turn.save(force_insert=True)
    recall.note_activity(context.conversation, content)
    _announce_queued(turn)
    return turn


def _announce_queued(turn: Turn) -> Event:
    (queued,) = EventLog(turn).write(events.state(Turn.Status.QUEUED))
    publish(turn)
    return queued


def publish(turn: Turn) -> None:
    """Tell a worker about a queued turn, once this transaction is committed."""
    ids = {"tenant_id": turn.tenant_id, "workspace_id": turn.workspace_id, "turn_id": turn.id}
    transaction.on_commit(lambda: turn_queued.send_robust(sender=Turn, **ids))


def stop_turn(turn_id: uuid.UUID) -> Turn:
    """Ask a turn to stop; what was said until then is kept. One that waits ends here and now.

    Raises Turn.DoesNotExist, NotAllowed.
    """
    turn = _locked_turn(turn_id)
    if turn.has_ended or turn.stop_requested_at:
        return turn
    turn.stop_requested_at = timezone.now()
    if turn.status == Turn.Status.QUEUED:
        turn.status, turn.ended_at = Turn.Status.STOPPED, turn.stop_requested_at
        EventLog(turn).write(events.done(turn.status, [turn.message]))
    turn.save(update_fields=["status", "stop_requested_at", "ended_at"])
    if waiting := lease.next_in_line(turn.conversation_id):
        publish(waiting)
    return turn


def retry_turn(turn_id: uuid.UUID) -> Turn:
    """Queue an ended turn again; its message is not sent a second time. Raises NotRetryable."""
    turn = _locked_turn(turn_id)
    last = Turn.objects.filter(conversation_id=turn.conversation_id).order_by("-id").first()
    if turn.status in {Turn.Status.QUEUED, Turn.Status.RUNNING}:
        return turn
    if turn.status == Turn.Status.DONE or last is None or last.id != turn.id:
        raise NotRetryable(NotRetryable.__doc__)
    turn.status = Turn.Status.QUEUED
    turn.stop_requested_at = turn.ended_at = turn.lease_until = None
    turn.error_kind = turn.error_text = ""
    turn.attempt_base = turn.attempt
    turn.save()
    queued = _announce_queued(turn)
    events.forget(turn, before=queued.seq)
    return turn


def _locked_turn(turn_id: uuid.UUID) -> Turn:
    turn = Turn.objects.select_for_update().get(id=turn_id)
    require_role(turn.workspace_id, "member")
    return turn


def agent_blocks(agent: Agent) -> list[Block]:
    """The agent's core memory as the present person sees it."""
    user_id = current_scope().user_id
    return blocks.blocks_in_view(agent, user_id) if user_id else []


def add_agent_block(agent_id: uuid.UUID, fields: BlockFields) -> Block:
    """A new block in an agent's core memory. Raises Agent.DoesNotExist, NotAllowed, BadBlock, LimitPassed."""
    agent = Agent.objects.get(id=agent_id, retired_at=None)
    require_role(agent.workspace_id, "editor")
    return blocks.add_block(agent, fields, actor=core.by_me())


def rename_label(block: Block) -> None:
    """Carry a block's new label to its attachments. Raises BadBlock where an agent has that label already."""
    for row in AgentBlock.objects.filter(block=block).exclude(label=block.label):
        blocks.refuse_label(row.agent_id, block.label, row.person_id)
        row.label = block.label
        row.save(update_fields=["label"])


def edit_block(block_id: uuid.UUID, fields: BlockFields, *, expected_version: int) -> Block:
    """A person's edit of a block, with its label where it is attached. Raises VersionConflict, BlockError."""
    with transaction.atomic():
        block = core.edit_block(block_id, fields, expected_version=expected_version, actor=core.by_me())
        rename_label(block)
    return block


def open_chat(conversation_id: uuid.UUID) -> MainContext:
    """A chat with its agent. Raises Conversation.DoesNotExist."""
    found = chats(conversation_id=conversation_id).first()
    if found is None:
        raise Conversation.DoesNotExist
    return found
