"""The embedded PostgreSQL: made with `initdb`, started on the loopback interface, asked for a password."""

import contextlib
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from memsite.embedded.accounts import Account, account_for
from memsite.embedded.faults import ClusterBusy, ClusterMissing, ClusterUnreachable, FolderIncomplete
from memsite.embedded.folder import DataFolder, Memory, lock
from memsite.embedded.ports import LOOPBACK, free_port
from memsite.embedded.process import Program, end, identity
from memsite.embedded.runtime import programs_for, reachable_folder

DATABASE = "memsite"
SUPERUSER = "postgres"
OWNER = "memsite_owner"
APP = "memsite_app"

_SETTINGS = {
    "listen_addresses": LOOPBACK,
    "unix_socket_directories": "",
    "shared_buffers": "128MB",
    "max_connections": "100",
    "fsync": "on",
    "synchronous_commit": "on",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_checkpoints": "off",
    "log_line_prefix": "%m [%p] %q%u@%d ",
}
# For tests, whose data nobody misses: nothing waits for the disk.
_FAST_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
}
# SIGINT is PostgreSQL's fast shutdown (clients are cut, everything is written), SIGQUIT the immediate one.
_STOPPING = ((signal.SIGINT, 10.0), (signal.SIGQUIT, 5.0), (signal.SIGKILL, 5.0))
_ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C"}


class Postgres:
    """PostgreSQL for one data folder."""

    name = "postgres"

    def __init__(self, folder: DataFolder, memory: Memory, *, fast: bool) -> None:
        self._folder = folder
        self._memory = memory
        self._settings = _SETTINGS | (_FAST_SETTINGS if fast else {})
        self._settled = False
        self._check_passwords()
        self.cluster = self._remembered_cluster()
        self.account = account_for(self.cluster)
        self.programs = programs_for(self.account)

    def _check_passwords(self) -> None:
        """Passwords that are gone must not be mistaken for a folder that is new."""
        traces = (self._folder.path / "postgres", self._folder.owner_environment)
        if not self._folder.memory_file.exists() and any(trace.exists() for trace in traces):
            raise FolderIncomplete(folder=self._folder.path, file=self._folder.memory_file.name)

    def _remembered_cluster(self) -> Path:
        if not self._memory.cluster:
            return self._folder.path / "postgres"
        cluster = Path(self._memory.cluster)
        if not cluster.is_dir():
            raise ClusterMissing(cluster=cluster, folder=self._folder.path)
        return cluster

    @contextmanager
    def held(self, run: Callable[[Program], None]) -> Iterator[None]:
        """Holds PostgreSQL's files, which are made (with `run`) where there are none yet."""
        if not self.cluster.exists():
            self._make(run)
        elif self.account and not self.account.can("-x", self.cluster):
            raise ClusterUnreachable(cluster=self.cluster, account=self.account.name)
        with lock(self.cluster.with_suffix(".lock")) as handle:
            if handle is None:
                raise ClusterBusy(cluster=self.cluster)
            yield

    def _make(self, run: Callable[[Program], None]) -> None:
        """Runs `initdb` in a folder beside, so that what has the final name is always whole."""
        self._memory.prepared = self._memory.migrated = ""
        self._memory.set_up = False
        self._folder.remember(self._memory)
        parent = self._folder.path
        if self.account and not self.account.can("-x", parent):
            parent = reachable_folder(self.account)
        half = parent / "postgres.new"
        shutil.rmtree(half, ignore_errors=True)
        half.mkdir(mode=0o700)
        with _password_file(parent / "postgres.password", self._memory.superuser_password) as password:
            for path in (half, password):
                if self.account:
                    os.chown(path, self.account.uid, self.account.gid)
            run(self._initdb(half, password))
        self.cluster = half.rename(parent / "postgres")
        if parent != self._folder.path:
            self._memory.cluster = str(self.cluster)
            self._folder.remember(self._memory)

    def _initdb(self, cluster: Path, password: Path) -> Program:
        options = [
            f"--username={SUPERUSER}",
            f"--pwfile={password}",
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--locale=C",
            "--locale-provider=builtin",
            "--builtin-locale=C.UTF-8",
        ]
        if self._settings["fsync"] == "off":
            options.append("--no-sync")
        return self._program("initdb", [str(self.programs / "initdb"), "-D", str(cluster), *options])

    def program(self) -> Program:
        """How to start the server. Ends one that an earlier launcher left on the same files."""
        _clear_the_way(self.cluster)
        if not self._settled:
            self._memory.postgres_port = free_port(self._memory.postgres_port)
        settings = self._settings | {"port": str(self._memory.postgres_port)}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return self._program("postgres", [str(self.programs / "postgres"), "-D", str(self.cluster), *options])

    def _program(self, name: str, argv: list[str]) -> Program:
        return Program(
            name=name,
            argv=argv,
            environment=_ENVIRONMENT,
            log=self._folder.log(name),
            pid_file=self._folder.pids / f"{name}.pid",
            folder=Path("/"),  # the launcher's own folder may be closed to the account
            account=self.account,
            stopping=_STOPPING,
            orphaned=signal.SIGINT,
        )

    def is_ready(self, pid: int) -> bool:
        """Whether this process takes connections. From then on the port stays, also for the next process."""
        with contextlib.suppress(FileNotFoundError):
            lines = [line.strip() for line in (self.cluster / "postmaster.pid").read_text().splitlines()]
            self._settled |= lines[:1] == [str(pid)] and lines[7:8] == ["ready"]
        return self._settled

    def url(self, user: str, password: str, database: str = DATABASE) -> str:
        """The address for one of the roles. Passwords hold no sign that would need quoting."""
        return f"postgresql://{user}:{password}@{LOOPBACK}:{self._memory.postgres_port}/{database}"

    @property
    def place(self) -> str:
        """A line that tells where things lie, if that is not where a person would look."""
        if not self._memory.cluster:
            return ""
        account: Account | None = self.account
        who = account.name if account else "its own user"
        return f"PostgreSQL runs as {who} and keeps its files in {self.cluster}."


@contextmanager
def _password_file(path: Path, password: str) -> Iterator[Path]:
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(password + "\n")
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)


def _clear_the_way(cluster: Path) -> None:
    """Ends a server that still runs on these files, and takes away the trace of one that does not.

    PostgreSQL sees through a trace with a dead process number itself; it refuses to start when the number
    now belongs to another program, as it often does in a container that was started again.
    """
    trace = cluster / "postmaster.pid"
    try:
        pid = int(trace.read_text().split("\n", 1)[0])
    except (FileNotFoundError, ValueError):
        return
    if _is_server(pid, cluster):
        end(pid, identity(pid), signal.SIGINT)
    if _number_is_taken(pid):
        trace.unlink(missing_ok=True)


def _is_server(pid: int, cluster: Path) -> bool:
    if sys.platform != "linux":
        return identity(pid) is not None
    try:
        return Path(f"/proc/{pid}/cwd").samefile(cluster)
    except OSError:
        return False


def _number_is_taken(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
