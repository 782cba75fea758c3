"""The tool calls of an answer: each is run, refused, or waits for a person; and whether they end the turn."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

from agents import events
from agents.asides import Asides, begin_anew
from agents.context.settings import settings_of
from agents.events import Event
from agents.llm.base import ModelError
from agents.tools import catalog, rules
from agents.tools.base import IGNORED
from agents.tools.external import ExternalTool
from agents.tools.messaging import SEND_MESSAGE
from agents.tools.rules import Rules
from agents.turns import approvals, external, lease, points, results
from agents.turns.approvals import Decision
from agents.turns.results import Call, Refused
from agents.turns.work import Work
from memory.models import Message
from tenants.scope import scope

# The same call with the same arguments runs so often in a turn; then the model is told, in so many answers.
SAME_MOST, TOLD_MOST = 2, 2
# A model that ends its turn so often without what its rules ask of it does not understand them.
ENDINGS_MOST = 3


class Waits(Exception):
    """The turn waits for a person's decision about a tool call."""


def run_open(work: Work) -> Iterator[Event]:
    """Answer the open calls of the last answer, in their order.

    Raises Waits where a person decides first, Stopped, and ModelError where a model repeats itself for good.
    """
    calls = work.open_calls()
    if not calls:
        return
    held = rules_of(work)
    decided = _decided(work, calls) if work.is_resumed else {}
    for place, call in enumerate(calls):
        decision = decided.get(call["id"])
        if refused := _refused(work, held, call, decision):
            yield from _refuse(work, call, *refused)
        elif decision is None and is_to_be_asked(held, call):
            yield from work.wait(_to_ask(work, held, calls[place:], decided))
            raise Waits
        else:
            yield from _run(work, call, decision)


def rules_of(work: Work) -> Rules:
    """The rules of a turn's agent, over the tools that it is offered."""
    agent = work.present_agent()
    return rules.of(agent, catalog.offered(agent))


def check_limits(work: Work) -> None:
    """Raises ModelError where a turn has used up its steps or its tokens."""
    if not work.answers and not work.spent:
        return
    limits = settings_of(work.present_agent())
    if work.answers >= limits.steps_max:
        raise ModelError(f"No answer in {limits.steps_max} steps.", kind="step_limit", retryable=True)
    if limits.tokens_max and work.spent >= limits.tokens_max:
        said = f"No answer within {limits.tokens_max:,} tokens; {work.spent:,} were used."
        raise ModelError(said, kind="token_limit", retryable=True)


def is_over(work: Work) -> bool:
    """Whether the last answer ends the turn: plain words, or a tool that ends it, with nothing owed.

    Raises ModelError where a model ends it again and again without what its rules ask for.
    """
    if not work.replies or work.replies[-1].state != Message.State.COMPLETE:
        return False
    held = rules_of(work)
    last = work.replies[-1]
    if not _would_end(work, held, last):
        return False
    progress = held.progress(work.messages)
    if not held.owed(progress) if last.tool_calls else held.may_speak(progress):
        return True
    if sum(_would_end(work, held, each) for each in work.replies_of_try()) >= ENDINGS_MOST:
        due = ", ".join(sorted(held.owed(progress) or held.allowed(progress)))
        raise ModelError(
            f"It did not call what its tool rules ask for: {due}.", kind="tool_rules", retryable=True
        )
    return False


def owes_nothing(work: Work) -> bool:
    """Whether a turn could end as far as its rules are concerned."""
    held = rules_of(work)
    return held.may_speak(held.progress(work.messages))


def _would_end(work: Work, held: Rules, reply: Message) -> bool:
    if not reply.tool_calls:
        return bool(reply.content.strip())
    ending = {call["id"] for call in reply.tool_calls if call["name"] in held.exits}
    return any(each.tool_call_id in ending and _went_well(each) for each in work.messages)


def _went_well(answer: Message) -> bool:
    return not answer.detail.get("refused") and not rules.has_failed(answer.content)


# What is not run.


def _refused(work: Work, held: Rules, call: Call, decision: Decision | None) -> tuple[Refused, str] | None:
    """Why a call is not run, and what the model is told. Raises ModelError where telling does not help."""
    if call["name"] not in held.offered:
        return None  # the catalog says that there is no such tool
    now = held.allowed(held.progress(work.messages))
    if call["name"] not in now:
        return Refused.RULE, _barred(call["name"], sorted(now))
    if decision is not None:
        return decision.refusal
    return _repeated(work, call)


