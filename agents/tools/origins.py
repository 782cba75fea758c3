"""Where what was found is from, in words for a model: a chat, a document and its page, somebody's hand."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from typing import Any

from agents.context.attached import named
from agents.context.speakers import name_on, names_of
from memory.actors import ActorKind
from memory.models import Block, Conversation, Document, IndexEntry, Message, Passage, Source
from memory.retrieval import Hit
from tenants.scope import current_scope

PEOPLE = frozenset({ActorKind.USER, ActorKind.STAFF})
HEADINGS_MAX = 200
Origin = dict[str, Any]


def of_messages(hits: Sequence[Hit]) -> dict[uuid.UUID, Origin]:
    """For each message: its role, who said it where that was another person, and the chat."""
    chats = Conversation.objects.in_bulk({hit.container_id for hit in hits})
    others = others_in(hit.id for hit in hits if hit.role == Message.Role.USER)
    return {
        hit.id: {"role": hit.role, **others.get(hit.id, {}), "from": _chat(chats.get(hit.container_id))}
        for hit in hits
    }


def of_passages(hits: Sequence[Hit]) -> dict[uuid.UUID, Origin]:
    """For each passage or text that left a block: where it is from, and its tags."""
    rows = Passage.objects.select_related("source", "document").defer("content")
    passages = rows.in_bulk({hit.id for hit in hits if hit.kind == IndexEntry.Kind.PASSAGE})
    blocks = Block.objects.in_bulk({hit.container_id for hit in hits if hit.kind == IndexEntry.Kind.BLOCK})
    chats = _chats_behind(passages.values())
    people = names_of(each.actor_id for each in passages.values() if each.actor_kind in PEOPLE)
    found: dict[uuid.UUID, Origin] = {}
    for hit in hits:
        if passage := passages.get(hit.id):
            found[hit.id] = {"from": _from(passage, chats, people)}
        elif block := blocks.get(hit.container_id):
            found[hit.id] = {"from": f"memory block {block.label}"}
        if hit.tags:
            found.setdefault(hit.id, {})["tags"] = hit.tags
    return found


def of_passage(passage: Passage) -> str:
    """Where one passage is from."""
    people = names_of([passage.actor_id]) if passage.actor_kind in PEOPLE else {}
    return _from(passage, _chats_behind([passage]), people)


def place_in(document: Document, passage: Passage) -> str:
    """A document, the pages, and the headings above a passage."""
    parts = [f"document {named(document)}"]
    if passage.page:
        last = passage.page_to or passage.page
        parts.append(f"page {passage.page}" if last == passage.page else f"pages {passage.page} to {last}")
    if passage.headings:
        parts.append(" > ".join(passage.headings)[:HEADINGS_MAX])
    return ", ".join(parts)


def others_in(message_ids: Iterable[uuid.UUID]) -> dict[uuid.UUID, dict[str, str]]:
    """Who said what, as far as it was not the present person: in chats of several, and in imported ones."""
    rows = Message.objects.filter(id__in=list(message_ids), role=Message.Role.USER)
    said = list(rows.only("name", "actor_id", "turn_id"))
    me = current_scope().user_id
    names = names_of({each.actor_id for each in said if each.name or each.actor_id != me})
    others = [each for each in said if each.actor_id != me or each.name not in ("", names.get(me))]
    told = {each.id: name_on(each) or names.get(each.actor_id, "") for each in others}
    return {key: {"by": name} for key, name in told.items() if name}


def _from(passage: Passage, chats: dict[str, str], people: dict[uuid.UUID | None, str]) -> str:
    if passage.document:
        return place_in(passage.document, passage)
    if passage.actor_kind in PEOPLE:
        return f"filed by {people.get(passage.actor_id) or 'somebody'}"
    source = passage.source
    chat = chats.get(source.reference) if source and source.kind == Source.Kind.MESSAGE else None
    return f"filed by an agent in {chat}" if chat else "filed by an agent"


def _chats_behind(passages: Iterable[Passage]) -> dict[str, str]:
    """The chats in sight from which passages were filed, by the id of the message."""
    filed = [each.source for each in passages if each.source and not each.document_id]
    ids = {source.reference for source in filed if source.kind == Source.Kind.MESSAGE}
    rows = Message.objects.filter(id__in=ids).select_related("conversation").only("conversation__title")
    return {str(row.id): _chat(row.conversation) for row in rows} if ids else {}


def _chat(conversation: Conversation | None) -> str:
    if conversation is None:
        return "a chat"
    return f"chat “{conversation.title}”" if conversation.title else "a chat without a title"
