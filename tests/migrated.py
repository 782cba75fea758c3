"""The test database, migrated once and then copied: migrating takes seconds, copying hardly any time.

The copy that is kept has no rows but those of the migrations. Its name tells what it was made from, so that
another schema is made anew. Django migrates what it made from a copy too, and finds nothing left to do.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.db import connections
from django.test.utils import setup_databases
from psycopg.sql import SQL, Identifier

from tenants.rls import app_role
from tests.architecture.source import ROOT, Module, imports, modules

PREFIX = "migrated_for_tests_"
# One number for all who make test databases on a server. Any will do.
LOCK = 7_640_146


def make_database() -> None:
    """Make the test database, from the copy of a migrated one where there is one, else leave such a copy.

    The processes that share the tests of a run do this one after another: the first one migrates.
    """
    owner: Any = connections["owner"]
    copy = PREFIX + fingerprint()
    with owner.creation._nodb_cursor() as cursor, locked(cursor):
        is_there = copy in copies(cursor)
        owner.settings_dict["TEST"]["TEMPLATE"] = copy if is_there else None
        setup_databases(verbosity=0, interactive=False, serialized_aliases=[])
        if not is_there:
            owner.close()  # nobody may be in a database that is copied
            _replace(cursor, copy, owner.settings_dict["NAME"])
            owner.settings_dict["TEST"]["TEMPLATE"] = copy


def copies(cursor: Any) -> set[str]:
    """The copies that are kept on the server."""
    cursor.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [PREFIX])
    return {name for (name,) in cursor.fetchall()}


def fingerprint() -> str:
    """What a migrated database is made from: our migrations with what they import, packages, the role."""
    texts = [(ROOT / "requirements.txt").read_text(), app_role(), *settings.INSTALLED_APPS]
    texts += [each.path + each.text for each in sorted(schema_sources(), key=lambda each: each.path)]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


def schema_sources() -> set[Module]:
    """Our migrations, and the modules of ours that they import, also by way of others."""
    by_name = {each.name: each for each in modules(generated=True)}
    waiting = [each for each in by_name.values() if "/migrations/" in each.path]
    found: set[Module] = set()
    while waiting:
        each = waiting.pop()
        if each not in found:
            found.add(each)
            waiting += [by_name[one.name] for one in imports(each) if one.name in by_name]
    return found


@contextmanager
def locked(cursor: Any) -> Iterator[None]:
    """Nobody else makes or copies a test database on this server for as long as this lasts."""
    cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])
    try:
        yield
    finally:
        cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])


def _replace(cursor: Any, copy: str, source: str) -> None:
    """Keep a copy of `source`, and no other."""
    for name in copies(cursor):
        cursor.execute(SQL("DROP DATABASE {}").format(Identifier(name)))
    cursor.execute(SQL("CREATE DATABASE {} TEMPLATE {}").format(Identifier(copy), Identifier(source)))
