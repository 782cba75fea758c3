"""Background work on turns. Tasks carry ids only."""

from __future__ import annotations

import uuid
from typing import Any

import structlog
from celery import shared_task
from celery.signals import worker_init
from django.db import connection
from kombu.exceptions import OperationalError

from agents import summarising
from agents.context import tokens
from agents.summarising import context_filling, summary_due
from agents.tools import catalog
from agents.turns import approvals
from agents.turns.line import turn_queued
from agents.turns.loop import run_turn as turn_events
from memory.models import Summary
from tenants.scope import RowKey, scope

QUEUE_PATIENCE = "2 seconds"
EVENT_AGE = "1 hour"
log = structlog.get_logger()


@shared_task(name="agents.run_turn")  # type: ignore[untyped-decorator]
def run_turn(tenant_id: str, workspace_id: str, turn_id: str) -> None:
    """Work on one turn to its end."""
    for _ in turn_events(RowKey(uuid.UUID(tenant_id), uuid.UUID(workspace_id), uuid.UUID(turn_id))):
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


@shared_task(name="agents.expire_approval")  # type: ignore[untyped-decorator]
def expire_approval(tenant_id: str, workspace_id: str, approval_id: str) -> None:
    """A call about which nobody decided in time: its turn goes on without it."""
    with scope(_row(tenant_id, workspace_id, approval_id).background()):
        approvals.expire(uuid.UUID(approval_id))


@shared_task(name="agents.sweep_approvals")  # type: ignore[untyped-decorator]
def sweep_approvals() -> None:
    """Find the calls about which nobody decided in time."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant, workspace, approval FROM approvals_expired()")
        late = cursor.fetchall()
    for ids in late:
        expire_approval.delay(*map(str, ids))


@shared_task(name="agents.summarise")  # type: ignore[untyped-decorator]
def summarise(tenant_id: str, workspace_id: str, context_id: str) -> None:
    """Make a summary of what is to leave a chat's queue."""
    summarising.take_up(_row(tenant_id, workspace_id, context_id))


@shared_task(name="agents.mend_summary")  # type: ignore[untyped-decorator]
def mend_summary(tenant_id: str, workspace_id: str, summary_id: str) -> None:
    """Make a summary anew that is due."""
    summarising.mend(_row(tenant_id, workspace_id, summary_id))


@shared_task(name="agents.sweep_summaries")  # type: ignore[untyped-decorator]
def sweep_summaries() -> None:
    """Take up queues that are filling and summaries that are due, as the broker may have lost them."""
    for function, task in (("contexts_filling", summarise), ("summaries_to_mend", mend_summary)):
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT * FROM {function}()")
            left = cursor.fetchall()
        for ids in left:
            task.delay(*map(str, ids))


def _row(tenant_id: str, workspace_id: str, row_id: str) -> RowKey:
    return RowKey(uuid.UUID(tenant_id), uuid.UUID(workspace_id), uuid.UUID(row_id))


def enqueue(tenant_id: Any, workspace_id: Any, turn_id: Any, **_: Any) -> None:
    """Receiver of `turn_queued`. A broker that is down loses nothing: the sweep finds the turn."""
    try:
        run_turn.apply_async([str(tenant_id), str(workspace_id), str(turn_id)], retry=False)
    except OperationalError as error:
        log.warning("broker out of reach", turn=str(turn_id), error=str(error))


def enqueue_summary(sender: type, tenant_id: Any, workspace_id: Any, row_id: Any, **_: Any) -> None:
    """Receiver of `context_filling` and `summary_due`; what the broker loses, the sweep finds."""
    task = mend_summary if sender is Summary else summarise
    try:
        task.apply_async([str(tenant_id), str(workspace_id), str(row_id)], retry=False)
    except OperationalError as error:
        log.warning("broker out of reach", row=str(row_id), error=str(error))


def warm_up(**_: Any) -> None:
    """Receiver of `worker_init`: what the first turn would wait half a second for."""
    tokens.tokenizer(tokens.DEFAULT).count_tools(catalog.schemas())


turn_queued.connect(enqueue)
context_filling.connect(enqueue_summary)
summary_due.connect(enqueue_summary)
worker_init.connect(warm_up)
