"""A database for one measurement: made, migrated, and dropped again, so that nothing of it stays anywhere.

One that is killed from outside leaves its database, named `memsite_evaluation_...`, on the server.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import LiteralString, cast

from django.core.management import call_command
from django.db import OperationalError, connections
from django.db.backends.postgresql.base import DatabaseWrapper
from psycopg.errors import ObjectInUse
from psycopg.sql import SQL, Identifier

OWNER, APP = "owner", "default"
PREFIX = "memsite_evaluation_"
DROPS, PAUSE = 40, 0.25


class OwnerMissing(Exception):
    """DATABASE_OWNER_URL is not set: only the owner can make a database to measure in."""

    def __init__(self) -> None:
        super().__init__(self.__doc__)


@contextmanager
def own_database() -> Iterator[str]:
    """Both connections lead to a new database for as long as this lasts; yields its name.

    The owner must be allowed to make databases. Raises OwnerMissing where nothing leads to the owner.
    """
    if OWNER not in connections.databases:
        raise OwnerMissing
    name = PREFIX + secrets.token_hex(4)
    former = connections[OWNER].settings_dict["NAME"]
    _execute("CREATE DATABASE {}", name)
    try:
        _lead_to(name)
        call_command("migrate", database=OWNER, verbosity=0)
        yield name
    finally:
        _lead_to(former)
        _drop(name)
        connections[OWNER].close()


def _drop(name: str) -> None:
    """Drop a database. PostgreSQL takes a moment to notice that its last session has gone."""
    for tries_left in reversed(range(DROPS)):
        try:
            _execute("DROP DATABASE {}", name)
            return
        except OperationalError as error:
            if not (tries_left and isinstance(error.__cause__, ObjectInUse)):
                raise
            time.sleep(PAUSE)


def _execute(statement: LiteralString, name: str) -> None:
    with connections[OWNER].cursor() as cursor:
        cursor.execute(SQL(statement).format(Identifier(name)))


def _lead_to(name: str) -> None:
    for alias in (OWNER, APP):
        each = cast(DatabaseWrapper, connections[alias])
        each.close()
        each.close_pool()
        each.settings_dict["NAME"] = name
