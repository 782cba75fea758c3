"""The data folder: where things lie in it, who holds it, and the files that keep addresses and secrets."""

import base64
import fcntl
import json
import os
import secrets
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from memsite.embedded.faults import AlreadyRuns, FolderUnreadable, FolderUnwritable

PROJECT = Path(__file__).resolve().parents[2]


def _password() -> str:
    return secrets.token_urlsafe(32)


@dataclass
class Memory:
    """What the launcher remembers from one start to the next (`embedded.json`)."""

    superuser_password: str = field(default_factory=_password)
    owner_password: str = field(default_factory=_password)
    app_password: str = field(default_factory=_password)
    broker_password: str = field(default_factory=_password)
    postgres_port: int = 0
    broker_port: int = 0
    # Where PostgreSQL's files lie when they could not lie in the data folder; empty otherwise.
    cluster: str = ""
    # Fingerprints of what was done, so that a later start need not do it again.
    prepared: str = ""
    migrated: str = ""
    set_up: bool = False


class DataFolder:
    """One data folder. `open` makes it where it is missing."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.logs = path / "logs"
        self.pids = path / "pids"
        self.memory_file = path / "embedded.json"
        self.site_environment = path / "memsite.env"
        self.owner_environment = path / "owner.env"

    @classmethod
    def open(cls, path: Path) -> "DataFolder":
        """The folder, made and known to be writable. Raises FolderUnwritable."""
        folder = cls(path.expanduser().absolute())
        try:
            if not folder.path.is_dir():
                folder.path.mkdir(parents=True, mode=0o700)
                if os.geteuid() == 0:  # PostgreSQL runs as another user, who has to pass through
                    folder.path.chmod(0o711)
            for inner in (folder.logs, folder.pids):
                inner.mkdir(mode=0o700, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder.path) as probe:
                probe.write(b"memsite")
        except OSError as error:
            raise FolderUnwritable(folder=path, reason=error.strerror) from error
        return folder

    def log(self, name: str) -> Path:
        """The log of one program."""
        return self.logs / f"{name}.log"

    @contextmanager
    def held(self, what: str) -> Iterator[None]:
        """Holds the folder for this process, and says for what. Raises AlreadyRuns."""
        with lock(self.path / "lock") as handle:
            if handle is None:
                what, pid = self._holder()
                raise AlreadyRuns(folder=self.path, what=what, pid=pid)
            os.ftruncate(handle, 0)
            os.pwrite(handle, json.dumps({"pid": os.getpid(), "what": what}).encode(), 0)
            yield

    def _holder(self) -> tuple[str, object]:
        """For what the folder is held, and by which process."""
        try:
            found = json.loads((self.path / "lock").read_text(encoding="utf-8"))
            return str(found["what"]), found["pid"]
        except (OSError, ValueError, KeyError):  # it holds the lock but has not written its name yet
            return "it is just starting", "unknown"

    def memory(self) -> Memory:
        """What was remembered, with fresh passwords where there is nothing yet."""
        try:
            return Memory(**json.loads(self.memory_file.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return Memory()
        except (ValueError, TypeError) as error:
            raise FolderUnreadable(file=self.memory_file, reason=error) from error

    def remember(self, memory: Memory) -> None:
        """Writes what is to be remembered."""
        write_secret(self.memory_file, json.dumps(asdict(memory), indent=1) + "\n")

    def site_keys(self, given: Mapping[str, str]) -> dict[str, str]:
        """SECRET_KEY and MEMSITE_ENCRYPTION_KEY: those given, else the folder's, which are made once.

        What was encrypted can be read with its key alone, so a key of the folder is never taken out again.
        """
        kept = read_environment(self.site_environment)
        made = {
            "SECRET_KEY": secrets.token_urlsafe(50),
            "MEMSITE_ENCRYPTION_KEY": base64.urlsafe_b64encode(os.urandom(32)).decode(),
        }
        new = {name: key for name, key in made.items() if not given.get(name) and name not in kept}
        write_environment(self.site_environment, new)
        return {name: given.get(name) or (kept | new)[name] for name in made}


@contextmanager
def lock(path: Path) -> Iterator[int | None]:
    """An exclusive lock on a file, as its descriptor; None where another process holds it.

    The system lets go of it when the process ends, however it ends.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield None
        else:
            yield handle
    finally:
        os.close(handle)


def read_environment(path: Path) -> dict[str, str]:
    """The KEY=VALUE lines of a file; none where the file is missing."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    pairs = (line.split("=", 1) for line in lines if "=" in line and not line.lstrip().startswith("#"))
    return {name.strip(): value.strip() for name, value in pairs}


def write_environment(path: Path, values: Mapping[str, str | None]) -> None:
    """Sets KEY=VALUE lines of a file and takes out those that are None. Lines of other keys stay."""
    former = path.read_text(encoding="utf-8") if path.exists() else ""
    kept = [line for line in former.splitlines() if line.split("=", 1)[0].strip() not in values]
    new = [f"{name}={value}" for name, value in values.items() if value is not None]
    text = "".join(f"{line}\n" for line in [*kept, *new])
    if text != former:
        write_secret(path, text)


def write_secret(path: Path, text: str) -> None:
    """Writes a file that only its owner may read, whole or not at all, even when the power fails."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    Path(name).replace(path)
