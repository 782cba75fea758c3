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
from memory.documents.kinds import Format, Kind
from memory.documents.limits import (
    CHARACTERS,
    CPU_SECONDS,
    CPU_SECONDS_AT_ONCE,
    CPU_SECONDS_PER_MILLION,
    MEMORY_BYTES,
)
from memory.documents.pieces import Part, Progress
from memory.documents.reading import read


def main(given: BinaryIO, said: BinaryIO) -> None:
    """Reads one document, and says what is in it or why it cannot be read."""
    limit()
    kind = wire.kind_asked(given.readline())
    try:
        data = given.read()
        limit_time(seconds_for(kind, len(data)))
        parts = read(data, kind)
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
    """Memory, no core dumps, nothing written to files, no processes (these bind all but root)."""
    for what, most in (
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NPROC, 0),
    ):
        with suppress(ValueError, OSError):  # what the machine allows less of already, or does not count
            resource.setrlimit(what, (most, most))


def seconds_for(kind: Kind, size: int) -> int:
    """How many seconds of a processor a file may take: by its bytes, where they are its text."""
    if kind.format in (Format.PDF, Format.WORD):
        return CPU_SECONDS
    return min(CPU_SECONDS_AT_ONCE + CPU_SECONDS_PER_MILLION * size // 1_000_000, CPU_SECONDS)


def limit_time(seconds: int) -> None:
    """So many seconds of a processor, then a signal by which it is known, and five later the end."""
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))


def close_everything() -> None:
    """From now on no file is opened and no socket: the number of the next one would be over the limit."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
