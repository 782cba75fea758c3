"""`make bench`: what a turn costs, in CPU time per process and in round trips to the database.

Figures are medians of several rounds on this machine; compare them side by side, not across machines.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Prepare an empty database, start the site on it, and measure."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memsite.settings")
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--database", "owner", "--verbosity", "0"],
        cwd=ROOT,
        check=True,
    )
    del os.environ["DATABASE_OWNER_URL"]

    import django

    django.setup()
    from benchmarks import turns

    with tempfile.TemporaryDirectory() as folder:
        turns.measure(Path(folder))


if __name__ == "__main__":
    main()
