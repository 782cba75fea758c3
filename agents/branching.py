"""Going another way in a chat: a message edited, an answer asked for again, another branch taken up.

Each holds the chat, moves the path through its messages (`memory.branches`), and has everything follow that
rests on the path: the turns, and what the agent sees. Blocks stay as they are; `agents.left_memory` offers to
take back what was written on a branch that was left.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Q

from agents import chat_files, services
from agents.models import MainContext, Turn
from agents.services import ClientIdReused
from agents.turns import line
from memory import branches, recall
from memory.branches import Moved, OnLeftBranch
from memory.models import Message
from tenants.permissions import NotAllowed, require_role
from tenants.scope import current_scope


class ChatBusy(Exception):
    """A message of this chat is being answered, or waits for it. Stop it or wait, then try again."""


class NotEditable(Exception):
    """Only what a person wrote here can be edited: no answer, and nothing that was imported."""


class NotYourMessage(NotAllowed):
    """Only who wrote a message edits it."""

    def __init__(self) -> None:
        Exception.__init__(self, NotYourMessage.__doc__)
        self.needed = "member"


@dataclass(frozen=True)
class Forked:
    """A turn on a new branch, and the first message of what was left for it; None where nothing was."""

    turn: Turn
    left: uuid.UUID | None = None


def edit_message(message_id: uuid.UUID, *, content: str, client_id: str) -> Forked:
    """Say something else in the place of a message: it stands beside the old one, and is answered.

    The same client_id again answers the same turn. Raises Message.DoesNotExist, NotAllowed, BadMessage,
    ClientIdReused, NotEditable, NotYourMessage, ChatBusy, OnLeftBranch.
    """
    digest = services.checked(content, client_id)
    message = _in_sight(message_id)
    conversation = recall.hold(message.conversation_id)
    known = Turn.objects.select_related("message").filter(conversation=conversation, client_id=client_id)
    if (turn := known.first()) is not None:
        return Forked(_same(turn, message, digest))
    require_editable(message)
    _require_quiet(conversation.id)
    branches.settle(conversation.id)
    moved = branches.leave(message_id)
    context = MainContext.objects.select_related("conversation").get(conversation=conversation)
    made = services.queue_message(context, content, client_id, digest)
    if not moved.common:
        recall.retitle(conversation.id, content)
    chat_files.carry_over(message_id, made.message_id)
    _follow(conversation.id, moved)
    return Forked(made, message_id)


def answer_again(turn_id: uuid.UUID) -> Forked:
    """Ask for another answer to a turn's message, beside the one that is there.

    The last turn of a chat that said nothing is queued again itself. One that is being answered again already
    is answered as it is. Raises Turn.DoesNotExist, NotAllowed, ChatBusy, OnLeftBranch.
    """
    chat_id = Turn.objects.values_list("conversation_id", flat=True).get(
        id=turn_id, conversation__deleted_at=None
    )
    recall.hold(chat_id)
    turn = Turn.objects.select_related("message").get(id=turn_id)
    require_role(turn.workspace_id, "member")
    waiting = turn if not turn.has_ended else _unfinished(chat_id)
    if waiting is not None and waiting.message_id == turn.message_id:
        return Forked(waiting)
    _require_quiet(chat_id)
    if turn.is_abandoned:
        raise OnLeftBranch(OnLeftBranch.__doc__)
    branches.settle(chat_id)
    after = _after(turn)
    if _is_mute(turn, after):
        return Forked(services.retry_turn(turn_id))
    moved = branches.leave(after[0].id) if after else None
    made = _ask_again(turn)
    _follow(chat_id, moved, asked=turn.message_id)
    return Forked(made, after[0].id if after else None)


def switch(message_id: uuid.UUID) -> uuid.UUID | None:
    """Go on where a message stands that is on a branch that was left; answers the first message of what is
    left instead, None where nothing changes.

    Raises Message.DoesNotExist, NotAllowed, ChatBusy.
    """
    message = _in_sight(message_id)
    recall.hold(message.conversation_id)
    _require_quiet(message.conversation_id)
    branches.settle(message.conversation_id)
    moved = branches.take(message_id)
    if not moved.taken:
        return None
    _follow(message.conversation_id, moved)
    left, taken = (_first(ids) for ids in (moved.left, moved.taken))
    if left and taken:
        chat_files.carry_over(left.id, taken.id)
    if taken and not moved.common:
        recall.retitle(message.conversation_id, taken.content)
    return left.id if left else None


def require_editable(message: Message) -> None:
    """Raises NotEditable, NotYourMessage unless the present person wrote this message here."""
    if message.role != Message.Role.USER or message.is_imported:
        raise NotEditable(NotEditable.__doc__)
    if message.actor_id != current_scope().user_id:
        raise NotYourMessage


def fit(conversation_id: uuid.UUID, common: int) -> None:
    """What agents see of a chat follows its path, which is as it was up to the position `common`.

    The summary is the newest one of what lies on the path, and the queue begins after it; nothing is cleared
    beyond what both branches have. Whoever calls holds the conversation.
    """
    summary = branches.summary_of(conversation_id)
    for context in MainContext.objects.filter(conversation_id=conversation_id):
        if summary is not None:
            context.queue_from = summary.to_position + 1
        elif context.summary_id or context.queue_from > common + 1:
            context.queue_from = 1
        context.summary, context.is_filling = summary, False
        context.cleared_to = min(context.cleared_to, common)
        context.save(update_fields=["queue_from", "summary", "cleared_to", "is_filling"])


def _in_sight(message_id: uuid.UUID) -> Message:
    """A message of a chat in which the present person may write. Raises Message.DoesNotExist, NotAllowed."""
    message = Message.objects.get(id=message_id, conversation__deleted_at=None)
    require_role(message.workspace_id, "member")
    return message


def _unfinished(conversation_id: uuid.UUID) -> Turn | None:
    rows = Turn.objects.filter(conversation_id=conversation_id).exclude(status__in=Turn.ENDED)
    return rows.order_by("id").first()


def _require_quiet(conversation_id: uuid.UUID) -> None:
    if _unfinished(conversation_id) is not None:
        raise ChatBusy(ChatBusy.__doc__)


def _same(turn: Turn, message: Message, digest: str) -> Turn:
    """The turn of an edit that arrives again. Raises ClientIdReused where it was of something else."""
    made = turn.message
    is_beside = made.position is None or made.parent_id == message.parent_id
    if turn.body_digest != digest or made.id == message.id or not is_beside:
        raise ClientIdReused(ClientIdReused.__doc__)
    return turn


def _after(turn: Turn) -> list[Message]:
    """What follows a turn's message on the path: of the turn itself, then of others; all but the texts."""
    place = Message.objects.values_list("position", flat=True).get(id=turn.message_id) or 0
    rows = branches.path(turn.conversation_id).filter(position__gt=place)
    return list(rows.order_by("position").only("id", "turn_id", "conversation_id"))


