"""Making a call whose effect lies outside of the database: noted, done, its answer stored, never twice."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from agents import events
from agents.asides import Asides
from agents.events import Event
from agents.models import ExternalCall
from agents.tools.base import ToolError
from agents.tools.external import Action, ActionFailed, ExternalTool, OutcomeUnknown
from agents.turns import lease, points, results
from agents.turns.results import Call
from agents.turns.work import Stopped, Work
from memory.models import Trust
from memory.texts import storable
from tenants.scope import scope

PULSE_SECONDS = 0.1


@dataclass(frozen=True)
class _Begun:
    """An action that is noted; it `is_resumed` where somebody else may have done it."""

    action: Action
    key: str
    is_resumed: bool


def run(work: Work, tool: ExternalTool, call: Call, heard: dict[str, Any]) -> Iterator[Event]:
    """Make one external call. `heard` is added to its answer. Raises Stopped before it is begun."""
    started = time.perf_counter()
    begun = _begin(work, tool, call)
    if isinstance(begun, _Begun):
        points.reach(points.ACTION_NOTED)
        content = yield from _pulsed(work, lambda: _outcome(begun, heard))
        points.reach(points.ACTION_DONE)
    else:
        content = begun
    yield from _store(work, call, content, started)
    points.reach(points.TOOL_COMMITTED)


def _begin(work: Work, tool: ExternalTool, call: Call) -> _Begun | str:
    """The action, noted; or what is answered where it cannot be made."""
    with scope(work.claim.identity), work.zone():
        if lease.renew(work.claim):
            raise Stopped
        noted = ExternalCall.objects.filter(turn=work.turn, call_id=call["id"]).first()
        try:
            action = tool.ready(work.tool_context(Asides()), call["arguments"])
        except ToolError as error:
            return results.unknown(str(error)) if noted else results.error(str(error), **error.facts)
        if noted is None:
            ExternalCall.objects.create(
                workspace_id=work.turn.workspace_id, turn=work.turn, call_id=call["id"], tool=call["name"]
            )
        return _Begun(action, f"{work.turn.id}-{call['id']}", is_resumed=noted is not None)


def _outcome(begun: _Begun, heard: dict[str, Any]) -> str:
    """What became of it, as the model reads it. No database is touched here."""
    try:
        done = begun.action.was_done(begun.key) if begun.is_resumed else None
        answer = begun.action.do(begun.key) if done is None else done
    except ActionFailed as error:
        return results.error(str(error), **heard)
    except OutcomeUnknown as error:
        return results.unknown(str(error))
    return json.dumps(answer | heard, ensure_ascii=False)


def _pulsed(work: Work, act: Callable[[], str]) -> Generator[Event, None, str]:
    """Do it in a thread of its own, since the lease has to be renewed meanwhile. A stop waits for its end."""
    executor = ThreadPoolExecutor(1, thread_name_prefix="action")
    doing = executor.submit(act)
    executor.shutdown(wait=False)
    while not wait([doing], PULSE_SECONDS).done:
        yield from work.hear("")
    return doing.result()


def _store(work: Work, call: Call, content: str, started: float) -> list[Event]:
    content = storable(content)
    with scope(work.claim.identity):
        lease.hold(work.claim)
        noted = ExternalCall.objects.filter(turn=work.turn, call_id=call["id"])
        noted.update(result=content, ended_at=timezone.now())
        ms = round((time.perf_counter() - started) * 1000, 1)
        # Who answers is not known: what it says is quoted to the model, as a document is.
        message = work.answer(call, content, trust=Trust.UNTRUSTED, ms=ms)
        return work.tell(events.tool(call), events.result(call, message))
