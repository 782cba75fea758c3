"""The base of every task: it carries ids only and opens its own scopes."""

from __future__ import annotations

from typing import Any

from celery import Task
from django.db import close_old_connections


class ScopedTask(Task):  # type: ignore[misc]
    """A task gets JSON, never a scope: what it may see is looked up when it runs."""

    abstract = True

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().__call__(*args, **kwargs)
        finally:
            close_old_connections()
