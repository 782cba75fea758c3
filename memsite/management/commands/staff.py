"""Who is staff of the site, and so enters the admin."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memsite.bootstrap import Refused, ensure_account
from tenants.operators import NoAccount, appoint


class Command(BaseCommand):
    """There is no page for this: only who has the machine appoints staff."""

    help = "Make a person staff of the site, or no longer; staff enters /admin/."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", help="the e-mail of the person's account")
        parser.add_argument("--password", default="", help="make an account with it, where there is none")
        parser.add_argument("--remove", action="store_true", help="they are staff no longer")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["password"] and not options["remove"]:
                ensure_account(options["email"], options["password"])
            user = appoint(options["email"], is_staff=not options["remove"])
        except NoAccount as error:
            raise CommandError(f"{error} Make one with --password.") from None
        except Refused as error:
            raise CommandError(str(error)) from None
        now = "is staff of the site" if user.is_staff else "is no staff of the site"
        self.stdout.write(f"{user.email} {now}.")
