"""From bytes to parts, a module for each format.

Meant for the process that reads (`memory.documents.reader`): nothing here guards against what a hostile file
does to its parser.

Each module has `read(data, language)`, and only that of the format at hand is loaded, with its libraries.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from memory.documents.kinds import Kind
from memory.documents.pieces import Part, Progress


def read(data: bytes, kind: Kind) -> Iterator[Part | Progress]:
    """The parts of a document, in its order, with how far reading has come in between.

    Whatever has to be loaded is loaded when this returns; the parts are read as they are asked for. Raises
    UnreadableDocument, then too.
    """
    module = import_module(f"memory.documents.reading.{kind.format}")
    found: Iterator[Part | Progress] = module.read(data, kind.language)
    return found
