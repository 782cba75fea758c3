"""`make demo`: fills the site of `make run`, whether it runs or not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from memsite.embedded.execute import execute
from memsite.embedded.faults import AlreadyRuns, Fault, StopAsked
from memsite.embedded.folder import PROJECT, DataFolder


def main() -> int:
    """Runs `manage.py demo` beside the running site, or with services of its own; returns its exit code."""
    later = f"http://localhost:{os.environ.get('PORT') or 8000}/"
    try:
        folder = DataFolder.open(Path(os.environ.get("MEMSITE_DATA") or PROJECT / ".data"))
        code = execute(folder, os.environ, [*_command(later), "--migrate"], fast=False)
        if code == 0:
            sys.stdout.write("Start it with: make run\n")
        return code
    except AlreadyRuns as running:
        return subprocess.run(_command(running.address or later), check=False).returncode
    except StopAsked:
        return 130
    except (Fault, OSError) as error:
        sys.stderr.write(f"memsite: {error}\n")
        return 1


def _command(base: str) -> list[str]:
    return [sys.executable, str(PROJECT / "manage.py"), "demo", "--base", base, *sys.argv[1:]]


if __name__ == "__main__":
    sys.exit(main())
