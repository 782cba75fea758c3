"""Tool calls as servers really stream them, told apart and numbered from 0.

The specification gives each piece an index, and the first piece an id and the name. Servers leave out the
index, give every call the index 0, leave out ids or make a new one for each piece, repeat the name, send
arguments as an object. What comes out is the same for all of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from agents.llm.base import ToolCallDelta
from agents.llm.characters import Characters


@dataclass(eq=False)
class _Call:
    number: int
    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)
    characters: Characters = field(default_factory=Characters)

    def is_complete(self) -> bool:
        try:
            json.loads("".join(self.arguments))
        except (ValueError, RecursionError):
            return False
        return True

    def is_bare(self) -> bool:
        return not any(self.arguments)


class Calls:
    """The tool calls of one answer: `read` takes the pieces of a chunk and yields deltas."""

    def __init__(self) -> None:
        self._all: list[_Call] = []
        self._by_index: dict[int, _Call] = {}

    def __bool__(self) -> bool:
        return bool(self._all)

    def read(self, pieces: Any) -> Iterator[ToolCallDelta]:
        """Deltas for the `tool_calls` of one chunk (or of a whole message)."""
        touched: list[_Call] = []
        for piece in pieces if isinstance(pieces, list) else ():
            if isinstance(piece, dict):
                function = piece.get("function")
                yield from self._take(piece, function if isinstance(function, dict) else {}, touched)

    def end(self) -> Iterator[ToolCallDelta]:
        """What is still held back (calls without a name, half a character), and `{}` for no arguments."""
        for call in self._all:
            rest = call.characters.end() or ("{}" if call.is_bare() else "")
            if not call.id:
                yield self._introduce(call, "", "".join(call.arguments) + rest)
            elif rest:
                yield ToolCallDelta(call.number, arguments=rest)

    def _take(
        self, piece: dict[str, Any], function: dict[str, Any], touched: list[_Call]
    ) -> Iterator[ToolCallDelta]:
        id, name = _string(piece.get("id")), _string(function.get("name"))
        call = self._find(piece.get("index"), id, name, touched)
        touched.append(call)
        arguments = call.characters.clean(_arguments(function.get("arguments")))
        call.arguments.append(arguments)
        if call.id:
            if arguments:
                yield ToolCallDelta(call.number, arguments=arguments)
        elif name:
            call.name = name
            yield self._introduce(call, id, "".join(call.arguments))

    def _find(self, index: Any, id: str, name: str, touched: list[_Call]) -> _Call:
        """The call that a piece belongs to; a new one where it opens one."""
        numbered = isinstance(index, int)
        if numbered:
            call = self._by_index.get(index)
        else:
            call = next((known for known in self._all if id and known.id == id), None) or self._last()
        if call is None or (name and call.name and self._opens(call, id, touched)):
            call = _Call(len(self._all))
            self._all.append(call)
        if numbered:
            self._by_index[index] = call
        return call

    def _opens(self, call: _Call, id: str, touched: list[_Call]) -> bool:
        """Whether a piece that names a tool, as `call` did before, is another call or the same again."""
        if call in touched:
            return True
        return id != call.id if id else call.is_complete()

    def _last(self) -> _Call | None:
        return self._all[-1] if self._all else None

    def _introduce(self, call: _Call, id: str, arguments: str) -> ToolCallDelta:
        taken = any(known.id == id for known in self._all)
        # Nine letters and digits: the only form that every provider takes back in a later request.
        call.id = uuid4().hex[:9] if taken or not id else id
        return ToolCallDelta(call.number, call.id, call.name, arguments)


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _arguments(value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)
