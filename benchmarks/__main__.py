"""`make bench`: what memsite costs, in CPU time per process and in round trips to the database.

Figures are medians of several rounds on this machine; compare them side by side, not across machines.
`make bench ARGS="blocks writers"` measures these alone.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAMES = ("turns", "prefix", "longchat", "blocks", "writers", "documents", "embedding", "passages", "search")


def main() -> None:
    """Prepare a database, and measure what is asked for, everything otherwise."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=" ".join(NAMES))
    asked = parser.parse_args().names or list(NAMES)
    if unknown := set(asked) - set(NAMES):
        parser.error(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memsite.settings")
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--database", "owner", "--verbosity", "0"],
        cwd=ROOT,
        check=True,
    )
    owner = os.environ.pop("DATABASE_OWNER_URL")

    import django

    django.setup()
    from benchmarks import (
        blocks,
        documents,
        embedding,
        longchat,
        passages,
        prefix,
        search,
        site,
        turns,
        writers,
    )

    site.OWNER.append(owner)

    measures = {
        "turns": turns.measure,
        "prefix": prefix.measure,
        "longchat": longchat.measure,
        "blocks": blocks.measure,
        "writers": writers.measure,
        "documents": documents.measure,
        "embedding": embedding.measure,
        "passages": passages.measure,
        "search": search.measure,
    }
    for name in asked:
        with tempfile.TemporaryDirectory() as folder:
            measures[name](Path(folder))


if __name__ == "__main__":
    main()