def _barred(name: str, now: list[str]) -> str:
    if not now:
        return results.error(f"{name} may not be called now, nor any other tool. Answer in plain words.")
    return results.error(f"{name} may not be called now. You may call: {', '.join(now)}.", allowed=now)


def _repeated(work: Work, call: Call) -> tuple[Refused, str] | None:
    before = _same_before(work, call)
    if sum(len(answers) for answers in before) < SAME_MOST:
        return None
    told = [answers for answers in before if any(map(_was_told, answers))]
    if len(told) >= TOLD_MOST:
        said = f"It called {call['name']} with the same arguments again and again."
        raise ModelError(said, kind="repeating", retryable=True)
    said = "This same call was made and answered before, so it was not run again. Use that answer, or speak."
    return Refused.REPEATED, results.error(said, code="repeated")


def _same_before(work: Work, call: Call) -> list[list[Message]]:
    """What was answered to the same call before, for each of the model's answers that made it."""
    answers = {each.tool_call_id: each for each in work.messages if each.role == Message.Role.TOOL}
    made = (
        [answers[each["id"]] for each in reply.tool_calls if each["id"] in answers and _is_same(each, call)]
        for reply in work.replies_of_try()
    )
    return [found for found in made if found]


def _was_told(answer: Message) -> bool:
    return bool(answer.detail.get("refused") == Refused.REPEATED)


def _is_same(one: Call, other: Call) -> bool:
    return bool(one["name"] == other["name"] and _meant(one["arguments"]) == _meant(other["arguments"]))


def _meant(arguments: str) -> Any:
    """Arguments without what says nothing, so that order and spacing make no difference."""
    try:
        given = json.loads(arguments or "{}")
    except (ValueError, RecursionError):
        return arguments
    if not isinstance(given, dict):
        return given
    return {name: value for name, value in given.items() if name not in IGNORED}


def _refuse(work: Work, call: Call, why: Refused, content: str) -> list[Event]:
    with scope(work.claim.identity):
        lease.hold(work.claim)
        return work.tell(*_told(call, work.answer(call, content, refused=why)))


# What waits.


def _decided(work: Work, calls: list[Call]) -> dict[str, Decision]:
    with scope(work.claim.identity):
        return approvals.decisions(work.turn, calls)


def is_to_be_asked(held: Rules, call: Call) -> bool:
    """Whether a person says yes or no to a call before it runs: not where its arguments are wrong."""
    return held.needs_approval(call["name"]) and catalog.is_sound(call["name"], call["arguments"])


def _to_ask(work: Work, held: Rules, calls: list[Call], decided: dict[str, Decision]) -> list[Call]:
    """The calls of an answer about which a person is asked now: all that could run, if the others do.

    One that is decided is not asked about again: by a no before it, or by new rules, others may be open.
    """
    progress = held.progress(work.messages)
    wanted = []
    for call in calls:
        decision = decided.get(call["id"])
        if call["name"] not in held.allowed(progress) or (decision and decision.refusal):
            continue
        if decision is None and is_to_be_asked(held, call):
            wanted.append(call)
        progress = held.going_on(progress, call["name"])
    return wanted


# What is run.


def _run(work: Work, call: Call, decision: Decision | None) -> Iterator[Event]:
    if decision is not None:
        call = call | {"arguments": decision.arguments}
    heard = decision.heard if decision else {}
    tool = catalog.TOOLS.get(call["name"])
    if isinstance(tool, ExternalTool):
        yield from external.run(work, tool, call, heard)
        return
    started = time.perf_counter()
    catalog.prepare(work.claim.identity, call["name"], call["arguments"])
    yield from begin_anew(lambda asides: _ran(work, call, heard, asides, started))
    points.reach(points.TOOL_COMMITTED)


def _ran(work: Work, call: Call, heard: dict[str, Any], asides: Asides, started: float) -> list[Event]:
    """One tool call: its effect, its result and its events are one transaction, so it happens once."""
    with scope(work.claim.identity), work.zone():
        lease.hold(work.claim)
        context = work.tool_context(asides)
        content = catalog.run(context, call["name"], call["arguments"], **heard)
        ms = round((time.perf_counter() - started) * 1000, 1)
        message = work.answer(call, content, trust=context.shown, **{"ms": ms} | context.detail)
        return work.tell(*_told(call, message), *events.written(call, context.written))


def _told(call: Call, message: Message) -> list[Event]:
    return [] if call["name"] == SEND_MESSAGE else [events.tool(call), events.result(call, message)]
