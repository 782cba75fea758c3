"""Chats that were had elsewhere, as chats with an agent: read in the page, found by search, gone on with."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection

from agents import services
from agents.context.settings import settings_of
from agents.context.tokens import tokenizer_of
from agents.context.window import capacity
from agents.context.writing import Form, Writer
from agents.models import Agent, MainContext, Turn
from memory import branches, core, importing, recall
from memory.actors import Actor, ActorKind
from memory.importing import ImportedMessage
from tenants.scope import current_scope

# The queue begins where so much of the prompt is filled: instructions and memory need room, too.
FILLED = 2
LOOK_BACK = 500


class TurnUnfinished(Exception):
    """A message of this chat is being answered, or waits for it. Import again when it is answered."""


class ImportDiffers(Exception):
    """A chat with this external_id is here already, and what was said in it is not the same."""


@dataclass(frozen=True)
class ImportedChat:
    """A chat, how many messages it got, how many of them it had already, and whether it is a new one."""

    context: MainContext
    count: int
    skipped: int
    is_new: bool


def import_conversation(
    agent_id: uuid.UUID,
    title: str,
    messages: Sequence[ImportedMessage],
    *,
    external_id: str = "",
    workspace_id: uuid.UUID | None = None,
) -> ImportedChat:
    """A chat with an agent that holds these messages; its window begins with the last of them that fit.

    The same import again, by the external ids and their words, finds the chat that it made, and adds what is
    new; one without external ids makes a new chat each time. With `external_id`, what the chat is called
    elsewhere, each message has an id by its number, and the title does not count. Without a title it is
    called by its first words. Raises Agent.DoesNotExist, NotAllowed, BadImport, ImportDiffers,
    TurnUnfinished; nothing is stored then.
    """
    messages = importing.numbered(messages, external_id) if external_id else messages
    importing.check(messages)
    agent = Agent.objects.select_related("model").get(id=agent_id, retired_at=None)
    home = workspace_id or current_scope().home
    _one_at_a_time(agent, external_id or title)
    known = _known(agent, home, "" if external_id else title, messages, is_named=bool(external_id))
    if known:
        _require_quiet(known)
    context = known or services.start_chat(
        agent_id=agent_id,
        workspace_id=workspace_id,
        title=title or recall.title_from(messages[0].content),
    )
    made = importing.import_messages(
        context.conversation,
        messages,
        actor=core.by_me(),
        assistant=Actor(ActorKind.AGENT, agent.id, agent.name),
    )
    if known is None:
        context.queue_from = _begin(agent, context)
        context.save(update_fields=["queue_from"])
    return ImportedChat(context, made.count, made.skipped, known is None)


def _require_quiet(context: MainContext) -> None:
    """Nothing comes between a question and its answer. Whoever asks now waits until the import is there."""
    recall.hold(context.conversation_id)
    if Turn.objects.filter(conversation=context.conversation_id).exclude(status__in=Turn.ENDED).exists():
        raise TurnUnfinished(TurnUnfinished.__doc__)


def _one_at_a_time(agent: Agent, title: str) -> None:
    """The same import twice at once makes one chat."""
    name = f"import {current_scope().person} {agent.id} {title}"
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])


def _known(
    agent: Agent, home: uuid.UUID, title: str, messages: Sequence[ImportedMessage], *, is_named: bool
) -> MainContext | None:
    """The chat that these messages were imported to before. One that is named is not made twice: raises
    ImportDiffers where it is there and says something else."""
    named = {"conversation__title": title} if title else {}
    mine = services.chats(
        agent=agent, workspace_id=home, conversation__owner_id=current_scope().person, **named
    )
    by_conversation = {context.conversation_id: context for context in mine}
    found = importing.conversation_with(messages, by_conversation)
    if is_named and found is None and importing.is_named_in(messages, by_conversation):
        raise ImportDiffers(ImportDiffers.__doc__)
    return by_conversation[found] if found else None


def _begin(agent: Agent, context: MainContext) -> int:
    """The position from which on the last messages fit into the agent's window beside everything else."""
    room = capacity(agent.window_size) // FILLED
    form = Form(clip=settings_of(agent).clip(agent.window_size))
    writer = Writer(tokenizer_of(agent.model), form)
    latest = branches.path(context.conversation_id).order_by("-position")[:LOOK_BACK]
    begin = 0
    for message in latest:
        room -= writer.shown([message])[0].tokens
        if room < 0 and begin:
            break
        begin = message.position or 1
    return begin or 1
