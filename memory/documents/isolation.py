"""Reading a document in a process of its own, which knows and may do nothing, and is killed when late."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

from memory.documents import wire
from memory.documents.faults import UnreadableDocument
from memory.documents.kinds import Kind
from memory.documents.limits import OUTPUT_BYTES, SECONDS
from memory.documents.pieces import Part, Piece, PieceKind, Progress, placed, text_of
from memory.documents.sniffing import sniff

BEAT = 0.5
"""How often, in seconds, whoever waits is told how far it is, and may cancel."""
ROOT = Path(__file__).resolve().parents[2]
_ENDS = {
    -signal.SIGXCPU: "took_too_long",
    -signal.SIGKILL: "too_much_memory",  # not ours: the machine's own, where memory runs out
}
_BYTES = 65_536
OnProgress = Callable[[int, int], bool]


@dataclass(frozen=True)
class Reading:
    """What was read. Pieces lie in `text` where they say; `pages` is 0 where there are none.

    `empty_pages` counts pages without any text: pictures of pages, most often.
    """

    kind: Kind
    text: str
    pieces: list[Piece]
    pages: int = 0
    empty_pages: int = 0

    @property
    def title(self) -> str:
        """The heading with which it begins; "" where it begins with something else."""
        first = self.pieces[0]
        return first.headings[-1] if first.kind == PieceKind.HEADING else ""


def read_document(data: bytes, name: str, *, on_progress: OnProgress, seconds: float = SECONDS) -> Reading:
    """Reads an uploaded file. Blocks: call it outside a transaction.

    `on_progress(done, total)` is told the pages of a PDF (a total of 0: not known), twice a second at least;
    False cancels. Raises UnreadableDocument, whatever the file does to its reader.
    """
    kind = sniff(data, name)
    with TemporaryDirectory() as nowhere, TemporaryFile() as given:
        given.write(wire.asked(kind))
        given.write(data)
        given.seek(0)
        process = subprocess.Popen(
            [sys.executable, "-P", "-s", "-m", "memory.documents.reader"],
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=nowhere,
            env={"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"},
            start_new_session=True,
        )
        try:
            return _Ear(process, on_progress, time.monotonic() + seconds).reading(kind)
        finally:
            _end(process)


class _Ear:
    """Hears what the process says, until it ends or its time is up."""

    def __init__(self, process: subprocess.Popen[bytes], on_progress: OnProgress, deadline: float) -> None:
        self._process = process
        self._on_progress = on_progress
        self._deadline = deadline
        self._progress = Progress(0, 0)

    def reading(self, kind: Kind) -> Reading:
        pieces = list(placed(self._parts()))
        if not pieces:
            raise UnreadableDocument("no_text")
        pages = self._progress.total
        seen = {page for piece in pieces for page in range(piece.page or 0, (piece.last_page or 0) + 1)}
        return Reading(kind, text_of(pieces), pieces, pages, max(pages - len(seen - {0}), 0))

    def _parts(self) -> Iterator[Part]:
        try:
            for line in self._lines():
                said = wire.heard(line)
                if isinstance(said, Part):
                    yield said
                elif isinstance(said, Progress):
                    self._progress = said
                elif isinstance(said, UnreadableDocument):
                    raise said
                else:
                    return
        except wire.Nonsense as error:
            raise UnreadableDocument("crashed") from error
        raise UnreadableDocument(_ENDS.get(self._process.wait(), "crashed"))

    def _lines(self) -> Iterator[bytes]:
        begun: list[bytes] = []
        for some in self._heard():
            *lines, rest = some.split(b"\n")
            for line in lines:
                yield b"".join([*begun, line])
                begun = []
            begun.append(rest)

    def _heard(self) -> Iterator[bytes]:
        """What the process says as it comes, with a beat in between; ends when it has ended."""
        stream = self._process.stdout
        assert stream is not None
        room = OUTPUT_BYTES
        next_beat = 0.0
        with selectors.DefaultSelector() as selector:
            selector.register(stream, selectors.EVENT_READ)
            while room > 0:
                now = time.monotonic()
                if now >= next_beat:
                    self._beat(now)
                    next_beat = now + BEAT
                if selector.select(max(next_beat - now, 0)):
                    some = os.read(stream.fileno(), _BYTES)
                    if not some:
                        return
                    room -= len(some)
                    yield some
        raise UnreadableDocument("too_long")

    def _beat(self, now: float) -> None:
        if now >= self._deadline:
            raise UnreadableDocument("took_too_long")
        if not self._on_progress(self._progress.done, self._progress.total):
            raise UnreadableDocument("cancelled")


def _end(process: subprocess.Popen[bytes]) -> None:
    """The process and whatever it has started are gone after this."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stdout:
        process.stdout.close()
