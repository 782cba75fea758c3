"""The recursive summary: what is evicted is folded into it, by quoting. No model is called.

Standing instructions outlive ordinary lines when the summary itself grows too long.
"""

from __future__ import annotations

import re

from django.utils import timezone

from agents.context.speakers import name_on
from agents.models import MainContext
from memory import index, provenance, recall
from memory.models import Message, Summary, Trust
from memory.recall import title_from

# A summary has at most this share of the window, a token counted as one character.
SHARE = 10
_STANDING = re.compile(
    r"\b(?:always|never|from now on|must|remember|don't|do not)\b"
    r"|以后|从现在起|总是|永远|必须|不要|记住|务必|一律",
    re.I,
)
_MARK = "! "
# A summary stands unquoted, and for long: an answer that quotes documents is only pointed at.
FROM_DOCUMENTS = '[answered from documents; read it with message_read(id="{id}")]'


def fold(context: MainContext, evicted: list[Message], most: int) -> Summary:
    """A new summary, of at most `most` characters, of the one before and of these messages, oldest first."""
    before = context.summary
    lines = before.content.splitlines() if before else []
    lines += [line for line in map(_line, evicted) if line]
    made = Summary.objects.create(
        workspace_id=context.workspace_id,
        conversation_id=context.conversation_id,
        previous=before,
        content="\n".join(_shortened(lines, most)),
        from_position=before.from_position if before else evicted[0].position or 1,
        to_position=evicted[-1].position or 0,
    )
    index.index_summary(made, hidden=recall.is_deleted(context.conversation_id))
    parents = [("message", message.id) for message in evicted]
    if before:
        parents.append(("summary", before.id))
    provenance.derive(context.workspace_id, parents=parents, child=("summary", made.id))
    return made


def _line(message: Message) -> str:
    """One message in one line; what tools said is left out, and so is what may be a document's words."""
    if message.role not in {Message.Role.USER, Message.Role.ASSISTANT} or not message.content.strip():
        return ""
    head = message.content[:2000]
    mark = _MARK if message.role == Message.Role.USER and _STANDING.search(head) else ""
    who = f"{message.role} {name_on(message)}".rstrip()
    said = title_from(head) if message.trust > Trust.UNTRUSTED else FROM_DOCUMENTS.format(id=message.id)
    return f"{mark}{timezone.localtime(message.created_at):%Y-%m-%d} {who}: {said}"


def _shortened(lines: list[str], most: int) -> list[str]:
    """At most `most` characters: the oldest ordinary lines go first, then the oldest; the last stays."""
    over = sum(len(line) + 1 for line in lines) - most
    gone: set[int] = set()
    older = range(len(lines) - 1)
    ordinary = [place for place in older if not lines[place].startswith(_MARK)]
    for place in [*ordinary, *(place for place in older if lines[place].startswith(_MARK))]:
        if over <= 0:
            break
        over -= len(lines[place]) + 1
        gone.add(place)
    return [line for place, line in enumerate(lines) if place not in gone]
