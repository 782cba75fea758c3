"""Sets of rules in which a turn could not end: found by walking through everything that they allow.

What a turn may look like is a graph: which tool ran last, what has to follow it, which required tools have
run and which limits are used up. A turn can end where an exit can be called with nothing owed. From each
place that can be reached an end has to be in reach; otherwise the rules are a trap.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator

from django.utils.translation import gettext as _

from agents.tools.messaging import SEND_MESSAGE
from agents.tools.rules.kinds import Conditional, ConstrainChildTools, ParentLastTool, RequiredBeforeExit
from agents.tools.rules.solver import Progress, Rules

# More than this is not walked; sets that people write have some dozens.
PLACES_MAX = 4_000
# A limit that is higher is used up in the walk as if it were this: where it is, the same is barred.
LIMIT_WALKED = 2

# A tool that ran last and has no say over what comes next.
ANY = "*"

LEADING = (Conditional, ConstrainChildTools, ParentLastTool)
Place = tuple[str, frozenset[str] | None, tuple[tuple[str, int], ...]]
START: Place = ("", None, ())


def trap_in(rules: Rules) -> str:
    """Why a turn could never end by these rules; nothing where it always can."""
    if not rules.rules:
        return ""
    ways, ends = _walked(rules)
    if len(ways) > PLACES_MAX:
        return _("These rules are too many to be checked together. Require or limit fewer tools.")
    safe = _reaching(ways, ends)
    lost = next((place for place in ways if place not in safe), None)
    return "" if lost is None else _reason(rules, lost)


def _walked(rules: Rules) -> tuple[dict[Place, list[Place]], set[Place]]:
    """Every place that can be reached, the nearest first, with where it leads to; and those at which a turn
    can end."""
    walk = _Walk(rules)
    ways: dict[Place, list[Place]] = {}
    ends: set[Place] = set()
    open_places = deque([START])
    while open_places and len(ways) <= PLACES_MAX:
        place = open_places.popleft()
        if place in ways:
            continue
        ways[place] = list(dict.fromkeys(walk.onward(place)))
        if walk.is_end(place):
            ends.add(place)
        open_places += ways[place]
    return ways, ends


class _Walk:
    """The steps of a turn, as the rules allow them."""

    def __init__(self, rules: Rules) -> None:
        walked = {tool: min(limit, LIMIT_WALKED) for tool, limit in rules.limits.items()}
        self.rules = _with_limits(rules, walked)
        leading = (rule.tool_name for rule in rules.rules if isinstance(rule, LEADING))
        self.leading = frozenset(leading)
        # How often a tool was called matters no more than this.
        self.most = dict.fromkeys(rules.named(RequiredBeforeExit), 1) | walked

    def is_end(self, place: Place) -> bool:
        """Whether the turn can be ended here: by an exit with nothing owed, or by plain words."""
        progress = _progress(place)
        now = self.rules.allowed(progress)
        owed = self.rules.owed(progress)
        in_words = SEND_MESSAGE in self.rules.exits or not now
        return any(owed <= {tool} for tool in now & self.rules.exits) or (
            in_words and self.rules.may_speak(progress)
        )

    def onward(self, place: Place) -> Iterator[Place]:
        """Where each call leads that may be made here. After a conditional rule, to each of its cases."""
        for tool in sorted(self.rules.allowed(_progress(place))):
            counts = dict(place[2])
            if tool in self.most:
                counts[tool] = min(counts.get(tool, 0) + 1, self.most[tool])
            last = tool if tool in self.leading else ANY
            for follow in sorted(self._cases(tool), key=lambda case: sorted(case or ())):
                yield last, follow, tuple(sorted(counts.items()))

    def _cases(self, tool: str) -> set[frozenset[str] | None]:
        bound: frozenset[str] | None = None
        cases: set[frozenset[str] | None] = {None}
        for rule in self.rules.rules:
            if rule.tool_name == tool and isinstance(rule, ConstrainChildTools):
                bound = frozenset(rule.children)
            elif rule.tool_name == tool and isinstance(rule, Conditional):
                cases = _of_conditional(rule)
        return {_both(bound, case) for case in cases}


def _of_conditional(rule: Conditional) -> set[frozenset[str] | None]:
    mapped: set[frozenset[str] | None] = {frozenset({tool}) for tool in rule.child_output_mapping.values()}
    if rule.require_output_mapping:
        return mapped | {frozenset()}
    return mapped | {frozenset({rule.default_child}) if rule.default_child else None}


def _both(one: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[str] | None:
    if one is None or other is None:
        return one if other is None else other
    return one & other


def _with_limits(rules: Rules, limits: dict[str, int]) -> Rules:
    changed = [
        rule.model_copy(update={"max_count_limit": limits[rule.tool_name]})
        if rule.type == "max_count_per_step"
        else rule
        for rule in rules.rules
    ]
    return Rules(changed, rules.offered)


def _progress(place: Place) -> Progress:
    return Progress(place[0], place[1], dict(place[2]))


def _reaching(ways: dict[Place, list[Place]], ends: set[Place]) -> set[Place]:
    """The places from which an end is in reach."""
    back: dict[Place, set[Place]] = defaultdict(set)
    for place, onward in ways.items():
        for each in onward:
            back[each].add(place)
    safe, open_places = set(ends), list(ends)
    while open_places:
        fresh = back[open_places.pop()] - safe
        safe |= fresh
        open_places += fresh
    return safe


def _reason(rules: Rules, lost: Place) -> str:
    progress = _progress(lost)
    now = ", ".join(sorted(rules.allowed(progress)))
    owed = ", ".join(sorted(rules.owed(progress)))
    facts = {"tool": progress.last, "now": now, "owed": owed}
    if progress.last in {"", ANY}:
        return _at_start(owed) % facts
    if not now:
        return (
            _("After %(tool)s nothing may be called, though %(owed)s has to run before the turn ends.")
            % facts
        )
    if owed:
        return (
            _("Once %(tool)s has run, the turn can never end: %(owed)s is required, and cannot be called.")
            % facts
        )
    return _("Once %(tool)s has run, the turn can never end: only %(now)s may follow.") % facts


def _at_start(owed: str) -> str:
    if owed:
        return _("A turn could never end: %(owed)s is required, and cannot be called.")
    return _("A turn could never end: none of the tools that end it can be called.")
