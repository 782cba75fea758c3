"""`manage.py evaluate`: how well memsite finds what was said and filed, by its own paths, without a model."""

from __future__ import annotations

import json
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from evaluation import hops, long_chat, measuring, planted_facts, report
from evaluation.database import OwnerMissing, own_database
from evaluation.loading import in_foreground, open_tenant
from evaluation.locomo import read_locomo
from evaluation.nested_kv import read_cases
from evaluation.own_sets import KINDS, read_own
from evaluation.samples import Malformed, Sample

DICTIONARIES = 10


class Command(BaseCommand):
    """How well memsite finds what was said and filed, by its own paths, without a language model.

    Everything happens in a database made for it, which is dropped at the end: nothing of it is left, and the
    site's own data is not touched. It lies on the server of DATABASE_OWNER_URL, whose role must be allowed to
    make databases; where that is not set, an embedded PostgreSQL is started for it in .cache/evaluation.
    """

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The sets."""
        tasks = parser.add_subparsers(dest="task", required=True, metavar="SET")
        locomo = tasks.add_parser("locomo", help="recall of LoCoMo's evidence in its conversations")
        locomo.add_argument("path", type=Path, help="the file, such as ../shared/data/locomo_3.json")
        nested = tasks.add_parser("nested-kv", help="MemGPT's nested key-value task, 0 to 4 hops")
        nested.add_argument("path", type=Path, help="the folder with the dictionaries and the orderings")
        nested.add_argument(
            "--dictionaries",
            type=_count,
            default=DICTIONARIES,
            metavar="N",
            help=f"how many of the dictionaries, each with 0 to 4 hops ({DICTIONARIES})",
        )
        long = tasks.add_parser(
            "long-chat", help="a thousand turns in a small window, and what is known then"
        )
        long.add_argument("--turns", type=_count, default=1000, metavar="N")
        long.add_argument("--window", type=_count, default=8000, metavar="TOKENS")
        summary = tasks.add_parser("summary", help="facts that stand in a summary of what was evicted")
        summary.add_argument("--tokens", type=_count, default=planted_facts.TOKENS, metavar="N")
        summary.add_argument("--evictions", type=_count, default=planted_facts.EVICTIONS, metavar="N")
        own = [tasks.add_parser(_dashed(name), help=f"recall in our own set {name}") for name in KINDS]
        for one in (locomo, *own):
            one.add_argument(
                "--limit-questions",
                type=_count,
                metavar="N",
                help="ask the first N of each conversation alone",
            )
        for one in (locomo, nested, long, summary, *own):
            one.add_argument("--json", action="store_true", help="print one JSON object and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        """Measures and prints."""
        try:
            found, lines = self._measured(options)
        except (Malformed, OwnerMissing, OSError) as error:
            raise CommandError(str(error)) from None
        if options["json"]:
            self.stdout.write(json.dumps({"set": options["task"], **found}, ensure_ascii=False))
        else:
            self.stdout.writelines(f"{line}\n" for line in lines(found))

    def _measured(self, options: dict[str, Any]) -> tuple[dict[str, Any], Callable[..., Iterable[str]]]:
        if options["task"] == "long-chat":
            with own_database(), in_foreground():
                found = long_chat.measure(open_tenant(), options["turns"], options["window"], self._say)
                return found, report.of_long_chat
        if options["task"] == "summary":
            asked = options["tokens"], options["evictions"]
            with own_database(), in_foreground():
                return planted_facts.measure(open_tenant(), *asked, self._say), report.of_summaries
        if options["task"] == "nested-kv":
            cases = list(read_cases(options["path"], options["dictionaries"]))
            with own_database(), in_foreground():
                return hops.measure(open_tenant(), cases, self._say), report.of_hops
        samples = read_locomo(options["path"]) if options["task"] == "locomo" else [_own(options["task"])]
        with own_database(), in_foreground():
            most = options["limit_questions"]
            return measuring.measure(open_tenant(), samples, most=most, say=self._say), report.of_recall

    def _say(self, line: str) -> None:
        """Progress, beside what is printed."""
        self.stderr.write(line, style_func=str)


def _dashed(name: str) -> str:
    return name.replace("_", "-")


def _own(task: str) -> Sample:
    return read_own(next(name for name in KINDS if _dashed(name) == task))


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ArgumentTypeError("it takes a whole number, 1 or more")
    return number
