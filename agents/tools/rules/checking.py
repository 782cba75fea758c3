"""What is saved as tool rules: well formed, about tools that exist, and such that a turn can end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from pydantic import ValidationError

from agents.tools.messaging import SEND_MESSAGE
from agents.tools.rules.endless import trap_in
from agents.tools.rules.kinds import (
    PARSER,
    AnyRule,
    Conditional,
    ConstrainChildTools,
    ContinueLoop,
    ExitLoop,
    ParentLastTool,
    RequiredBeforeExit,
    RequiresApproval,
    RunFirst,
)
from agents.tools.rules.solver import Rules

RULES_MAX = 100
# Letta's clients send them along with every rule; what they say is not done here.
_UNUSED = ("prompt_template", "args")


class BadRule(Exception):
    """An agent's tool rules cannot be like this."""

    def __init__(self, message: str, index: int | None = None) -> None:
        """`index` is the place of the rule that is wrong, from 0; None where it is all of them together."""
        super().__init__(message)
        self.index = index


def checked(data: Any, known: Iterable[str], only_with_skills: Iterable[str]) -> list[dict[str, Any]]:
    """Rules as they are stored, of what a page or the API gave; `known` are the tools that there are, and
    `only_with_skills` those of them that an agent is not always offered: its skills come and go.

    Raises BadRule, with the reason in words.
    """
    if not isinstance(data, list) or len(data) > RULES_MAX:
        raise BadRule(_("Tool rules are a list of at most %d.") % RULES_MAX)
    tools = frozenset(known)
    rules = [_parsed(each, index) for index, each in enumerate(data)]
    for index, rule in enumerate(rules):
        _check_one(rule, index, tools)
    _check_twice(rules)
    together = Rules(rules, tools)
    _check_exits(together)
    _check_required(together)
    if reason := trap_in(together):
        raise BadRule(reason)
    if reason := trap_in(Rules(rules, tools.difference(only_with_skills))):
        raise BadRule(_("While the agent has no skills: %s") % reason)
    return [rule.model_dump(mode="json", exclude_none=True) for rule in rules]


def _parsed(given: Any, index: int) -> AnyRule:
    if not isinstance(given, Mapping):
        raise BadRule(_("A tool rule is an object with type and tool_name."), index)
    kept = {name: value for name, value in given.items() if not (name in _UNUSED and value is None)}
    try:
        return PARSER.validate_python(kept)
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(each) for each in fault["loc"][1:] or fault["loc"])
        raise BadRule(f"{place}: {fault['msg']}" if place else fault["msg"], index) from None


def _check_one(rule: AnyRule, index: int, known: frozenset[str]) -> None:
    for name in named_by(rule):
        if name not in known:
            raise BadRule(_("There is no tool %s.") % name, index)
    if isinstance(rule, ParentLastTool) and rule.tool_name in rule.children:
        raise BadRule(_("%s would wait for itself: it cannot be its own child here.") % rule.tool_name, index)
    if isinstance(rule, RequiresApproval) and rule.tool_name == SEND_MESSAGE:
        raise BadRule(_("What an agent says is read while it says it, so it cannot wait for a yes."), index)


def named_by(rule: AnyRule) -> list[str]:
    """All tools of which a rule speaks."""
    if isinstance(rule, ConstrainChildTools | ParentLastTool):
        return [rule.tool_name, *rule.children]
    if isinstance(rule, Conditional):
        return [rule.tool_name, *rule.child_output_mapping.values(), *filter(None, [rule.default_child])]
    return [rule.tool_name]


def _check_twice(rules: list[AnyRule]) -> None:
    seen: set[tuple[str, str]] = set()
    for index, rule in enumerate(rules):
        if (rule.type, rule.tool_name) in seen:
            raise BadRule(_("There are two rules %(type)s of %(tool)s.") % _names(rule), index)
        seen.add((rule.type, rule.tool_name))


def _names(rule: AnyRule) -> dict[str, str]:
    return {"type": rule.type, "tool": rule.tool_name}


def _check_exits(rules: Rules) -> None:
    for tool in sorted(rules.named(ExitLoop) & rules.named(ContinueLoop)):
        raise BadRule(_("%s cannot both end the turn and go on.") % tool)
    if not rules.exits:
        raise BadRule(_("Nothing ends a turn: the turn goes on after every tool that could end it."))


def _check_required(rules: Rules) -> None:
    """Switched off, and yet asked for: said of the tool itself, before all rules are looked at together."""
    off = {tool for tool, limit in rules.limits.items() if not limit}
    for kind, reason in _WANTED:
        for tool in sorted(off & rules.named(kind)):
            raise BadRule(reason() % tool)


_WANTED: tuple[tuple[type[RequiredBeforeExit] | type[RunFirst], Callable[[], str]], ...] = (
    (RequiredBeforeExit, lambda: _("%s has to run before the turn ends, but it is switched off.")),
    (RunFirst, lambda: _("A turn begins with %s, but it is switched off.")),
)
