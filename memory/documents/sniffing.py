"""What a file is: by what stands in it first, by its name second.

Looks at the file's beginning (and a zip file's end) only, and opens nothing, so that a door may ask before
it stores anything.
"""

from __future__ import annotations

import re
from dataclasses import replace

from memory.documents.decoding import is_text
from memory.documents.faults import UnreadableDocument
from memory.documents.kinds import Format, Kind, kind_of
from memory.documents.limits import FILE_BYTES

HEAD = 65_536
ZIP_DIRECTORY = 1_000_000
"""Where a zip file's directory is looked for: in its last bytes."""
_PDF = b"%PDF-"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_ARCHIVES = (
    *(b"\x1f\x8b", b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07", b"BZh", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"),
)
_PICTURES = (b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF8", b"II*\x00", b"MM\x00*", b"BM", b"\x00\x00\x01\x00")
_HTML = re.compile(rb"(?>(?><\?xml[^>]*>|<!--.*?-->|\s))*+<(?:!doctype\s+html|html|head|body)\b", re.I | re.S)
_XML = re.compile(rb"\s*<\?xml\b")
_SHEBANG = re.compile(
    rb"#!\s*\S*?(?:/env\s+(?:-S\s+)?)?(python|node|ruby|php|bash|zsh|sh|perl)[\d.]*\s", re.I
)
_INTERPRETERS = {"node": "javascript", "bash": "shell", "zsh": "shell", "sh": "shell"}


def sniff(data: bytes, name: str) -> Kind:
    """What a file is. Raises UnreadableDocument for what cannot be read, with what can be done about it.

    A name that ends in something else than the content is gets `misnamed`, and the content is believed.
    """
    if not data:
        raise UnreadableDocument("empty")
    if len(data) > FILE_BYTES:
        raise UnreadableDocument("too_large")
    named = kind_of(name)
    found = _by_content(data) or named or Kind(Format.TEXT)
    if found.format in (Format.PDF, Format.WORD) and not _has_the_beginning_of(data, found.format):
        found = Kind(Format.TEXT)
    return replace(found, misnamed=named is not None and named.format != found.format)


def _has_the_beginning_of(data: bytes, format: Format) -> bool:
    return _PDF in data[:1024] if format == Format.PDF else data.startswith(_ZIP)


def _by_content(data: bytes) -> Kind | None:
    """What the content alone says; None for text of which only the name tells the kind."""
    head = data[:HEAD]
    if _PDF in head[:1024]:
        return Kind(Format.PDF)
    if head.startswith(_ZIP):
        return _in_zip(data)
    if head.startswith(_OLE):
        raise UnreadableDocument(_in_ole(data))
    _refuse_what_is_no_text(head)
    return _marked_up(head)


def _in_zip(data: bytes) -> Kind:
    """Word files are zip files; the names in the directory at the end tell them from others."""
    directory = data[-ZIP_DIRECTORY:]
    if b"word/document.xml" in directory:
        return Kind(Format.WORD)
    if any(part in directory for part in (b"xl/workbook", b"ppt/presentation", b"META-INF/manifest.xml")):
        raise UnreadableDocument("office")
    raise UnreadableDocument("archive" if b"PK\x05\x06" in directory else "damaged")


def _in_ole(data: bytes) -> str:
    """The container of old Office files, and of new ones under a password."""
    if "EncryptedPackage".encode("utf-16-le") in data:
        return "encrypted"
    if "WordDocument".encode("utf-16-le") in data:
        return "legacy_word"
    return "office"


def _refuse_what_is_no_text(head: bytes) -> None:
    if head.startswith(_ARCHIVES):
        raise UnreadableDocument("archive")
    if head.startswith(rb"{\rtf"):
        raise UnreadableDocument("rich_text")
    if not is_text(head):
        raise UnreadableDocument("picture" if _is_picture(head) else "unknown_type")


def _is_picture(head: bytes) -> bool:
    return head.startswith(_PICTURES) or (head.startswith(b"RIFF") and head[8:12] == b"WEBP")


def _marked_up(head: bytes) -> Kind | None:
    if _HTML.match(head):
        return Kind(Format.HTML)
    if _XML.match(head):
        return Kind(Format.CODE, "xml")
    if shebang := _SHEBANG.match(head):
        interpreter = shebang[1].decode().lower()
        return Kind(Format.CODE, _INTERPRETERS.get(interpreter, interpreter))
    return None
