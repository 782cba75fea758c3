"""Which model makes vectors: list, add, change, and how far that is."""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser
from collections import defaultdict
from dataclasses import asdict
from getpass import getpass
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memory.embedding import changing
from memory.embedding.base import EmbedderDown
from memory.embedding.catalog import current_row
from memory.embedding.changing import BadEmbeddingModel, ModelFields, Progress, Rows
from memory.models import EmbeddingModel

KEY = "MEMSITE_EMBEDDING_API_KEY"
INTERRUPTED = 130


class Command(BaseCommand):
    """A change of the model can be interrupted: both serve meanwhile, and the worker goes on."""

    help = "List, add and change the models that make vectors, and see how far a change is."

    def add_arguments(self, parser: ArgumentParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True, metavar="list | status | add | use")
        acts.add_parser("list", help="the models that the site knows")
        status = acts.add_parser("status", help="how many rows each model has embedded, by tenant")
        status.add_argument("--json", action="store_true", help="print one JSON object")
        add = acts.add_parser("add", help=f"a model at an endpoint; its key is asked for, or {KEY}")
        add.add_argument("name", help="what it is called here")
        add.add_argument("--base-url", required=True, help="such as https://api.example.com/v1")
        add.add_argument("--model", required=True, help="what the endpoint calls it")
        add.add_argument("--dimensions", type=int, default=0, help="as many as it answers with otherwise")
        add.add_argument("--tokens-max", type=int, default=512, help="the longest text that it reads at once")
        add.add_argument("--query-prefix", default="", help="stands before each question")
        add.add_argument("--passage-prefix", default="", help="stands before each text")
        use = acts.add_parser("use", help="embed with this model from now on, and again what is there")
        use.add_argument("name")
        use.add_argument("--leave", action="store_true", help="leave what is there to the worker")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            getattr(self, f"_{options['act']}")(options)
        except BadEmbeddingModel as error:
            raise CommandError(str(error)) from None
        except EmbedderDown as error:
            raise CommandError(f"{error} {error.said}".strip()) from None

    def _list(self, options: dict[str, Any]) -> None:
        current = current_row().name
        for row in EmbeddingModel.objects.order_by("created_at"):
            mark = "*" if row.name == current else " "
            place = f"{row.remote_name} at {row.base_url}" if row.base_url else "built in"
            self.stdout.write(f"{mark} {row.name}: {row.dimensions} dimensions, {place}")

    def _status(self, options: dict[str, Any]) -> None:
        rows = changing.embedded_rows()
        if options["json"]:
            found = {"current": current_row().name, "rows": [asdict(each) for each in rows]}
            self.stdout.write(json.dumps(found, default=str))
            return
        self.stdout.write(_said(changing.progress(), current_row().name))
        tenants: dict[str, list[Rows]] = defaultdict(list)
        for each in rows:
            tenants[each.tenant].append(each)
        for tenant, found_there in tenants.items():
            self.stdout.write(f"{tenant}: " + ", ".join(map(_counted, found_there)))

    def _add(self, options: dict[str, Any]) -> None:
        named = ("name", "base_url", "dimensions", "tokens_max", "query_prefix", "passage_prefix")
        fields = ModelFields(
            **{name: options[name] for name in named}, remote_name=options["model"], key=_key()
        )
        row = changing.add_model(fields)
        self.stdout.write(
            f"{row.name} answers with {row.dimensions} dimensions. Use it: embeddings use {row.name}"
        )

    def _use(self, options: dict[str, Any]) -> None:
        name = changing.use_model(options["name"]).name
        self.stdout.write(f"{name} embeds from now on; what others have embedded serves until it is done.")
        if options["leave"]:
            return
        try:
            for found in changing.embed_everything():
                self.stdout.write(_said(found, name), ending=self._ending())
                self.stdout.flush()
        except KeyboardInterrupt:
            self.stdout.write("\nStopped. The worker goes on; embeddings status tells how far it is.")
            sys.exit(INTERRUPTED)
        except EmbedderDown as error:
            raise CommandError(f"{error} The worker goes on when it answers.") from None
        self.stdout.write("\nDone. Large tenants need their vector index again: build_vector_index.")

    def _ending(self) -> str:
        return "\r" if self.stdout.isatty() else "\n"


def _key() -> str:
    """From the environment, or typed in: on a command line others would see it."""
    if os.environ.get(KEY) or not sys.stdin.isatty():
        return os.environ.get(KEY, "")
    return getpass("API key (leave empty where none is needed): ")


def _said(found: Progress, name: str) -> str:
    share = 100 * found.done // found.total if found.total else 100
    return f"{name}: {found.done:,} of {found.total:,} rows ({share} %)"


def _counted(found: Rows) -> str:
    refused = f" ({found.refused:,} refused)" if found.refused else ""
    return f"{found.rows:,} by {found.model}{refused}" if found.model else f"{found.rows:,} waiting"