def _is_mute(turn: Turn, after: list[Message]) -> bool:
    """Whether a turn ended as the last one without a word: nothing is there that could be kept."""
    is_last = all(each.turn_id == turn.id for each in after)
    spoken = Message.objects.filter(turn_id=turn.id, role=Message.Role.ASSISTANT).exclude(content="")
    return is_last and turn.status != Turn.Status.DONE and not spoken.exists()


def _ask_again(turn: Turn) -> Turn:
    """Another turn of the same message, in the name of who wrote it, with no wider reach than who asks."""
    made = Turn(
        workspace_id=turn.workspace_id,
        context_id=turn.context_id,
        conversation_id=turn.conversation_id,
        message=turn.message,
        user_id=turn.user_id,
        reach=services.reach_again(turn),
        client_id=uuid.uuid4().hex,
        body_digest=turn.body_digest,
    )
    made.save(force_insert=True)
    line.announce(made)
    return made


def _follow(conversation_id: uuid.UUID, moved: Moved | None, asked: uuid.UUID | None = None) -> None:
    """Turns and contexts follow the path; `asked` is a message that has got a turn."""
    changed = [*(moved.left + moved.taken if moved else ()), *([asked] if asked else ())]
    _mark_turns(changed)
    if moved:
        fit(conversation_id, moved.common)


def _mark_turns(changed: Collection[uuid.UUID]) -> None:
    """Write which turns are abandoned, of those that these messages belong to.

    Of the turns of one message that one is the chat's whose answer is on the path; where none is, the newest
    that has not said anything.
    """
    of = Message.objects.filter(id__in=changed).exclude(turn_id=None).values("turn_id")
    asked = Turn.objects.filter(Q(id__in=of) | Q(message_id__in=changed)).values("message_id")
    rows = Turn.objects.filter(message_id__in=asked).select_related("message").order_by("id")
    turns = list(rows.only("id", "message_id", "message__is_abandoned"))
    own = _on_path(turns)
    Turn.objects.filter(id__in=own, is_abandoned=True).update(is_abandoned=False)
    others = [turn.id for turn in turns if turn.id not in own]
    Turn.objects.filter(id__in=others, is_abandoned=False).update(is_abandoned=True)


def _on_path(turns: list[Turn]) -> set[uuid.UUID]:
    answers = Message.objects.filter(turn_id__in=[turn.id for turn in turns]).exclude(role=Message.Role.USER)
    known = set(answers.values_list("turn_id", "is_abandoned").distinct())
    by_message: dict[uuid.UUID, list[uuid.UUID]] = defaultdict(list)
    for turn in turns:
        if not turn.message.is_abandoned:
            by_message[turn.message_id].append(turn.id)
    found: set[uuid.UUID] = set()
    for ids in by_message.values():
        live = [key for key in ids if (key, False) in known]
        mute = [key for key in ids if (key, False) not in known and (key, True) not in known]
        found.update(live[-1:] or mute[-1:])
    return found


def _first(message_ids: list[uuid.UUID]) -> Message | None:
    return Message.objects.filter(id__in=message_ids).order_by("position").first()
