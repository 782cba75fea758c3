"""Sessions that hold rows while others want them."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from queue import Queue
from threading import Event
from typing import Any

from django.db import connection

from tests.agents.mortal import until
from tests.cast import Person

PATIENCE = 20.0
"""Seconds after which a session that is waited for gives way, so that a test fails instead of hanging."""


class Undone(Exception):
    """What was done is rolled back."""


@contextmanager
def unfinished(person: Person, act: Callable[[], object]) -> Iterator[None]:
    """A person's session of its own has done this, and commits at the end of the block. Fails where the block
    waits for it."""
    is_done, may_commit = Event(), Event()

    def session() -> bool:
        try:
            with person.scope():
                act()
                is_done.set()
                return may_commit.wait(PATIENCE)
        finally:
            is_done.set()
            connection.close()

    with ThreadPoolExecutor(1) as elsewhere:
        doing = elsewhere.submit(session)
        is_done.wait()
        try:
            yield
        finally:
            may_commit.set()
        assert doing.result(), "nobody has waited for it"


def locked_by(act: Callable[[], object], person: Person, rows: Collection[Any], held: Any) -> set[uuid.UUID]:
    """Which of these rows somebody has locked who does this and comes to one that is held; it is undone."""
    ids = {row.id for row in rows}
    with ThreadPoolExecutor(1) as elsewhere:
        with person.scope():
            table = type(held).objects.all()
            table.select_for_update().get(id=held.id)
            doing = waits_for_us(elsewhere, person, lambda: undone(act))
            free = table.filter(id__in=ids).select_for_update(skip_locked=True)
            locked = ids - set(free.values_list("id", flat=True))
        assert isinstance(doing.exception(timeout=60), Undone), "it has come to its end"
    return locked


def undone(act: Callable[[], object]) -> None:
    """Do something for nothing."""
    act()
    raise Undone


def waits_for_us(elsewhere: ThreadPoolExecutor, person: Person, act: Callable[[], object]) -> Future[None]:
    """A person's session of its own does this; it waits for something that we hold."""
    sessions: Queue[int] = Queue()

    def session() -> None:
        try:
            with person.scope():
                sessions.put(connection.connection.info.backend_pid)
                act()
        finally:
            connection.close()

    doing = elsewhere.submit(session)
    its_id = sessions.get(timeout=60)
    until(lambda: _waits(its_id) or doing.done())
    assert not doing.done(), "it wants what we hold, too"
    return doing


def _waits(session: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid() = ANY (pg_blocking_pids(%s))", [session])
        return bool(cursor.fetchone()[0])
