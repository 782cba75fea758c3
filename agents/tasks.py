"""Background work on turns. Tasks carry ids only."""

from __future__ import annotations

import uuid
from typing import Any

import structlog
from celery import shared_task
from celery.signals import worker_init
from django.db import connection
from kombu.exceptions import OperationalError

from agents.context import tokens
from agents.lease import TurnKey
from agents.services import turn_queued
from agents.tools import catalog
from agents.turn import run_turn as turn_events

QUEUE_PATIENCE = "2 seconds"
EVENT_AGE = "1 hour"
log = structlog.get_logger()


@shared_task(name="agents.run_turn")  # type: ignore[untyped-decorator]
def run_turn(tenant_id: str, workspace_id: str, turn_id: str) -> None:
    """Work on one turn to its end."""
    for _ in turn_events(TurnKey(uuid.UUID(tenant_id), uuid.UUID(workspace_id), uuid.UUID(turn_id))):
        pass


@shared_task(name="agents.sweep_turns")  # type: ignore[untyped-decorator]
def sweep_turns() -> None:
    """Take up turns that the broker lost or whose worker died."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant, workspace, turn FROM turns_left_alone(%s)", [QUEUE_PATIENCE])
        left = cursor.fetchall()
    for tenant_id, workspace_id, turn_id in left:
        run_turn.delay(str(tenant_id), str(workspace_id), str(turn_id))


@shared_task(name="agents.sweep_events")  # type: ignore[untyped-decorator]
def sweep_events() -> None:
    """Drop the events of turns that ended an hour ago; messages and steps stay."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT drop_old_events(%s)", [EVENT_AGE])


def enqueue(tenant_id: Any, workspace_id: Any, turn_id: Any, **_: Any) -> None:
    """Receiver of `turn_queued`. A broker that is down loses nothing: the sweep finds the turn."""
    try:
        run_turn.apply_async([str(tenant_id), str(workspace_id), str(turn_id)], retry=False)
    except OperationalError as error:
        log.warning("broker out of reach", turn=str(turn_id), error=str(error))


def warm_up(**_: Any) -> None:
    """Receiver of `worker_init`: what the first turn would wait half a second for."""
    tokens.tokenizer(tokens.DEFAULT).count_tools(catalog.schemas())


turn_queued.connect(enqueue)
worker_init.connect(warm_up)
