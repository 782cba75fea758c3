"""The cache of vectors: the same text is embedded once in a workspace, whichever rows it stands in."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Collection, Mapping

from memory.embedding.base import Vector
from memory.models import Embedding


def digest_of(text: str) -> str:
    """What a text is known by in the cache."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def known(model: str, workspace_id: uuid.UUID, digests: Collection[str]) -> dict[str, Vector]:
    """The vectors that a model made of texts in a workspace, by digest."""
    rows = Embedding.objects.filter(workspace_id=workspace_id, model=model, digest__in=list(digests))
    return dict(rows.values_list("digest", "vector"))


def keep(model: str, workspace_id: uuid.UUID, found: Mapping[str, Vector]) -> None:
    """Remember vectors by the digests of their texts; those that other models made of them are let go."""
    Embedding.objects.filter(workspace_id=workspace_id, digest__in=list(found)).exclude(model=model).delete()
    rows = [
        Embedding(workspace_id=workspace_id, model=model, digest=digest, vector=vector)
        for digest, vector in found.items()
    ]
    Embedding.objects.bulk_create(rows, ignore_conflicts=True)
