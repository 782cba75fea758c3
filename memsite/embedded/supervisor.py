"""Keeps programs running: starts them, starts them again when they die, stops them in order."""

import math
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from memsite.embedded.faults import CommandFailed, CommandUnknown, NotReady, StopsAgain
from memsite.embedded.interruption import Interruption
from memsite.embedded.process import Process, Program, last_words

_LOOK_EVERY = 0.05
# A program that lived this long has started well, so its next death counts as its first.
_GOOD_LIFE = 15.0
_BACKOFF = (0.2, 0.5, 1.0, 2.0, 4.0)
_STOP_ORDER = (("web", "beat", "worker"), ("valkey",), ("postgres",))


class Unit:
    """One program that is to run, as long as the supervisor does."""

    def __init__(self, describe: Callable[[], Program]) -> None:
        self._describe = describe
        self._deaths = 0
        self._due = 0.0
        self.process = _started(describe())
        self.program = self.process.program

    @property
    def pid(self) -> int:
        """The number of its present or last process."""
        return self.process.pid

    def seconds_to_start(self) -> float:
        """How long it is until the program is to be started again; endless while it runs."""
        return self._due - time.monotonic() if self._due else math.inf

    def look(self) -> None:
        """Starts the program again where it died. Raises StopsAgain where that does not help."""
        if self.process.exit_code() is None:
            return
        if not self._due:
            self._bury()
        if time.monotonic() >= self._due:
            self._due = 0.0
            self.process = _started(self._describe())

    def _bury(self) -> None:
        lived = time.monotonic() - self.process.started
        self._deaths = 0 if lived >= _GOOD_LIFE else self._deaths + 1
        if self._deaths > len(_BACKOFF):
            raise StopsAgain(
                name=self.program.name, reason=last_words(self.program.log), log=self.program.log
            )
        self._due = time.monotonic() + _BACKOFF[max(0, self._deaths - 1)]


class Supervisor:
    """The programs of one launcher."""

    def __init__(self, interruption: Interruption) -> None:
        self._interruption = interruption
        self._units: list[Unit] = []

    def start(self, describe: Callable[[], Program]) -> Unit:
        """Starts a program and keeps it running; `describe` is asked again at each new start."""
        unit = Unit(describe)
        self._units.append(unit)
        return unit

    def turn(self, seconds: float) -> None:
        """Waits a moment and looks after the programs. Raises StopAsked, and StopsAgain."""
        self._interruption.pause(min([seconds, *(unit.seconds_to_start() for unit in self._units)]))
        for unit in self._units:
            unit.look()

    def wait(self, unit: Unit, is_ready: Callable[[int], bool], *, seconds: float) -> None:
        """Waits until a program is ready, as told by its process number. Raises NotReady."""
        deadline = time.monotonic() + seconds
        while unit.process.exit_code() is not None or not is_ready(unit.pid):
            if time.monotonic() > deadline:
                raise NotReady(name=unit.program.name, seconds=round(seconds), log=unit.program.log)
            self.turn(_LOOK_EVERY)

    def run(self, program: Program) -> None:
        """Runs a program to its end while the others go on. Raises CommandFailed."""
        with self.beside(program) as process:
            while (code := process.exit_code()) is None:
                self.turn(_LOOK_EVERY)
        if code:
            raise CommandFailed(what=program.name, reason=last_words(program.log), log=program.log)

    @contextmanager
    def beside(self, program: Program) -> Iterator[Process]:
        """A program that ends by itself, and is stopped where it has not when the block ends."""
        process = _started(program)
        try:
            yield process
        finally:
            self._stop_all([process])

    def watch(self) -> None:
        """Looks after the programs until somebody asks to stop (StopAsked)."""
        while True:
            self.turn(1.0)

    def stop(self) -> None:
        """Stops everything in order. A second Ctrl-C takes away the patience with the site's own programs."""
        for names in _STOP_ORDER:
            found = {unit.program.name: unit.process for unit in self._units}
            self._stop_all([found[name] for name in names if name in found])

    def _stop_all(self, processes: list[Process]) -> None:
        asked = len(self._interruption.asked)
        while running := [process for process in processes if process.exit_code() is None]:
            hurry = len(self._interruption.asked) > max(asked, 1)
            for process in running:
                process.press_to_stop(hurry=hurry and process.program.name not in ("valkey", "postgres"))
            self._interruption.rest(_LOOK_EVERY)


def _started(program: Program) -> Process:
    try:
        return Process(program)
    except (OSError, subprocess.SubprocessError) as error:
        raise CommandUnknown(command=program.argv[0], reason=error) from error
