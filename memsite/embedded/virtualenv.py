"""Makes `.venv` and installs what memsite needs in it; `make` runs this file with the system's Python.

Standard library only, and no grammar newer than Python 3.8, so that an old Python can say that it is too old.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
OLDEST = (3, 11)


class SetupFault(Exception):
    """What keeps the set-up from working, in a sentence."""


def main() -> int:
    """Sets up; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dev", action="store_true", help="also what tests and checks need")
    requirements = ["requirements.txt"] + (["requirements-dev.txt"] if parser.parse_args().dev else [])
    try:
        check_python()
        install(PROJECT / ".venv", requirements)
        compile_messages(PROJECT / ".venv")
    except SetupFault as fault:
        sys.stderr.write(f"memsite: {fault}\n")
        return 1
    return 0


def check_python() -> None:
    """Raises SetupFault where this Python is too old."""
    if sys.version_info < OLDEST:
        raise SetupFault(
            f"memsite needs Python 3.11 or newer, and this one is {sys.version.split()[0]}."
            " Name a newer one like this: make run PYTHON=python3.11"
        )


def install(folder: Path, names: list[str]) -> None:
    """Installs requirement files, unless they are installed as they stand."""
    stamps = {}
    text = b""
    for name in names:
        text += (PROJECT / name).read_bytes()
        stamps[folder / ("installed-" + name)] = hashlib.sha256(text).hexdigest()
    python = folder / "bin" / "python"
    last = list(stamps)[-1]
    if python.exists() and last.exists() and last.read_text() == stamps[last]:
        return
    if not works(python):
        make(folder)
    sys.stdout.write(f"Installing what memsite needs ({names[-1]}) ...\n")
    sys.stdout.flush()
    options = ["--quiet", "--disable-pip-version-check", "--no-input", "--requirement", names[-1]]
    if subprocess.call([str(python), "-m", "pip", "install", *options], cwd=str(PROJECT)):
        raise SetupFault(f"pip could not install {names[-1]}; what it said stands above.")
    for stamp, digest in stamps.items():
        stamp.write_text(digest)


def works(python: Path) -> bool:
    """Whether the environment has a pip; one that was cut off while it was made has none."""
    if not python.exists():
        return False
    return subprocess.call([str(python), "-c", "import pip"], stderr=subprocess.DEVNULL) == 0


def make(folder: Path) -> None:
    """Makes a new environment."""
    if importlib.util.find_spec("ensurepip") is None or importlib.util.find_spec("venv") is None:
        raise SetupFault(
            "this Python cannot make virtual environments, since its venv module is not installed."
            " Install it, on Debian and Ubuntu with: apt-get install python3-venv (as root, or with sudo)"
        )
    sys.stdout.write("Making the Python environment .venv ...\n")
    sys.stdout.flush()
    if subprocess.call([sys.executable, "-m", "venv", "--clear", str(folder)]):
        raise SetupFault(f"the Python environment {folder} could not be made; the reason stands above.")


def compile_messages(folder: Path) -> None:
    """Compiles translations that are newer than what was compiled of them."""
    sources = list(PROJECT.glob("locale/*/LC_MESSAGES/*.po"))
    if not any(is_stale(source) for source in sources):
        return
    command = [str(folder / "bin" / "python"), "-m", "memsite.messages", "compile"]
    if subprocess.call(command, cwd=str(PROJECT)):
        raise SetupFault("the translations could not be compiled; the reason stands above.")


def is_stale(source: Path) -> bool:
    """Whether a .po file has no .mo file that is as new."""
    compiled = source.with_suffix(".mo")
    return not compiled.exists() or compiled.stat().st_mtime < source.stat().st_mtime


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:  # what was begun is done again at the next start
        sys.exit(130)
