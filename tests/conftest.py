"""What tests share: the database with committed data, the cast, a stub model.

There is no rollback and no mock: each test makes tenants of its own, which is also what isolates it.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connections

from tests.cast import Cast, Person, make_cast
from tests.migrated import make_database

pytest_plugins = ["tests.network_guard", "tests.live"]


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes name no test: a packed file has the second in it at which it was made, and the processes that
    share the tests must all collect the same ones."""
    return argname if isinstance(val, bytes) else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What is made while tests are collected stays to the end: some hundred thousand objects, at which the
    collector of garbage need look neither meanwhile, over and over, nor later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session")
def database(
    django_test_environment: None, django_db_modify_db_settings: None, django_db_blocker: Any
) -> Iterator[None]:
    """The test database, made by the owner and used by the app, open for the whole session.

    It stays, for whoever looks into a failure; the next session makes it anew.
    """
    from memory.retrieval import access

    access.EVERY = 86_400.0  # not written by a timer, in the middle of another test
    with django_db_blocker.unblock():
        make_database()
        yield
        connections.close_all()
        connections["default"].close_pool()


@pytest.fixture
def cast(database: None, unpublished: None) -> Cast:
    """Alice, Bob and Charlie."""
    return make_cast()


@pytest.fixture
def alice(cast: Cast) -> Person:
    return cast.alice


@pytest.fixture
def bob(cast: Cast) -> Person:
    return cast.bob


@pytest.fixture
def charlie(cast: Cast) -> Person:
    return cast.charlie


@pytest.fixture
def unpublished(database: None) -> Iterator[None]:
    """Work of this process is not given to the broker: tests do it themselves, or leave it."""
    from agents.summarising import context_filling, summary_due
    from agents.tasks import enqueue, enqueue_summary
    from agents.turns.line import turn_queued
    from memory import tasks
    from memory.documents.services import document_queued
    from memory.index import entries_written

    publishers = (
        (turn_queued, enqueue),
        (context_filling, enqueue_summary),
        (summary_due, enqueue_summary),
        (document_queued, tasks.enqueue_document),
        (entries_written, tasks.enqueue),
    )
    for signal, receiver in publishers:
        signal.disconnect(receiver)
    yield
    for signal, receiver in publishers:
        signal.connect(receiver)
