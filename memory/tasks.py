"""Background work on what is remembered. Tasks carry ids only."""

from __future__ import annotations

import threading
import uuid
from typing import Any

import structlog
from celery import shared_task
from celery.signals import worker_shutting_down
from django.db import connection
from kombu.exceptions import OperationalError

from memory.documents import pipeline
from memory.documents.services import document_queued
from memory.embedding.jobs import Place, rota, waiting_places
from memory.index.announcing import entries_written

EMBEDDING_AGE = "30 days"
DOCUMENT_PATIENCE, AT_ONCE = "2 seconds", "0 seconds"
# One document at a time in a process: turns always find a thread.
_reading = threading.Lock()
log = structlog.get_logger()


@shared_task(name="memory.embed_workspace")  # type: ignore[untyped-decorator]
def embed_workspace(tenant_id: str, workspace_id: str) -> None:
    """Embed what waits in a workspace, some seconds' worth; the rest waits its turn in the queue again."""
    if rota().work([Place(uuid.UUID(tenant_id), uuid.UUID(workspace_id))]):
        _publish(sweep_unembedded)


@shared_task(name="memory.sweep_unembedded")  # type: ignore[untyped-decorator]
def sweep_unembedded() -> None:
    """Embed what was left: rows that the broker lost, and those of a model that is current no longer."""
    if rota().work(waiting_places()):
        _publish(sweep_unembedded)


@shared_task(name="memory.sweep_embeddings")  # type: ignore[untyped-decorator]
def sweep_embeddings() -> None:
    """Drop vectors of single texts after a month; those of the rows stay."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT drop_old_embeddings(%s)", [EMBEDDING_AGE])


@shared_task(name="memory.read_document")  # type: ignore[untyped-decorator]
def read_document(tenant_id: str, workspace_id: str, document_id: str) -> None:
    """Read and file a document; what waits meanwhile is looked for afterwards."""
    if not _reading.acquire(blocking=False):
        return
    try:
        pipeline.read(uuid.UUID(tenant_id), uuid.UUID(workspace_id), uuid.UUID(document_id))
    finally:
        _reading.release()
    _read_what_waits(AT_ONCE)


@shared_task(name="memory.sweep_documents")  # type: ignore[untyped-decorator]
def sweep_documents() -> None:
    """Take up documents that the broker lost or whose worker died."""
    _read_what_waits(DOCUMENT_PATIENCE)


def _read_what_waits(patience: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant, workspace, document FROM documents_left_alone(%s)", [patience])
        left = cursor.fetchall()
    for ids in left:
        _publish(read_document, *map(str, ids))


def enqueue_document(tenant_id: uuid.UUID, workspace_id: uuid.UUID, document_id: uuid.UUID, **_: Any) -> None:
    """Receiver of `document_queued`. A broker that is down loses nothing: the sweep finds the document."""
    _publish(read_document, str(tenant_id), str(workspace_id), str(document_id))


def enqueue(tenant_id: uuid.UUID, workspace_id: uuid.UUID, **_: Any) -> None:
    """Receiver of `entries_written`. A broker that is down loses nothing: the sweep finds the rows."""
    _publish(embed_workspace, str(tenant_id), str(workspace_id))


def stop(**_: Any) -> None:
    """Receiver of `worker_shutting_down`."""
    rota().stop()


def _publish(task: Any, *ids: str) -> None:
    try:
        task.apply_async(ids, retry=False)
    except OperationalError as error:
        log.warning("broker out of reach", task=task.name, error=str(error))


document_queued.connect(enqueue_document)
entries_written.connect(enqueue)
worker_shutting_down.connect(stop)
