"""The process that reads a document: `python -m memory.documents.reader`, for `memory.documents.isolation`.

It gets a line that says the kind, and the bytes; it says the parts, and ends. Before it looks at a byte it
gives up what a parser that was tricked could use: more memory and time, files, sockets, processes of its own.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import BinaryIO

from memory.documents import wire
from memory.documents.faults import UnreadableDocument
from memory.documents.limits import CHARACTERS, CPU_SECONDS, MEMORY_BYTES
from memory.documents.pieces import Part, Progress
from memory.documents.reading import read


def main(given: BinaryIO, said: BinaryIO) -> None:
    """Reads one document, and says what is in it or why it cannot be read."""
    limit()
    kind = wire.kind_asked(given.readline())
    try:
        parts = read(given.read(), kind)
        close_everything()
        for each in _measured(parts):
            said.write(wire.line(each))
            if isinstance(each, Progress):
                said.flush()
        last: wire.Said = wire.End()
    except UnreadableDocument as fault:
        last = fault
    except MemoryError:
        last = UnreadableDocument("too_much_memory")
    except RecursionError:
        last = UnreadableDocument("damaged")
    said.write(wire.line(last))
    said.flush()


def _measured(parts: Iterator[Part | Progress]) -> Iterator[Part | Progress]:
    """No more text than a document may have."""
    room = CHARACTERS
    for each in parts:
        room -= len(each.text) if isinstance(each, Part) else 0
        if room < 0:
            raise UnreadableDocument("too_long")
        yield each


def limit() -> None:
    """Time, memory, no core dumps, nothing written to files, no processes (these bind all but root)."""
    for what, most, at_last in (
        (resource.RLIMIT_CPU, CPU_SECONDS, CPU_SECONDS + 5),  # first a signal by which it is known
        (resource.RLIMIT_AS, MEMORY_BYTES, MEMORY_BYTES),
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_FSIZE, 0, 0),
        (resource.RLIMIT_NPROC, 0, 0),
    ):
        with suppress(ValueError, OSError):  # what the machine allows less of already, or does not count
            resource.setrlimit(what, (most, at_last))


def close_everything() -> None:
    """From now on no file is opened and no socket: the number of the next one would be over the limit."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
