"""`manage.py demo`: something to look at."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from memsite.demo.chats import Unfinished
from memsite.demo.fill import fill


class Command(BaseCommand):
    """Run twice it makes nothing twice, and leaves what people changed meanwhile as it is."""

    help = "Fill the site for trying out: a colleague, a team with agents, shared blocks, proposals, chats."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--email", default="", help="for whom; the site's first owner otherwise")
        parser.add_argument("--base", default="", help="the site's address, such as http://localhost:8000")
        parser.add_argument("--migrate", action="store_true", help="bring the database up to date before")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["migrate"] and "owner" in settings.DATABASES:
            call_command("migrate", database="owner", interactive=False, verbosity=0)
        try:
            filled = fill(options["email"])
        except Unfinished as error:
            raise CommandError(str(error)) from None
        base = options["base"].rstrip("/")
        self.stdout.write(f"The team: {base}{filled.address}")
        self.stdout.write(f"Proposals that wait, {filled.waiting}: {base}{filled.inbox}")
        for each in filled.sign_ins:
            how = f"password {each.password}" if each.password else f"choose a password at {base}{each.link}"
            self.stdout.write(f"Sign in as {each.email}: {how}")
