"""Who is asking, as the database was told."""

import uuid

from django.db import connection

from tests.cast import Person

NOBODY = ("", "", "", "")


def said() -> tuple[str, ...]:
    """Who is asking, as the database was told."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(current_setting('memsite.tenant', true), ''), "
            "coalesce(current_setting('memsite.person', true), ''), "
            "coalesce(current_setting('memsite.reach', true), ''), "
            "coalesce(current_setting('memsite.staff', true), '')"
        )
        return tuple(cursor.fetchone())


def reached() -> set[uuid.UUID]:
    """My workspaces, as the policies know them."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT my_workspaces()")
        return set(cursor.fetchone()[0])


def is_for(person: Person) -> bool:
    return said() == tuple(person.identity.settings()) and person.personal in reached()
