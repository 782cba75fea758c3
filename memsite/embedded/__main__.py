"""The launcher's command line. Whatever goes wrong is told here, in a sentence."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from memsite.embedded.execute import execute
from memsite.embedded.faults import Fault, StopAsked
from memsite.embedded.folder import PROJECT, DataFolder
from memsite.embedded.launch import run, say


def main(arguments: Sequence[str]) -> int:
    """Does what the arguments say; returns the exit code."""
    asked = _parser().parse_args(arguments)
    try:
        folder = DataFolder.open(Path(asked.data or os.environ.get("MEMSITE_DATA") or PROJECT / ".data"))
        if asked.action == "exec":
            return execute(folder, os.environ, asked.command, fast=asked.fast)
        run(folder, os.environ)
    except StopAsked:
        say("memsite has stopped.")
        return 0 if asked.action == "run" else 130
    except (Fault, OSError) as error:
        sys.stderr.write(f"memsite: {error}\n")
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m memsite.embedded", description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    start = actions.add_parser("run", help="start memsite and look after it until Ctrl-C")
    command = actions.add_parser("exec", help="run a command that needs PostgreSQL and Valkey")
    for one in (start, command):
        one.add_argument("--data", help="the data folder (or set MEMSITE_DATA; otherwise .data)")
    command.add_argument("--fast", action="store_true", help="for tests: do not wait for the disk")
    command.add_argument("command", nargs="+", metavar="COMMAND")
    return parser


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:  # before anything was started
        sys.exit(130)
