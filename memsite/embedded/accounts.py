"""The account that PostgreSQL runs as when memsite is started by root, and where that account can reach."""

import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memsite.embedded.faults import NoAccount

DEDICATED = "memsite-postgres"


@dataclass(frozen=True)
class Account:
    """A user of the system."""

    name: str
    uid: int
    gid: int

    def popen_arguments(self) -> dict[str, Any]:
        """What makes subprocess run a program as this user and in no other groups."""
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def can(self, test: str, path: Path) -> bool:
        """Whether this user may do what a flag of test(1) asks, such as `-x`, to a path."""
        return self.succeeds(["/bin/sh", "-c", f'test {test} "$0"', str(path)])

    def succeeds(self, argv: list[str]) -> bool:
        """Whether a short command, run as this user, can be started and ends well."""
        try:
            done = subprocess.run(
                argv,
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                **self.popen_arguments(),
            )
        except OSError:
            return False
        return done.returncode == 0


def account_for(cluster: Path) -> Account | None:
    """Who is to run PostgreSQL on the files in `cluster`: None for whoever started memsite.

    Files that exist are run by their owner; for new ones root takes the dedicated account, made if missing.
    """
    if os.geteuid() != 0:
        return None
    if cluster.exists() and cluster.stat().st_uid != 0:
        owner = cluster.stat()
        return Account(name=_name_of(owner.st_uid), uid=owner.st_uid, gid=owner.st_gid)
    return _checked(_known(DEDICATED) or _made(DEDICATED) or _known("nobody"))


def _checked(account: Account | None) -> Account:
    if account is None:
        raise NoAccount(name=DEDICATED, reason="there is neither useradd nor a user nobody")
    if not account.succeeds(["/bin/sh", "-c", "true"]):
        raise NoAccount(name=DEDICATED, reason=f"this root may not become {account.name}")
    return account


def _known(name: str) -> Account | None:
    try:
        found = pwd.getpwnam(name)
    except KeyError:
        return None
    return Account(name=name, uid=found.pw_uid, gid=found.pw_gid)


def _name_of(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def _made(name: str) -> Account | None:
    useradd = shutil.which("useradd", path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin")
    if useradd is None:
        return None
    home_and_shell = ["--no-create-home", "--home-dir", "/nonexistent", "--shell", "/usr/sbin/nologin"]
    subprocess.run([useradd, "--system", "--user-group", *home_and_shell, name], capture_output=True)
    return _known(name)
