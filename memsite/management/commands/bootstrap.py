"""The first tenant, its owner, an agent and a key, for scripts."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.text import slugify

from memsite.bootstrap import Refused, bootstrap

SLUG_MAX = 64


class Command(BaseCommand):
    """Run twice it changes nothing, but replaces the key named `bootstrap`."""

    help = "Make a tenant with its owner, a first agent and an API key."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--tenant", required=True, help="the tenant's short name, such as acme")
        parser.add_argument("--email", required=True, help="the owner's e-mail")
        parser.add_argument("--password", required=True, help="the owner's password, for a new account")
        parser.add_argument("--name", default="", help="the owner's name; the part before @ otherwise")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        slug = options["tenant"]
        if not slug or slugify(slug) != slug or len(slug) > SLUG_MAX:
            raise CommandError(
                f"--tenant takes 1 to {SLUG_MAX} small letters, digits and hyphens, such as acme."
            )
        try:
            made = bootstrap(
                slug=options["tenant"],
                email=options["email"],
                password=options["password"],
                name=options["name"] or options["email"].partition("@")[0],
            )
        except Refused as error:
            raise CommandError(str(error)) from None
        if options["json"]:
            self.stdout.write(json.dumps(made, ensure_ascii=False))
        else:
            for key, value in made.items():
                self.stdout.write(f"{key}: {value}")
