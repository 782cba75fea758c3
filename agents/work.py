"""A claimed turn in the hands of its worker: what it has so far, and the short transactions that add to it.

Each transaction opens the turn's scope, renews the lease, and writes rows and events together.
"""

from __future__ import annotations

import json
import time
import zoneinfo
from contextlib import AbstractContextManager
from datetime import UTC
from typing import Any

from django.utils import timezone

from agents import claims, decisions, events, lease, points, services, trust
from agents.asides import Asides, begin_anew
from agents.context import window
from agents.context.parts import Window
from agents.events import Event, EventLog
from agents.lease import Claim
from agents.models import LanguageModel, Step, Turn
from agents.present import agent_of
from agents.reply import Reply
from agents.tools import catalog
from agents.tools.base import ToolContext
from agents.tools.messaging import SEND_MESSAGE
from memory import recall
from memory.actors import SYSTEM, Actor, ActorKind
from memory.models import Message, Trust
from memory.texts import storable
from tenants.scope import scope

FLUSH_SECONDS, BEAT_SECONDS = 0.1, 0.5
NOT_RUN = '{"status": "error", "error": "This call was not run: the turn ended before."}'


class Work:
    """The state of a turn, all of it read from the database: a second worker goes on where one died.

    It is read by `begin`, or by `load`; everything else comes after one of them.
    """

    def __init__(self, claimed: Claim) -> None:
        self.claim = claimed
        self.flushed_at = self.beaten_at = time.monotonic()

    def load(self) -> None:
        """Read the turn as it is committed. Raises LeaseLost."""
        with scope(self.claim.identity):
            self._read()

    def _read(self) -> None:
        # What is streamed of the present answer, what of it is not yet told, and whether it broke off.
        self.streamed: list[str] = []
        self.untold: list[str] = []
        self.is_stale = False
        self.window: Window | None = None
        self.stop_asked = lease.hold(self.claim)
        self.turn = Turn.objects.select_related(
            "context__conversation", "context__summary", "message", "user"
        ).get(id=self.claim.key.turn_id)
        self.messages = list(Message.objects.filter(turn_id=self.turn.id).order_by("position"))
        steps = list(Step.objects.filter(turn=self.turn).values_list("attempt", "error_kind"))
        self.steps = len(steps)
        self.answers = sum(attempt > self.turn.attempt_base and not kind for attempt, kind in steps)
        self.log = EventLog(self.turn)

    @property
    def model_row(self) -> LanguageModel:
        """The model of the window that was compiled last."""
        row: LanguageModel = self.turn.context.agent.model
        return row

    def zone(self) -> AbstractContextManager[None]:
        """The person's time zone, for what models read and write as dates; UTC where it is not known."""
        try:
            return timezone.override(zoneinfo.ZoneInfo(self.turn.user.time_zone or "UTC"))
        except (zoneinfo.ZoneInfoNotFoundError, ValueError):
            return timezone.override(UTC)

    # What stands in the messages decides what comes next.

    @property
    def replies(self) -> list[Message]:
        """The model's answers in this turn."""
        return [each for each in self.messages if each.role == Message.Role.ASSISTANT]

    def open_calls(self) -> list[dict[str, Any]]:
        """Tool calls of the last answer that have no result yet."""
        if not self.replies:
            return []
        answered = {each.tool_call_id for each in self.messages if each.role == Message.Role.TOOL}
        return [call for call in self.replies[-1].tool_calls if call["id"] not in answered]

    def has_spoken(self) -> bool:
        """Whether the last answer reached the person: plain text, or a send_message that went well."""
        if not self.replies or self.replies[-1].state != Message.State.COMPLETE:
            return False
        last = self.replies[-1]
        if not last.tool_calls:
            return bool(last.content.strip())
        sent = {call["id"] for call in last.tool_calls if call["name"] == SEND_MESSAGE}
        return any(each.tool_call_id in sent and _is_ok(each) for each in self.messages)

    def has_said_something(self) -> bool:
        """Whether any whole answer of this turn had words for the person, beside its tool calls."""
        return any(each.content.strip() for each in self.replies if each.state == Message.State.COMPLETE)

    # The transactions.

    def begin(self) -> list[Event]:
        """Read the turn and say that it runs; the model hears what became of its proposals.

        What an earlier worker streamed of an unfinished answer is void, or kept where nobody will ask again.
        """
        with scope(self.claim.identity):
            self._read()
            is_kept = self.stop_asked and not self.claim.is_first
            told = [*(self._rescued() if is_kept else []), events.state(Turn.Status.RUNNING)]
            if not (is_kept or self.claim.is_first):
                told.append(events.restart())
            if news := decisions.take(self.turn):
                self._remember(Message.Role.SYSTEM, news, actor=SYSTEM)
            return self._tell(*told)

    def compile(self) -> Window:
        """The window for the next model call. Raises WindowTooSmall, AgentOutOfReach."""
        with scope(self.claim.identity), self.zone():
            self.stop_asked = lease.hold(self.claim)
            context = self.turn.context
            context.agent = agent_of(self.turn)
            self.window = compiled = window.compile_window(self.turn)
            if compiled.used != context.window_used:
                context.window_used = compiled.used
                context.save(update_fields=["window_used"])
        return compiled

    def new_step(self) -> Step:
        """The step that the next model call is; it is stored with what comes of it."""
        return Step(
            workspace_id=self.turn.workspace_id,
            turn=self.turn,
            number=self.steps + 1,
            attempt=self.claim.attempt,
            model_name=self.model_row.name,
        )

    def hear(self, text: str) -> list[Event]:
        """Take in spoken text; events are merged to one in 100 ms. Also the turn's pulse: lease and stop."""
        told = self._restart() if text and self.is_stale else []
        if text:
            self.streamed.append(text)
            self.untold.append(text)
        now = time.monotonic()
        if (self.untold and now - self.flushed_at >= FLUSH_SECONDS) or now - self.beaten_at >= BEAT_SECONDS:
            told += self._commit()
        return told

    def ask_again(self, step: Step) -> list[Event]:
        """An answer broke off. What it said stays in the page until another one begins to speak."""
        with scope(self.claim.identity):
            self.stop_asked = lease.hold(self.claim)
            self._store_step(step)
            self.is_stale = bool(self.streamed)
            return self._tell()

    def store_reply(self, reply: Reply, step: Step) -> list[Event]:
        """Recall the model's answer and its step."""
        with scope(self.claim.identity):
            lease.hold(self.claim)
            self._store_step(step)
            self.answers += 1
            content = reply.content()
            corrected = self._corrected(content)
            return self._tell(*corrected, self._said(content, Message.State.COMPLETE, reply.calls()))

    def store_half(self, step: Step, state: str) -> list[Event]:
        """An answer that did not get to its end: what the person has read of it stays, marked as such."""
        with scope(self.claim.identity):
            lease.hold(self.claim)
            self._store_step(step)
            said = "".join(self.streamed)
            return self._tell(*([self._said(said, state)] if said.strip() else []))

    def rescue(self) -> list[Event]:
        """Keep what a dead worker had streamed of its last answer."""
        with scope(self.claim.identity):
            lease.hold(self.claim)
            return self._tell(*self._rescued())

    def run_tool(self, call: dict[str, Any]) -> list[Event]:
        """One tool call: its effect, its result and its events are one transaction, so it happens once."""
        catalog.prepare(call["name"], call["arguments"])
        told = begin_anew(lambda asides: self._ran(call, asides))
        points.reach(points.TOOL_COMMITTED)
        return told

    def end(self, status: str, *, kind: str = "", text: str = "", retryable: bool = False) -> list[Event]:
        """The turn is over; who waits in this conversation comes next."""
        points.reach(points.BEFORE_END)
        text = storable(text)[:2000]
        with scope(self.claim.identity):
            lease.hold(self.claim)
            for call in self.open_calls():  # no provider takes a call without its result
                self._answer(call, NOT_RUN)
            claims.mark(self.turn, self.replies)
            Turn.objects.filter(id=self.turn.id).update(
                status=status, ended_at=timezone.now(), lease_until=None, error_kind=kind, error_text=text
            )
            waiting = lease.next_in_line(self.turn.conversation_id)
            if waiting:
                services.publish(waiting)
            told = [events.error(kind, text, retryable=retryable)] if kind else []
            return self._tell(*told, events.done(status, self.messages))

    # Their parts, all of them inside a transaction.

    def _ran(self, call: dict[str, Any], asides: Asides) -> list[Event]:
        with scope(self.claim.identity), self.zone():
            lease.hold(self.claim)
            agent, conversation = agent_of(self.turn), self.turn.context.conversation
            context = ToolContext(self.turn, agent, conversation, self.replies[-1], asides=asides)
            content = catalog.run(context, call["name"], call["arguments"])
            message = self._answer(call, content, shown=context.shown)
            told = [] if call["name"] == SEND_MESSAGE else [events.tool(call), events.result(call, message)]
            return self._tell(*told, *events.written(call, context.written))

    def _rescued(self) -> list[Event]:
        said = events.partial_text(self.turn.id)
        state = Message.State.STOPPED if self.stop_asked else Message.State.INTERRUPTED
        return [self._said(said, state)] if said.strip() else []

    def _store_step(self, step: Step) -> None:
        step.save(force_insert=True)
        self.steps += 1

    def _corrected(self, content: str) -> list[Event]:
        """Where what was streamed is not what was meant (broken JSON), the page gets the whole once more."""
        if "".join(self.streamed).strip() == content.strip():
            return []
        self.untold.clear()
        return [events.restart(), *([events.text(content)] if content else [])]

    def _said(self, content: str, state: str, calls: list[dict[str, Any]] | None = None) -> Event:
        fields: dict[str, Any] = {
            "tool_calls": calls or [],
            "state": state,
            "trust": self._trust_of_answer(),
        }
        message = self._remember(Message.Role.ASSISTANT, content, **fields)
        self.streamed.clear()
        self.is_stale = False
        return events.message(message)

    def _trust_of_answer(self) -> int:
        """That of the window that it was made from; a dead worker's window was the one that stands there."""
        return self.window.trust if self.window else trust.in_window(self.turn.context)

    def _answer(self, call: dict[str, Any], content: str, shown: int = Trust.TRUSTED) -> Message:
        known = {"tool_call_id": call["id"], "name": call["name"], "trust": shown}
        return self._remember(Message.Role.TOOL, content, **known)

    def _remember(self, role: str, content: str, actor: Actor | None = None, **fields: Any) -> Message:
        context = self.turn.context
        actor = actor or Actor(ActorKind.AGENT, context.agent_id)
        message = recall.add_message(
            context.conversation, role=role, content=content, actor=actor, turn_id=self.turn.id, **fields
        )
        self.messages.append(message)
        return message

    def _restart(self) -> list[Event]:
        self.streamed.clear()
        self.untold.clear()
        self.is_stale = False
        return self._commit(events.restart())

    def _commit(self, *told: Event) -> list[Event]:
        with scope(self.claim.identity):
            self.stop_asked = lease.hold(self.claim)
            self.beaten_at = time.monotonic()
            return self._tell(*told)

    def _tell(self, *told: Event) -> list[Event]:
        """Write events, the text that was not yet told first."""
        text = "".join(self.untold)
        self.untold.clear()
        self.flushed_at = time.monotonic()
        every = [events.text(text)] if text else []
        every += told
        return self.log.write(*every) if every else []


def _is_ok(message: Message) -> bool:
    return bool(json.loads(message.content).get("status") == "ok")
