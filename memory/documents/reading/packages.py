"""Files that are zip files inside (Word): looked at before anything is unpacked, and XML without entities."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable, Mapping
from typing import IO
from xml.parsers import expat

from memory.documents.faults import UnreadableDocument
from memory.documents.limits import PARTS, UNPACKED_BYTES, UNPACKED_FREELY, UNPACKED_RATIO

_OF_ZIP = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError)
_DAMAGE = (*_OF_ZIP, expat.ExpatError)
Opened = Callable[[str, Mapping[str, str]], None]
Heard = Callable[[str], None]


class Package:
    """A zip file that is fit to be unpacked. Raises UnreadableDocument where it is not."""

    def __init__(self, data: bytes) -> None:
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except _OF_ZIP as error:
            raise UnreadableDocument("damaged") from error
        _refuse_bombs(self._zip.infolist())
        self._names = set(self._zip.namelist())

    def has(self, name: str) -> bool:
        """Whether there is a part of that name."""
        return name in self._names

    def parse(self, name: str, opened: Opened, closed: Heard, text: Heard) -> None:
        """Reads a part of XML as it is unpacked, piece by piece.

        Names of elements come as namespace, space, name. A document type is refused before it declares
        anything: without one there are no entities, neither those that point outside nor those that grow.
        """
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = _refuse_document_type
        parser.StartElementHandler = opened
        parser.EndElementHandler = closed
        parser.CharacterDataHandler = text
        try:
            with self._zip.open(name) as part:
                _feed(parser, part)
        except _DAMAGE as error:
            raise UnreadableDocument("damaged") from error


def _feed(parser: expat.XMLParserType, part: IO[bytes]) -> None:
    while piece := part.read(65_536):
        parser.Parse(piece, False)
    parser.Parse(b"", True)


def _refuse_document_type(*declared: object) -> None:
    raise UnreadableDocument("external_entity")


def _refuse_bombs(parts: list[zipfile.ZipInfo]) -> None:
    """By the sizes that the directory states; no more than those is unpacked, whatever the truth is."""
    if len(parts) > PARTS or sum(part.file_size for part in parts) > UNPACKED_BYTES:
        raise UnreadableDocument("zip_bomb")
    for part in parts:
        if part.file_size > max(UNPACKED_FREELY, part.compress_size * UNPACKED_RATIO):
            raise UnreadableDocument("zip_bomb")
        if part.flag_bits & 1:
            raise UnreadableDocument("encrypted")
