"""Adding embedding models, and changing the one that embeds: for whoever runs the site.

While rows are embedded again both models serve, each for the rows that it has embedded.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.db import connection, transaction

from memory.embedding.base import Embedder
from memory.embedding.catalog import current_row, embedder, forget
from memory.embedding.endpoint import EndpointEmbedder
from memory.embedding.jobs import embed_batch, waiting_places
from memory.models import EmbeddingModel
from memory.models.index import MODEL_NAME_MAX
from tenants import secrets

DIMENSIONS_MAX = 4000
"""What an HNSW index over `halfvec` takes."""


class BadEmbeddingModel(Exception):
    """An embedding model cannot be set up like this."""


@dataclass(frozen=True)
class ModelFields:
    """A model at an endpoint. `dimensions` 0 takes as many as the endpoint answers with."""

    name: str
    base_url: str
    remote_name: str
    dimensions: int = 0
    tokens_max: int = 512
    query_prefix: str = ""
    passage_prefix: str = ""
    key: str = ""


@dataclass(frozen=True)
class Rows:
    """How many rows of a tenant a model has embedded, and how many texts it did not take; "" is no model."""

    tenant_id: uuid.UUID
    tenant: str
    model: str
    rows: int
    refused: int


@dataclass(frozen=True)
class Progress:
    """How many rows the current model has embedded, of how many."""

    done: int
    total: int


def add_model(fields: ModelFields) -> EmbeddingModel:
    """A new model, once it has answered a question and a passage. Raises BadEmbeddingModel, EmbedderDown."""
    _check(fields)
    dimensions = _try(fields)
    return EmbeddingModel.objects.create(
        name=fields.name,
        base_url=fields.base_url.rstrip("/"),
        remote_name=fields.remote_name,
        key_encrypted=secrets.conceal(fields.key),
        dimensions=dimensions,
        tokens_max=fields.tokens_max,
        query_prefix=fields.query_prefix,
        passage_prefix=fields.passage_prefix,
    )


def use_model(name: str) -> Embedder:
    """Make a model the one that embeds. Rows of the others serve until they are embedded again.

    Raises BadEmbeddingModel, and EmbedderDown where it does not answer: then nothing has changed.
    """
    current_row()
    forget()
    if not EmbeddingModel.objects.filter(name=name).exists():
        raise BadEmbeddingModel(f"There is no embedding model {name}.")
    found = embedder(name)
    found.query("hello")
    with transaction.atomic():
        EmbeddingModel.objects.filter(is_current=True).exclude(name=name).update(is_current=False)
        EmbeddingModel.objects.filter(name=name).update(is_current=True)
    forget()
    return found


def embed_everything(*, every: float = 1.0) -> Iterator[Progress]:
    """Embed what the current model has not, in all tenants, and say every so many seconds how far that is.

    May be left at any time: what is done is done, the worker goes on. Raises EmbedderDown.
    """
    yield progress()
    said_at = time.monotonic()
    while places := waiting_places():
        done = 0
        for place in places:
            done += embed_batch(place)
            if time.monotonic() - said_at >= every:
                yield progress()
                said_at = time.monotonic()
        if not done:
            time.sleep(every)  # the worker has them
    yield progress()


def progress() -> Progress:
    """How far the current model is."""
    now = current_row().name
    rows = embedded_rows()
    return Progress(sum(each.rows for each in rows if each.model == now), sum(each.rows for each in rows))


def embedded_rows() -> list[Rows]:
    """How many rows each model has embedded, by tenant."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant, slug, model, rows, refused FROM embedded_rows() ORDER BY slug, model")
        return [Rows(*row) for row in cursor.fetchall()]


def _check(fields: ModelFields) -> None:
    address = urlsplit(fields.base_url)
    if address.scheme not in {"http", "https"} or not address.hostname or address.query or address.fragment:
        raise BadEmbeddingModel("A base URL looks like https://api.example.com/v1.")
    if address.username or address.password:
        raise BadEmbeddingModel("Leave name and password out of the base URL.")
    if not fields.name.isprintable() or not 0 < len(fields.name) <= MODEL_NAME_MAX or " " in fields.name:
        raise BadEmbeddingModel(f"A name has 1 to {MODEL_NAME_MAX} characters and no spaces.")
    current_row()  # the built-in model has its name first
    if EmbeddingModel.objects.filter(name=fields.name).exists():
        raise BadEmbeddingModel(f"There is an embedding model {fields.name} already.")
    if not fields.remote_name or not 16 <= fields.tokens_max <= 1_000_000:
        raise BadEmbeddingModel("Say which model the endpoint is asked for, and how many tokens it reads.")
    if not 0 <= fields.dimensions <= DIMENSIONS_MAX:
        raise BadEmbeddingModel(f"Vectors have at most {DIMENSIONS_MAX} dimensions.")


def _try(fields: ModelFields) -> int:
    """The number of dimensions that the endpoint answers with."""
    model = EndpointEmbedder(
        fields.name, fields.base_url, fields.key, fields.remote_name, fields.dimensions, attempts=1
    )
    found = len(model.query(f"{fields.query_prefix}hello"))
    if found > DIMENSIONS_MAX:
        raise BadEmbeddingModel(f"It answers {found} dimensions; at most {DIMENSIONS_MAX} can be searched.")
    return found
