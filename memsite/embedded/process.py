"""Programs that memsite runs beside itself: started, known again by their process file, stopped."""

import contextlib
import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from memsite.embedded.accounts import Account

_LOG_LIMIT = 10_000_000
_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None

Stopping = tuple[tuple[signal.Signals, float], ...]
"""Signals that ask a program to stop, each with the seconds it is given before the next."""


@dataclass(frozen=True)
class Program:
    """What to run and how to end it."""

    name: str
    argv: Sequence[str]
    environment: Mapping[str, str]
    log: Path
    pid_file: Path
    folder: Path
    account: Account | None = None
    stopping: Stopping = ((signal.SIGTERM, 5.0), (signal.SIGKILL, 5.0))
    # What the kernel sends it when the launcher dies without a word.
    orphaned: signal.Signals = signal.SIGKILL
    # Where its standard output goes, if not to the log.
    output: Path | None = None


class Process:
    """A running program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.started = time.monotonic()
        self._steps = list(program.stopping)
        self._deadline = 0.0
        keep_small(program.log)
        with program.log.open("ab") as log, (program.output or program.log).open("ab") as output:
            self._popen = subprocess.Popen(
                program.argv,
                env=program.environment,
                cwd=program.folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=log,
                start_new_session=True,  # Ctrl-C reaches the launcher alone, which then stops all in order
                preexec_fn=_bound_to_launcher(program.orphaned),
                **(program.account.popen_arguments() if program.account else {}),
            )
        record = {"pid": self.pid, "identity": identity(self.pid), "signal": program.stopping[0][0]}
        program.pid_file.write_text(json.dumps(record))

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._popen.pid

    def exit_code(self) -> int | None:
        """The exit code, negative for a signal; None while it runs."""
        code = self._popen.poll()
        if code is not None:
            self.program.pid_file.unlink(missing_ok=True)
        return code

    def press_to_stop(self, *, hurry: bool = False) -> None:
        """Sends the next of its signals, if the time given to the last one is over."""
        if self._steps and (hurry or time.monotonic() >= self._deadline):
            number, seconds = self._steps.pop(0)
            self._deadline = time.monotonic() + seconds
            self._popen.send_signal(number)


def _bound_to_launcher(number: signal.Signals) -> Callable[[], None] | None:
    """Runs in the child after it took on its account, since changing accounts undoes the setting."""
    launcher = os.getpid()
    if _libc is None:
        return None

    def bind() -> None:
        _libc.prctl(_PR_SET_PDEATHSIG, int(number), 0, 0, 0)
        if os.getppid() != launcher:
            os._exit(1)

    return bind


def keep_small(log: Path) -> None:
    """Sets a log aside as `.1` when it has grown large."""
    with contextlib.suppress(FileNotFoundError):
        if log.stat().st_size > _LOG_LIMIT:
            log.replace(log.with_suffix(".log.1"))


def last_words(log: Path) -> str:
    """The last line of a log that says something."""
    with contextlib.suppress(FileNotFoundError), log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - 4000))
        lines = [line.strip() for line in file.read().decode(errors="replace").splitlines() if line.strip()]
        if lines:
            return lines[-1].rstrip(".")
    return "it said nothing"


def identity(pid: int) -> str | None:
    """What tells this process from a later one with the same number; None where it is gone or a zombie."""
    if sys.platform != "linux":
        shown = subprocess.run(["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True)
        return shown.stdout.strip() or None
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] in "ZX" else fields[19]


def stop_orphans(pids: Path) -> None:
    """Ends what an earlier launcher left behind, known by the process files it wrote."""
    for file in sorted(pids.glob("*.pid")):
        with contextlib.suppress(ValueError, KeyError):
            record = json.loads(file.read_text())
            end(record["pid"], record["identity"], signal.Signals(record["signal"]))
        file.unlink()


def end(pid: int, known_as: str | None, number: signal.Signals, *, patience: float = 10.0) -> None:
    """Ends a process that is not a child of this one: asks with a signal, after `patience` seconds kills."""
    for attempt, seconds in ((number, patience), (signal.SIGKILL, 5.0)):
        deadline = time.monotonic() + seconds
        if known_as is None or identity(pid) != known_as:
            return
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, attempt)
        while identity(pid) == known_as and time.monotonic() < deadline:
            time.sleep(0.02)
