"""The vector index of a large tenant."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from memory.scale.vector_index import NoSuchModel, NoSuchTenant, build, tenant_called

MEMORY = (
    "what the build may use (maintenance_work_mem). 1GB holds about 700,000 vectors of 384 numbers; what "
    "does not fit takes many times as long"
)


class Command(BaseCommand):
    """Runs as the owner of the tables (DATABASE_OWNER_URL), beside the site that serves."""

    help = "Build the HNSW index of a tenant that holds more than about 20,000 records."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--tenant", required=True, help="its short name, or its id")
        parser.add_argument("--model", default="", help="an embedding model other than the current one")
        parser.add_argument("--memory", default="1GB", help=MEMORY)

    def handle(self, *args: Any, **options: Any) -> None:
        if "owner" not in connections:
            raise CommandError("This is the owner's work: set DATABASE_OWNER_URL.")
        try:
            name = build(tenant_called(options["tenant"]), options["model"], memory=options["memory"])
        except (NoSuchModel, NoSuchTenant) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{name} is built.")
