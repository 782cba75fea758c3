"""Writing the narrow table that retrieval reads."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Func, Value

from memory import lexical
from memory.models import IndexEntry, Message, Passage

INDEXED_ROLES = frozenset({Message.Role.USER, Message.Role.ASSISTANT})


class ArrayToVector(Func):
    """`array_to_tsvector`: lexemes as they are, without PostgreSQL's own cutting."""

    function = "array_to_tsvector"
    output_field = SearchVectorField()


def is_findable(message: Message) -> bool:
    """Whether search finds such a message. Not what tools said: recall would be fed back as memory."""
    return message.role in INDEXED_ROLES and bool(message.content.strip())


def index_message(message: Message, *, hidden: bool) -> None:
    """Make a message findable, or ready to be, where its chat is deleted at present."""
    state = IndexEntry.State.HIDDEN if hidden else IndexEntry.State.CURRENT
    _write(
        IndexEntry.Kind.MESSAGE,
        message,
        message.conversation_id,
        message.content,
        role=message.role,
        state=state,
    )


def index_passage(passage: Passage) -> None:
    """Make a passage findable."""
    _write(IndexEntry.Kind.PASSAGE, passage, passage.archive_id, passage.content, tags=passage.tags)


def hide(kind: str, container_id: uuid.UUID, *, hidden: bool = True) -> None:
    """Take everything of a container out of search, or bring it back."""
    states = (IndexEntry.State.CURRENT, IndexEntry.State.HIDDEN)
    before, after = states if hidden else states[::-1]
    IndexEntry.objects.filter(kind=kind, container_id=container_id, state=before).update(state=after)


def _write(kind: str, record: Any, container_id: uuid.UUID, text: str, **fields: Any) -> None:
    IndexEntry.objects.create(
        workspace_id=record.workspace_id,
        kind=kind,
        record_id=record.id,
        container_id=container_id,
        occurred_at=record.created_at,
        lexemes=_vector(lexical.lexemes(text)),
        **fields,
    )


def _vector(words: Iterable[str]) -> ArrayToVector:
    return ArrayToVector(Value(list(words), output_field=ArrayField(models.TextField())))
