"""`manage.py prepare_database`: what needs a superuser, done once before the first migration."""

import os
from argparse import ArgumentParser

import psycopg
from django.core.management.base import BaseCommand, CommandError

from memsite.database_roles import Preparation, RolesError


class Command(BaseCommand):
    """Makes the roles of DATABASE_OWNER_URL and DATABASE_URL, their database and the extension vector."""

    help = __doc__
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Options of the command."""
        parser.add_argument("--sql", action="store_true", help="print a script for psql and connect nowhere")
        parser.add_argument(
            "--superuser-url",
            default=os.environ.get("DATABASE_SUPERUSER_URL", ""),
            help="address of a role that may make roles and databases (or set DATABASE_SUPERUSER_URL)",
        )

    def handle(self, *, sql: bool, superuser_url: str, **_: object) -> None:
        """Prints the script, or runs it."""
        try:
            preparation = Preparation.from_urls(_address("DATABASE_OWNER_URL"), _address("DATABASE_URL"))
            if sql:
                self.stdout.write(preparation.script(), ending="")
                return
            if not superuser_url:
                raise CommandError("Give --superuser-url, or print the SQL with --sql.")
            preparation.apply(superuser_url)
        except RolesError as error:
            raise CommandError(str(error)) from error
        except psycopg.Error as error:
            raise CommandError(error.diag.message_primary or str(error).strip()) from error
        self.stdout.write(f"The database {preparation.database} is ready for migrations.")


def _address(name: str) -> str:
    if not os.environ.get(name):
        raise CommandError(
            f"{name} is not set. Set DATABASE_OWNER_URL and DATABASE_URL to the addresses that memsite is to"
            " use, with passwords of your choice: the roles are made from them."
        )
    return os.environ[name]
