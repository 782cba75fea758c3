"""A running turn as HTML: the events that came so far as one whole, each later one as the least change.

A stream begins with the whole, whether it is the first or the tenth connection: nothing can double. After
that a block of text is finished once and never touched again; only the open one is replaced.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial as partial_of
from typing import Any

from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.translation import gettext as _

from agents.events import Event
from agents.web import failures
from agents.web.markdown import BlockStream, Written
from agents.web.pieces import Piece, ToolCall, speech_key

ShowChange = Callable[[str, int], str]
ShowProposal = Callable[[str], str]
ShowApproval = Callable[[str], str]


def partial(target: str, swap: str, html: str) -> str:
    """A change to the page: htmx puts `html` at the element with this id."""
    return f'<hx-partial hx-target="#{target}" hx-swap="{swap}">{html}</hx-partial>'


@dataclass
class _Words:
    """A stretch of spoken text in the making."""

    key: str
    stream: BlockStream = field(default_factory=BlockStream)
    finished: list[str] = field(default_factory=list)
    open: str = ""

    def take(self, written: Written) -> None:
        if written.finished:
            self.finished.append(written.finished)
        if written.open is not None:
            self.open = written.open

    def html(self) -> str:
        text = "".join(self.finished)
        return (
            f'<div class="prose" id="{self.key}" hx-ignore>{text}'
            f'<div class="open" id="{self.key}-open">{self.open}</div></div>'
        )


@dataclass
class _Fixed:
    """A part that is there as it is."""

    markup: str

    def html(self) -> str:
        return self.markup


@dataclass
class _Change:
    """A change of memory, or a proposed one: what can be done may be otherwise each time it is shown."""

    show: Callable[[], str]

    def html(self) -> str:
        return self.show()


_Part = _Words | _Fixed | _Change


class LiveTurn:
    """Feed it a turn's events in order; each answers the HTML that brings a page up to date."""

    def __init__(
        self,
        key: str,
        *,
        before: str,
        show_change: ShowChange,
        show_proposal: ShowProposal,
        show_approval: ShowApproval,
    ) -> None:
        """`before` is what earlier attempts at this turn left; the others render a version, a proposal, and
        a tool call that waits."""
        self.key = f"turn-{key}"
        self._turn = key
        self._parts: list[_Part] = [_Fixed(before)] if before else []
        self._stored = len(self._parts)
        self._words: _Words | None = None
        self._show_change = show_change
        self._show_proposal = show_proposal
        self._show_approval = show_approval
        self._asked: set[str] = set()
        self._state = ""
        self._arguments = "{}"
        self._failure: _Part | None = None

    def whole(self) -> str:
        """Everything so far, in the place of whatever the page has."""
        content = "".join(part.html() for part in self._parts)
        return partial(f"{self.key}-parts", "innerMorph", content) + self._show_state()

    def take(self, event: Event) -> str:
        """What an event changes."""
        handler: Callable[[dict[str, Any]], str] | None = getattr(self, f"_on_{event.kind}", None)
        return handler(event.data) if handler else ""

    def _on_state(self, data: dict[str, Any]) -> str:
        self._state = str(data.get("status", ""))
        if self._failure in self._parts:  # it is tried again
            self._parts.remove(self._failure)
            self._stored = len(self._parts)
            return self.whole()
        return self._show_state()

    def _show_state(self) -> str:
        known = {"running": _("Thinking…"), "awaiting": _("Waits for a decision.")}
        text = known.get(self._state, _("Waiting…"))
        return partial(f"{self.key}-state", "innerHTML", escape("" if self._words else text))

    def _on_text(self, data: dict[str, Any]) -> str:
        if self._words is None:
            number = 1 + sum(isinstance(part, _Words) for part in self._parts)
            self._words = _Words(speech_key(self._turn, number))
            self._parts.append(self._words)
            self._words.take(self._words.stream.feed(data["text"]))
            return self._append(self._words.html()) + self._show_state()
        written = self._words.stream.feed(data["text"])
        self._words.take(written)
        return self._changed(self._words, written)

    def _changed(self, words: _Words, written: Written) -> str:
        target = f"{words.key}-open"
        html = partial(target, "beforebegin", written.finished) if written.finished else ""
        return html if written.open is None else html + partial(target, "innerHTML", written.open)

    def _on_message(self, data: dict[str, Any]) -> str:
        html = self._close_words()
        if data.get("state") in {"stopped", "interrupted"}:
            html += self._add("mark", data["state"])
        self._stored = len(self._parts)
        return html

    def _close_words(self) -> str:
        if self._words is None:
            return ""
        words, self._words = self._words, None
        written = words.stream.close()
        words.take(written)
        return self._changed(words, written)

    def _on_restart(self, _data: dict[str, Any]) -> str:
        """What was streamed since the last stored message does not count."""
        del self._parts[self._stored :]
        self._words = None
        return self.whole()

    def _on_result(self, data: dict[str, Any]) -> str:
        return self._add("tool", ToolCall(data["call"], data["name"], self._arguments, data["content"]))

    def _on_tool(self, data: dict[str, Any]) -> str:
        """A call and its result are told together, so the call is shown with its result."""
        self._arguments = str(data["arguments"])
        return self._close_words()

    def _on_memory(self, data: dict[str, Any]) -> str:
        return self._keep(_Change(partial_of(self._show_change, data["block"], data["version"])))

    def _on_proposal(self, data: dict[str, Any]) -> str:
        return self._keep(_Change(partial_of(self._show_proposal, data["proposal"])))

    def _on_approval(self, data: dict[str, Any]) -> str:
        """A call waits, or it was decided: its card is there once, and shows how it stands."""
        key = data["approval"]
        if key in self._asked:
            return partial(f"approval-{key}", "outerMorph", self._show_approval(key))
        self._asked.add(key)
        return self._close_words() + self._keep(_Change(partial_of(self._show_approval, key)))

    def _on_error(self, data: dict[str, Any]) -> str:
        html = self._add("failure", failures.failure(data["kind"], data["text"]))
        self._failure = self._parts[-1]
        return html

    def _add(self, kind: str, value: Any) -> str:
        return self._keep(_Fixed(render_to_string("agents/_piece.html", {"piece": Piece(kind, value)})))

    def _keep(self, part: _Part) -> str:
        self._parts.append(part)
        self._stored = len(self._parts)
        return self._append(part.html())

    def _append(self, html: str) -> str:
        return partial(f"{self.key}-parts", "beforeend", html)
