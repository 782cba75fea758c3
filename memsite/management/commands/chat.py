"""Talk with an agent from the terminal."""

from __future__ import annotations

import uuid
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from agents.terminal import Unanswered, say


class Command(BaseCommand):
    """Prints the agent's words as they come; a worker has to run."""

    help = "Send a message to an agent and print its answer."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("message", help="what you say")
        parser.add_argument("--agent", required=True, type=uuid.UUID, help="the agent's id")
        parser.add_argument("--conversation", type=uuid.UUID, help="go on in this conversation")
        parser.add_argument("--email", default="", help="as whom; the owner otherwise")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            for piece in say(
                options["message"],
                agent_id=options["agent"],
                conversation_id=options["conversation"],
                email=options["email"],
                heading=self.stderr.write,
            ):
                self.stdout.write(piece, ending="")
                self.stdout.flush()
        except Unanswered as error:
            raise CommandError(str(error)) from None
        self.stdout.write("")
