"""What an embedding endpoint answers, taken at its word only where the word makes sense."""

from __future__ import annotations

import base64
import binascii
import json
from array import array
from typing import Any

from memory.embedding.base import EmbedderDown, Vector, unit


def vectors_of(body: bytes, count: int) -> list[Vector]:
    """The vectors of an answer to so many texts, in the order of the texts and at length 1.

    Raises EmbedderDown where the answer is no JSON, has another number of vectors, gives one text two and
    another none, or holds something that is no vector.
    """
    try:
        rows = json.loads(body)["data"]
        places = [row.get("index", place) for place, row in enumerate(rows)]
        if sorted(places) != list(range(count)):
            raise EmbedderDown(f"The embedding endpoint answered {len(rows)} vectors for {count} texts.")
        found = {place: unit(_numbers(row["embedding"])) for place, row in zip(places, rows, strict=True)}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError):
        raise EmbedderDown("The embedding endpoint answered something else than embeddings.") from None
    return [found[place] for place in range(count)]


def _numbers(embedding: Any) -> list[float]:
    """A list of numbers, or the base64 of little-endian 32-bit floats that some servers send unasked."""
    if isinstance(embedding, str):
        try:
            return array("f", base64.b64decode(embedding, validate=True)).tolist()
        except binascii.Error as error:
            raise ValueError from error
    return [float(each) for each in embedding]
