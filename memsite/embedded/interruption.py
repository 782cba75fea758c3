"""Ctrl-C and signals, looked at only where the launcher waits, so that no step is cut in half."""

import os
import select
import signal
from types import FrameType, TracebackType
from typing import Self

from memsite.embedded.faults import StopAsked

_STOP = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interruption:
    """Catches the stop signals while it is entered; `pause` is where they take effect."""

    def __init__(self) -> None:
        self.asked: list[int] = []
        self._former: dict[int, object] = {}

    def __enter__(self) -> Self:
        self._read, self._write = os.pipe()
        os.set_blocking(self._read, False)
        os.set_blocking(self._write, False)
        signal.set_wakeup_fd(self._write, warn_on_full_buffer=False)
        for number in _STOP:
            # Under nohup the end of the terminal is to be ignored, and it still is.
            if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:
                self._former[number] = signal.signal(number, self._note)
        # A handler is needed for a child's end to wake `pause`; what ended is found by looking.
        self._former[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, lambda *_: None)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, former in self._former.items():
            signal.signal(number, former)  # type: ignore[arg-type]
        signal.set_wakeup_fd(-1)
        os.close(self._read)
        os.close(self._write)

    def _note(self, number: int, _frame: FrameType | None) -> None:
        self.asked.append(number)

    def pause(self, seconds: float) -> None:
        """Waits for `seconds`, or less when a child ends. Raises StopAsked once somebody asked to stop."""
        if not self.asked:
            self.rest(seconds)
        if self.asked:
            raise StopAsked

    def rest(self, seconds: float) -> None:
        """Waits as `pause` does, for the time when the launcher is stopping already."""
        if select.select([self._read], [], [], max(0.0, seconds))[0]:
            os.read(self._read, 4096)
