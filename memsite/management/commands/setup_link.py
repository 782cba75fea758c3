"""The one-time link to the set-up page."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.urls import reverse

from tenants.services import any_tenant, setup_token


class Command(BaseCommand):
    """Prints one line, or nothing where the site is set up already."""

    help = "Print the link with which the first tenant is made."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--base", default="", help="the site's address, such as http://127.0.0.1:8000")

    def handle(self, *args: Any, **options: Any) -> None:
        if not any_tenant():
            self.stdout.write(options["base"].rstrip("/") + reverse("setup", args=[setup_token()]))
