"""What memory cost a turn: the steps in which it was read or written, with their tokens and time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agents.models import Step, Turn
from agents.tools.catalog import TOOLS
from agents.tools.messaging import SEND_MESSAGE
from memory.models import Message

# All that an agent has so far but speaking.
MEMORY_TOOLS = frozenset(TOOLS) - {SEND_MESSAGE}


@dataclass(frozen=True)
class Cost:
    """Steps, tokens (prompt and answer, as the provider counts) and milliseconds."""

    steps: int
    tokens: int
    ms: float


@dataclass(frozen=True)
class TurnCost:
    """A turn as a whole, and what of it was for memory: steps whose answer did nothing but call its tools,
    and the time that the tools took; `compiling` is the time in which windows were made, ms."""

    whole: Cost
    memory: Cost
    compiling: float


def cost_of(turn: Turn) -> TurnCost:
    """What a turn took."""
    steps = list(Step.objects.filter(turn=turn).order_by("id"))
    said = list(Message.objects.filter(turn_id=turn.id).order_by("position"))
    tools = [each for each in said if each.role == Message.Role.TOOL]
    spent = sum(float(each.detail.get("ms", 0)) for each in tools)
    on_memory = sum(float(each.detail.get("ms", 0)) for each in tools if each.name in MEMORY_TOOLS)
    for_memory = _memory_steps(steps, said)
    compiling = sum(float(step.window.get("ms", 0)) for step in steps)
    return TurnCost(
        whole=_cost(steps, spent + compiling),
        memory=_cost(for_memory, on_memory),
        compiling=compiling,
    )


def _cost(steps: Sequence[Step], more: float) -> Cost:
    tokens = sum((step.prompt_tokens or step.counted_tokens) + step.completion_tokens for step in steps)
    return Cost(len(steps), tokens, sum(step.seconds for step in steps) * 1000 + more)


def _memory_steps(steps: Sequence[Step], said: Sequence[Message]) -> list[Step]:
    """Each answer is the one of the last step before it that went well."""
    answers = [each for each in said if each.role == Message.Role.ASSISTANT]
    good = [step for step in steps if not step.error_kind]
    pairs = zip(good, answers, strict=False)
    return [step for step, answer in pairs if _is_for_memory(answer)]


def _is_for_memory(answer: Message) -> bool:
    names = {call["name"] for call in answer.tool_calls}
    return bool(names) and names <= MEMORY_TOOLS
