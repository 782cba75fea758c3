"""What an agent's rules allow, by how far its turn has got."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from agents.models import Agent
from agents.tools.messaging import SEND_MESSAGE
from agents.tools.rules.kinds import (
    PARSER,
    AnyRule,
    Conditional,
    ConstrainChildTools,
    ContinueLoop,
    ExitLoop,
    MaxCountPerStep,
    ParentLastTool,
    RequiredBeforeExit,
    RequiresApproval,
    Rule,
    RunFirst,
)
from memory.models import Message


@dataclass(frozen=True)
class Progress:
    """How far a turn has got: which tool ran last, how often each one did, and what has to come next.

    `follow` are the tools of which one has to be called now; None where any may.
    """

    last: str = ""
    follow: frozenset[str] | None = None
    counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Rules:
    """The rules of an agent, over the tools that it is offered."""

    rules: Sequence[AnyRule]
    offered: frozenset[str]

    def named(self, kind: type[Rule]) -> frozenset[str]:
        """The tools of which a kind of rule speaks."""
        return frozenset(rule.tool_name for rule in self.rules if isinstance(rule, kind))

    @cached_property
    def first(self) -> frozenset[str]:
        """The tools of which one begins a turn."""
        return self.named(RunFirst) & self.offered

    @cached_property
    def exits(self) -> frozenset[str]:
        """The tools that end a turn. Without a rule that is send_message alone."""
        return (self.named(ExitLoop) | {SEND_MESSAGE}) - self.named(ContinueLoop)

    @cached_property
    def limits(self) -> dict[str, int]:
        """How often some tools run in a turn at most."""
        return {
            rule.tool_name: rule.max_count_limit for rule in self.rules if isinstance(rule, MaxCountPerStep)
        }

    def needs_approval(self, tool: str) -> bool:
        """Whether a person has to say yes to each call of a tool."""
        return tool in self.named(RequiresApproval)

    def going_on(self, progress: Progress, tool: str) -> Progress:
        """How far a turn will have got when a tool has run, whatever that answers."""
        bound = [
            frozenset(rule.children)
            for rule in self.rules
            if isinstance(rule, ConstrainChildTools) and rule.tool_name == tool
        ]
        counts = dict(progress.counts) | {tool: progress.counts.get(tool, 0) + 1}
        return Progress(tool, frozenset.intersection(*bound) if bound else None, counts)

    def progress(self, messages: Iterable[Message]) -> Progress:
        """How far a turn has got, by its messages."""
        made = [each for each in messages if each.role == Message.Role.TOOL and self._counts(each)]
        if not made:
            return Progress()
        last = made[-1]
        return Progress(last.name, self.follow(last.name, last.content), Counter(each.name for each in made))

    def _counts(self, answer: Message) -> bool:
        """Calls that were not run, or failed, do not count; a conditional rule may ask for the failure."""
        if answer.detail.get("refused"):
            return False
        return answer.name in self.named(Conditional) or not has_failed(answer.content)

    def follow(self, tool: str, answer: str) -> frozenset[str] | None:
        """The tools of which one has to come after a tool that answered so (JSON as text)."""
        found = [self._children(rule, answer) for rule in self.rules if rule.tool_name == tool]
        bound = [children for children in found if children is not None]
        return frozenset.intersection(*bound) if bound else None

    def _children(self, rule: AnyRule, answer: str) -> frozenset[str] | None:
        if isinstance(rule, ConstrainChildTools):
            return frozenset(rule.children)
        return after(rule, answer) if isinstance(rule, Conditional) else None

    def allowed(self, progress: Progress) -> frozenset[str]:
        """The tools that may be called now."""
        spent = {tool for tool, limit in self.limits.items() if progress.counts.get(tool, 0) >= limit}
        if not progress.last and self.first:
            return self.first - spent
        tools = self.offered - spent
        if progress.follow is not None:
            tools &= progress.follow
        for rule in self.rules:
            if isinstance(rule, ParentLastTool):
                children = frozenset(rule.children)
                tools = tools & children if progress.last == rule.tool_name else tools - children
        return tools

    def owed(self, progress: Progress) -> frozenset[str]:
        """The tools that have to run before the turn can end."""
        return frozenset(
            tool for tool in self.named(RequiredBeforeExit) & self.offered if not progress.counts.get(tool)
        )

    def may_speak(self, progress: Progress) -> bool:
        """Whether plain words, without a call, can end the turn now: no certain tool has to come next."""
        if self.owed(progress):
            return False
        due = self.first if not progress.last and self.first else progress.follow
        now = self.allowed(progress)
        return due is None or not now or SEND_MESSAGE in now


def after(rule: Conditional, answer: str) -> frozenset[str] | None:
    """The tools that may follow by a conditional rule; None where any may."""
    given = _outputs(answer)
    for key, tool in rule.child_output_mapping.items():
        if key.strip().lower() in given:
            return frozenset({tool})
    if rule.require_output_mapping:
        return frozenset()
    return frozenset({rule.default_child}) if rule.default_child else None


def _outputs(answer: str) -> set[str]:
    """What a case may name of an answer: its message, its status, and of a search how many it found."""
    found: Any = json.loads(answer)
    values = [found.get("message"), found.get("status")]
    if isinstance(found.get("results"), list):
        values.append(len(found["results"]))
    return {str(value).strip().lower() for value in values if value is not None}


def of(agent: Agent, offered: Iterable[str]) -> Rules:
    """The rules of an agent, as they were checked when they were saved."""
    return Rules([PARSER.validate_python(each) for each in agent.tool_rules], frozenset(offered))


def has_failed(answer: str) -> bool:
    """Whether a tool's answer, JSON as text, tells of an error."""
    return bool(json.loads(answer).get("status") == "error")
