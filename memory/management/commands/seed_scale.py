"""Passages by the hundred thousand, to measure with."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from memory.scale.seeding import SHARES, seed


class Command(BaseCommand):
    """Runs as the owner of the tables (DATABASE_OWNER_URL). Never on a site that people use."""

    help = "Make N passages in 200 tenants, the largest with 40 % of them, with synthetic texts and vectors."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("passages", type=int, help="how many, at least 10,000")

    def handle(self, *args: Any, **options: Any) -> None:
        if "owner" not in connections:
            raise CommandError("This is the owner's work: set DATABASE_OWNER_URL.")
        if options["passages"] < 10_000:
            raise CommandError("Make at least 10,000: the smallest share would be nothing.")
        made = seed(options["passages"], say=self.stdout.write)
        tenants = {home.tenant for home in made.homes}
        self.stdout.write(
            f"{made.passages:,} passages in {len(made.homes)} workspaces of {len(tenants)} tenants, as if "
            f"{made.model} had embedded them. The largest tenant is {made.homes[0].tenant}. "
            "Of its workspaces hold, of all passages together:"
        )
        for place, share in enumerate(SHARES):
            self.stdout.write(f"  the first {place + 1}, up to {made.homes[place].workspace}: {share:.2%}")
