"""The roles, the database and the extension that memsite needs: SQL to run as a superuser.

One text for all: the embedded PostgreSQL, `manage.py prepare_database`, and the administrator of a managed
database who runs what `prepare_database --sql` prints. It can be run again and then changes nothing.
"""

import hashlib
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.sql import SQL, Composed, Identifier, Literal


class RolesError(Exception):
    """The roles cannot be made."""

    def __init__(self, **facts: object) -> None:
        super().__init__(inspect.cleandoc(self.__doc__ or "").replace("\n", " ").format(**facts))


class AddressInvalid(RolesError):
    """{name} is not the address of a PostgreSQL database ({reason}).
    It looks like this: postgresql://role:password@host:5432/memsite"""


class AddressesDiffer(RolesError):
    """DATABASE_OWNER_URL and DATABASE_URL must name the same server and database, with two different roles:
    the owner of the tables, and the role that serves and is held by row-level security."""


@dataclass(frozen=True)
class Preparation:
    """Two roles and their database. `from_urls` reads them out of the two addresses."""

    database: str
    owner: str
    owner_password: str
    app: str
    app_password: str
    # For tests, which make databases of their own.
    owner_may_create_databases: bool = False

    @classmethod
    def from_urls(cls, owner_url: str, app_url: str, *, owner_may_create_databases: bool = False) -> Self:
        """Reads both addresses. Raises AddressInvalid and AddressesDiffer."""
        owner = _parts("DATABASE_OWNER_URL", owner_url)
        app = _parts("DATABASE_URL", app_url)
        places = [(parts["dbname"], parts.get("host"), parts.get("port", "5432")) for parts in (owner, app)]
        if places[0] != places[1] or owner["user"] == app["user"]:
            raise AddressesDiffer
        return cls(
            database=owner["dbname"],
            owner=owner["user"],
            owner_password=owner["password"],
            app=app["user"],
            app_password=app["password"],
            owner_may_create_databases=owner_may_create_databases,
        )

    def apply(self, superuser_url: str) -> None:
        """Runs it all on a server. Raises psycopg.Error."""
        with psycopg.connect(superuser_url, autocommit=True) as connection:
            for statement in self._roles():
                connection.execute(statement)
            exists = SQL("SELECT FROM pg_database WHERE datname = {}").format(Literal(self.database))
            if not connection.execute(exists).rowcount:
                connection.execute(self._create_database())
        inside = make_conninfo(superuser_url, dbname=self.database)
        with psycopg.connect(inside, autocommit=True) as connection:
            for grant in self._inside():
                connection.execute(grant)

    def script(self) -> str:
        """The same as a script for psql."""
        create = SQL(
            "SELECT {} WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = {}) \\gexec"
        ).format(Literal(self._create_database().as_string(None)), Literal(self.database))
        lines = [
            "-- Run this with psql, as a role that may make roles and databases.",
            "\\set ON_ERROR_STOP on",
            *(f"{statement.as_string(None)};" for statement in self._roles()),
            create.as_string(None),
            SQL("\\connect {}").format(Identifier(self.database)).as_string(None),
            *(f"{statement.as_string(None)};" for statement in self._inside()),
        ]
        return "\n".join(lines) + "\n"

    def fingerprint(self) -> str:
        """Tells whether what was run earlier is what would be run now."""
        return hashlib.sha256(self.script().encode()).hexdigest()

    def _roles(self) -> Iterator[Composed]:
        for role, password in ((self.owner, self.owner_password), (self.app, self.app_password)):
            yield SQL(
                "DO $prepare$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = {text})"
                " THEN CREATE ROLE {name}; END IF; END $prepare$"
            ).format(text=Literal(role), name=Identifier(role))
            yield SQL("ALTER ROLE {} LOGIN PASSWORD {}").format(Identifier(role), Literal(password))
        if self.owner_may_create_databases:
            yield SQL("ALTER ROLE {} CREATEDB").format(Identifier(self.owner))
        # The administrator of a managed database is no superuser, and may only give a database to a role
        # that it can become.
        yield SQL(
            "DO $prepare$ BEGIN IF NOT pg_has_role({text}, 'SET')"
            " THEN GRANT {name} TO CURRENT_USER; END IF; END $prepare$"
        ).format(text=Literal(self.owner), name=Identifier(self.owner))

    def _create_database(self) -> Composed:
        return SQL("CREATE DATABASE {} OWNER {} TEMPLATE template0 ENCODING 'UTF8'").format(
            Identifier(self.database), Identifier(self.owner)
        )

    def _inside(self) -> Iterator[SQL | Composed]:
        """Run in the database itself. Rights to tables are given by the migrations that make them."""
        database, owner, app = map(Identifier, (self.database, self.owner, self.app))
        yield SQL("CREATE EXTENSION IF NOT EXISTS vector")
        yield SQL("ALTER DATABASE {} OWNER TO {}").format(database, owner)
        yield SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(database)
        yield SQL("GRANT CONNECT ON DATABASE {} TO {}").format(database, app)
        yield SQL("GRANT USAGE, CREATE ON SCHEMA public TO {}").format(owner)
        yield SQL("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
        yield SQL("GRANT USAGE ON SCHEMA public TO {}").format(app)
        yield SQL(
            "DO $prepare$ BEGIN IF pg_has_role({app}, {owner}, 'MEMBER') OR EXISTS (SELECT FROM pg_roles"
            " WHERE rolname = {app} AND (rolsuper OR rolbypassrls))"
            " THEN RAISE EXCEPTION 'the role of DATABASE_URL could pass row-level security:"
            " it must not be a superuser, have BYPASSRLS or be a member of the owner'; END IF; END $prepare$"
        ).format(app=Literal(self.app), owner=Literal(self.owner))


def _parts(name: str, url: str) -> dict[str, str]:
    try:
        parts = {key: str(value) for key, value in conninfo_to_dict(url).items() if value}
    except psycopg.ProgrammingError as error:
        raise AddressInvalid(name=name, reason=str(error).strip()) from error
    for key in ("user", "password", "dbname"):
        if key not in parts:
            raise AddressInvalid(name=name, reason=f"it has no {key}")
    return parts
