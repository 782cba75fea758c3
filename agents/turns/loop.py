"""The loop: model, tools, again, until the agent has spoken.

A turn is a generator of events; worker, tests and commands drain the same one. What comes next is read off
the stored messages each time around, so a second worker goes on where the first one died.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing

import structlog

from agents.context.parts import Window
from agents.context.window import WindowTooSmall
from agents.events import Event
from agents.llm import catalog
from agents.llm.base import ModelError, ModelRequest
from agents.llm.pump import pump
from agents.models import Step, Turn
from agents.turns import broken, calls, lease, points
from agents.turns.calls import Waits
from agents.turns.lease import Claim, LeaseLost
from agents.turns.present import AgentOutOfReach
from agents.turns.reply import Reply
from agents.turns.work import Stopped, Work
from memory.models import Message
from memory.texts import storable
from tenants.scope import RowKey

# A model whose answer broke off in the middle is asked again this often; what its client can do, it has done.
TRIES = 2
FILTERED = "content_filter"
log = structlog.get_logger()


def run_turn(key: RowKey) -> Iterator[Event]:
    """Work on a turn to its end, yielding its events. Nothing where it is somebody else's, or must wait."""
    claimed = None
    try:
        claimed = lease.claim(key)
        if claimed is not None:
            yield from work_on(claimed)
    except LeaseLost:
        log.warning("lease lost", turn=str(key.row_id))
    except Exception as error:
        if broken.is_of_the_database(error):
            raise
        log.exception("turn broken", turn=str(key.row_id))
        broken.put_down(key, claimed, error)


def work_on(claimed: Claim) -> Iterator[Event]:
    """Work on a claimed turn. Raises LeaseLost."""
    points.reach(points.CLAIMED)
    work = Work(claimed)
    if claimed.hopeless:
        work.load()
        yield from give_up(work, claimed.hopeless)
    else:
        yield from work.begin()
        yield from outcome(work)


def outcome(work: Work) -> Iterator[Event]:
    """The turn, and the way in which it ended."""
    try:
        yield from think(work)
        yield from work.end(Turn.Status.DONE)
    except Waits:
        return  # whoever decides puts it in the line again
    except Stopped:
        yield from work.end(Turn.Status.STOPPED)
    except (ModelError, WindowTooSmall, AgentOutOfReach) as error:
        yield from work.end(Turn.Status.FAILED, kind=error.kind, text=str(error), retryable=error.retryable)
    except LeaseLost:
        raise
    except Exception as error:
        log.exception("turn failed", turn=str(work.turn.id))
        work.load()  # what is in memory may never have been committed
        yield from work.rescue()
        yield from work.end(Turn.Status.FAILED, kind="internal", text=type(error).__name__, retryable=True)


def think(work: Work) -> Iterator[Event]:
    """Model, tools, heartbeat: until the agent has spoken. Raises Waits, Stopped, ModelError."""
    while True:
        yield from calls.run_open(work)
        if calls.is_over(work):
            return
        calls.check_limits(work)
        try:
            yield from call_model(work)
        except ModelError as error:
            # Some say their words beside a tool call, and then have nothing to add.
            if error.kind == "empty" and work.has_said_something() and calls.owes_nothing(work):
                return
            raise


def call_model(work: Work) -> Iterator[Event]:
    """One step: compile the window, stream the model's answer, store it. Raises Stopped, ModelError."""
    window = work.compile()
    if work.stop_asked:
        raise Stopped
    for tries_left in reversed(range(TRIES)):
        step, reply = work.new_step(), Reply()
        try:
            yield from listen(work, window, reply, step)
            yield from work.store_reply(reply, step)
            return
        except Stopped:
            step.finish_reason = "stopped"
            yield from work.store_half(step, Message.State.STOPPED)
            raise
        except ModelError as error:
            step.error_kind, step.error_text = error.kind, storable(str(error))[:2000]
            if not (tries_left and is_worth_another_try(error, reply)):
                yield from work.store_half(step, Message.State.INTERRUPTED)
                raise
            yield from work.ask_again(step)


def is_worth_another_try(error: ModelError, reply: Reply) -> bool:
    """What failed before its first delta was tried again by the client, except for an empty answer."""
    return error.kind == "empty" or (reply.has_begun and error.retryable and error.kind != FILTERED)


def listen(work: Work, window: Window, reply: Reply, step: Step) -> Iterator[Event]:
    """Hear one answer to its end, and fill in the step. Raises Stopped, ModelError."""
    started = time.monotonic()
    request = ModelRequest(step.model_name, window.messages(), window.tools())
    try:
        with closing(pump(catalog.answering(work.model_row), request)) as stream:
            for delta in stream:
                spoken = "" if delta is None else reply.feed(delta)
                yield from work.hear(spoken)
                if spoken:
                    points.reach(points.STREAMING)
                if work.stop_asked:
                    raise Stopped
    finally:
        step.seconds = time.monotonic() - started
        step.prompt_tokens, step.completion_tokens = reply.prompt_tokens, reply.completion_tokens
        step.cached_tokens = reply.cached_tokens
        step.finish_reason = reply.finish_reason
    if reply.is_empty:
        kind = FILTERED if reply.finish_reason == FILTERED else "empty"
        raise ModelError("The model answered with nothing.", kind=kind, retryable=True)


def give_up(work: Work, kind: str) -> Iterator[Event]:
    """A turn on which nobody can work any more: end it in a stated way, with what was said."""
    yield from work.rescue()
    if kind == lease.DELETED:
        yield from work.end(Turn.Status.STOPPED)
        return
    status, text = {
        lease.EXHAUSTED: (Turn.Status.INTERRUPTED, "Every worker that had this turn died."),
        lease.LOCKED_OUT: (Turn.Status.FAILED, "The person does not reach this conversation any more."),
    }[kind]
    yield from work.end(status, kind=kind, text=text, retryable=kind == lease.EXHAUSTED)
