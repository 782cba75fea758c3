"""A claimed turn in the hands of its worker: what it has so far, and the short transactions that add to it.

Each transaction opens the turn's scope, renews the lease, and writes rows and events together.
"""

from __future__ import annotations

import time
import zoneinfo
from contextlib import AbstractContextManager
from datetime import UTC
from typing import Any

from django.utils import timezone

from agents import decisions, events, summarising, trust
from agents.asides import Asides
from agents.context import recording, window
from agents.context.parts import Window
from agents.context.settings import settings_of
from agents.events import Event, EventLog
from agents.llm.usage import learn
from agents.models import Agent, LanguageModel, MainContext, Step, Turn
from agents.tools.base import ToolContext
from agents.turns import approvals, claims, lease, line, points, results
from agents.turns.course import Course
from agents.turns.lease import Claim
from agents.turns.present import agent_of, look_again
from agents.turns.reply import Reply
from agents.turns.results import Call
from memory import recall
from memory.actors import SYSTEM, Actor, ActorKind
from memory.models import Message
from memory.texts import storable
from tenants.scope import scope

FLUSH_SECONDS, BEAT_SECONDS = 0.1, 0.5


class Stopped(Exception):
    """A person asked this turn to stop."""


class Work(Course):
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
        self.read(self.claim.key.row_id)
        self.log = EventLog(self.turn)

    def present_agent(self) -> Agent:
        """The agent as the last window had it, or as it is where this worker has made none.

        Raises AgentOutOfReach.
        """
        context = self.turn.context
        if not MainContext.agent.is_cached(context):
            with scope(self.claim.identity):
                context.agent = agent_of(self.turn)
        agent: Agent = context.agent
        return agent

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

    def tool_context(self, asides: Asides) -> ToolContext:
        """What a tool works for; in a transaction. Raises AgentOutOfReach."""
        agent, conversation = agent_of(self.turn), self.turn.context.conversation
        return ToolContext(self.turn, agent, conversation, self.replies[-1], asides=asides)

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
            # Nothing comes between a call and its result: what was decided is told in a later turn then.
            if not self.is_resumed and (news := decisions.take(self.turn)):
                self.remember(Message.Role.SYSTEM, news, actor=SYSTEM)
            return self.tell(*told)

    def compile(self) -> Window:
        """The window for the next model call. Raises WindowTooSmall, AgentOutOfReach."""
        with scope(self.claim.identity), self.zone():
            self.stop_asked = lease.hold(self.claim)
            self.window = compiled = window.compile_window(self.turn, look_again(self.turn))
        return compiled

    def new_step(self) -> Step:
        """The step that the next model call is; it is stored with what comes of it."""
        step = Step(
            workspace_id=self.turn.workspace_id,
            turn=self.turn,
            number=self.steps + 1,
            attempt=self.claim.attempt,
            model_name=self.model_row.name,
        )
        if self.window:
            recording.note(step, self.window)
        return step

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
            self.stop_asked = lease.renew(self.claim)
            self._store_step(step)
            self.is_stale = bool(self.streamed)
            return self.tell()

    def store_reply(self, reply: Reply, step: Step) -> list[Event]:
        """Recall the model's answer and its step."""
        with scope(self.claim.identity):
            lease.hold(self.claim)
            self._store_step(step)
            content = reply.content()
            corrected = self._corrected(content)
            return self.tell(*corrected, self._said(content, Message.State.COMPLETE, reply.calls()))

    def store_half(self, step: Step, state: str) -> list[Event]:
        """An answer that did not get to its end: what the person has read of it stays, marked as such."""
        with scope(self.claim.identity):
            lease.hold(self.claim)
            self._store_step(step)
            said = "".join(self.streamed)
            return self.tell(*([self._said(said, state)] if said.strip() else []))

    def rescue(self) -> list[Event]:
        """Keep what a dead worker had streamed of its last answer."""
        with scope(self.claim.identity):
            lease.hold(self.claim)
            return self.tell(*self._rescued())

    def wait(self, calls: list[Call]) -> list[Event]:
        """Ask a person about tool calls, and give the turn up until they have decided. Raises Stopped."""
        with scope(self.claim.identity):
            if lease.renew(self.claim):
                raise Stopped
            hours = settings_of(self.turn.context.agent).approval_hours
            asked = approvals.ask(self.turn, self.replies[-1], calls, hours)
            Turn.objects.filter(id=self.turn.id).update(status=Turn.Status.AWAITING, lease_until=None)
            return self.tell(*map(events.approval, asked), events.state(Turn.Status.AWAITING))

    def end(self, status: str, *, kind: str = "", text: str = "", retryable: bool = False) -> list[Event]:
        """The turn is over; who waits in this conversation comes next."""
        points.reach(points.BEFORE_END)
        text = storable(text)[:2000]
        with scope(self.claim.identity):
            lease.hold(self.claim)
            self.messages += results.close(self.turn, self.messages)
            claims.mark(self.turn, self.replies)
            Turn.objects.filter(id=self.turn.id).update(
                status=status, ended_at=timezone.now(), lease_until=None, error_kind=kind, error_text=text
            )
            waiting = lease.next_in_line(self.turn.conversation_id)
            if waiting:
                line.publish(waiting)
            summarising.announce(self.turn.context)
            told = [events.error(kind, text, retryable=retryable)] if kind else []
            return self.tell(*told, events.done(status, self.messages))

    # Their parts, all of them inside a transaction.

    def _rescued(self) -> list[Event]:
        said = events.partial_text(self.turn.id)
        state = Message.State.STOPPED if self.stop_asked else Message.State.INTERRUPTED
        return [self._said(said, state)] if said.strip() else []

    def _store_step(self, step: Step) -> None:
        if self.window:
            recording.keep(self.window)
        step.save(force_insert=True)
        learn(self.model_row, step)
        self.note(step)

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
        message = self.remember(Message.Role.ASSISTANT, content, **fields)
        self.streamed.clear()
        self.is_stale = False
        return events.message(message)

    def _trust_of_answer(self) -> int:
        """That of the window that it was made from; a dead worker's window was the one that stands there."""
        return self.window.trust if self.window else trust.in_window(self.turn.context)

    def answer(self, call: Call, content: str, **known: Any) -> Message:
        """Store what a tool answered, as `results.store` does."""
        message = results.store(self.turn, call, content, **known)
        self.messages.append(message)
        return message

    def remember(self, role: str, content: str, actor: Actor | None = None, **fields: Any) -> Message:
        """Store a message of this turn."""
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
            self.stop_asked = lease.renew(self.claim)
            self.beaten_at = time.monotonic()
            return self.tell(*told)

    def tell(self, *told: Event) -> list[Event]:
        """Write events, the text that was not yet told first."""
        text = "".join(self.untold)
        self.untold.clear()
        self.flushed_at = time.monotonic()
        every = [events.text(text)] if text else []
        every += told
        return self.log.write(*every) if every else []
