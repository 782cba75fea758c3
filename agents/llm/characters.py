"""Text from a model made fit to store: whole characters only."""

from __future__ import annotations


class Characters:
    """Cleans the pieces of one text: joins surrogate halves that came in two pieces, replaces lone ones by
    U+FFFD, and drops NUL, since PostgreSQL can hold neither."""

    def __init__(self) -> None:
        self._half = ""

    def clean(self, piece: str) -> str:
        """The piece with whole characters; half a character at its end waits for the next piece."""
        if piece.isascii() and not self._half:
            return piece.replace("\0", "")
        piece, self._half = self._half + piece, ""
        if "\ud800" <= piece[-1:] <= "\udbff":
            piece, self._half = piece[:-1], piece[-1]
        return _whole(piece).replace("\0", "")

    def end(self) -> str:
        """What stands for a half that never found its other one."""
        half, self._half = self._half, ""
        return "\ufffd" if half else ""


def _whole(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
