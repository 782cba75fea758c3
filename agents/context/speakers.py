"""Who speaks in a chat that others read and write in: models read a name before each person's message."""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from memory.models import Message
from tenants.models import Workspace
from tenants.people import names_of as names_by_person
from tenants.scope import current_scope

NAME_MAX = 60
IMPORTED = "(imported)"
_MARKS = {ord(mark): " " for mark in "[]<>\uff1c\uff1e\uff3b\uff3d\ufe64\ufe65"}


def is_shared(workspace_id: uuid.UUID) -> bool:
    """Whether what is said in a workspace is read by others."""
    access = current_scope().workspaces.get(workspace_id)
    return access is not None and access.kind != Workspace.Kind.PERSONAL


def names_of(people: Iterable[uuid.UUID | None]) -> dict[uuid.UUID | None, str]:
    """Names of people, each in one line without brackets: no name ends the mark in which it stands."""
    return {person: _plain(name) for person, name in names_by_person(people).items()}


def speaker_in(workspace_id: uuid.UUID) -> str:
    """The present person's name, by which what they say in a chat is found where others speak too."""
    me = current_scope().user_id
    return names_of([me]).get(me, "") if is_shared(workspace_id) else ""


def note_speakers(messages: list[Message]) -> None:
    """Put the speaker's name on people's messages of a shared chat, as they are held here."""
    said = [each for each in messages if each.role == Message.Role.USER]
    if said and is_shared(said[0].workspace_id):
        names = names_of(each.actor_id for each in said)
        for each in said:
            each.name = each.name or names.get(each.actor_id, "")


def name_on(message: Message) -> str:
    """Whose a message is, as a model reads it: nobody here has said what was imported, whatever its name."""
    name = _plain(message.name)
    return f"{name} {IMPORTED}" if name and message.is_imported else name


def _plain(name: str) -> str:
    return " ".join(name.translate(_MARKS).split())[:NAME_MAX].strip()
