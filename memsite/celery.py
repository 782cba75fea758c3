"""The Celery application: lean, results ignored, one task at a time per thread."""

from __future__ import annotations

import os
import sys
from typing import Any

from celery import Celery
from celery.signals import worker_init
from django.conf import settings

from memsite.checks import UnboundRole, refuse_unbound_role

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memsite.settings")
if not settings.configured:
    # A worker or beat starts here, and serves no page: it needs neither the admin nor Celery's look at every
    # address of the site, which would load them all (16 MB).
    os.environ.setdefault("MEMSITE_ADMIN", "no")
    os.environ.setdefault("CELERY_SKIP_CHECKS", "yes")

app = Celery("memsite", task_cls="tenants.tasks:ScopedTask")
app.config_from_object(
    {
        "broker_connection_retry_on_startup": True,
        # A broker that is down or silent holds a request for a second; the sweep finds the turn.
        "broker_transport_options": {
            "visibility_timeout": 3600,
            "socket_connect_timeout": 1,
            "socket_timeout": 1,
            "max_retries": 0,
            "interval_start": 0,
            "connect_retries_timeout": 1,
        },
        "task_ignore_result": True,
        "task_acks_late": False,
        "task_default_queue": "memsite",
        "worker_prefetch_multiplier": 1,
        "worker_send_task_events": False,
        "worker_hijack_root_logger": False,
        "timezone": "UTC",
        "beat_schedule": {
            # Turns whose worker died or whose message the broker lost: found again in the database.
            "sweep-turns": {"task": "agents.sweep_turns", "schedule": 5.0, "options": {"expires": 5}},
            # Tool calls about which nobody decided in time.
            "sweep-approvals": {
                "task": "agents.sweep_approvals",
                "schedule": 30.0,
                "options": {"expires": 30},
            },
            "sweep-events": {"task": "agents.sweep_events", "schedule": 600.0, "options": {"expires": 300}},
            # Queues that are filling, and summaries that a model is to make anew.
            "sweep-summaries": {
                "task": "agents.sweep_summaries",
                "schedule": 10.0,
                "options": {"expires": 10},
            },
            # Documents that nobody reads.
            "sweep-documents": {
                "task": "memory.sweep_documents",
                "schedule": 5.0,
                "options": {"expires": 5},
            },
            # Rows that no model, or not the current one, has embedded.
            "sweep-unembedded": {
                "task": "memory.sweep_unembedded",
                "schedule": 10.0,
                "options": {"expires": 10},
            },
            "sweep-embeddings": {
                "task": "memory.sweep_embeddings",
                "schedule": 24 * 3600.0,
                "options": {"expires": 3600},
            },
        },
    }
)
app.conf.broker_url = os.environ.get("CELERY_BROKER_URL")


def _configure(**_: Any) -> None:
    app.conf.broker_url = settings.CELERY_BROKER_URL


def _check_role(**_: Any) -> None:
    try:
        refuse_unbound_role()
    except UnboundRole as error:
        sys.exit(f"memsite: {error}")


app.on_configure.connect(_configure)
worker_init.connect(_check_role)
app.autodiscover_tasks(["agents", "memory", "tenants"])
