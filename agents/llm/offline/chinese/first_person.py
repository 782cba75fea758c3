"""Whether what follows 我 lasts: habits, states and decisions do, events and moods do not."""

from __future__ import annotations

import re

from agents.llm.offline.chinese import doubts, lasting
from agents.llm.offline.dates import DATED

_DID_FOR = re.compile(r"(?:干|做|住|待|呆|读|当|工作|生活)过.{0,4}(?:年|个月|天|阵子)")
_WHENEVER = re.compile(r"(?<![第之])一[^，,]{1,6}就|每次|只要[^，,]*就|经常|容易")
_ONLY_NAMES = re.compile(
    r"^的(?!.*(?<![费信应作])用(?![户途法]))[^，,：:\d是在有叫为不没很已也都会能要姓爱喜了岁]{1,8}$"
)


def over(bare: str) -> str:
    """ "past" or "passing" where a clause does not hold for long, else ""."""
    if doubts.UNCERTAIN.search(bare):
        return "uncertain"
    if lasting.PAST.search(bare) and not lasting.TIED_TO_PAST.search(bare):
        return "past"
    if lasting.PASSING_TIME.search(bare) and not lasting.CARES_ABOUT_DAY.search(bare):
        return "passing"
    return ""


def reason_against(bare: str, rest: str, *, ours: bool) -> str | None:
    """Why 我 with this `rest` is nothing lasting; "" where it says nothing, None when it is a statement."""
    if _ONLY_NAMES.match(rest):
        return ""
    rest = _after_of(rest)
    if lasting.GOAL.match(rest):
        return None
    if reason := over(bare):
        return reason
    if len(rest) < 2 or _is_state(rest) or lasting.BROKEN.search(rest):
        return "passing"
    planned = DATED.search(rest) and re.match(r"(?:要|去|打算|准备|会|将|计划)", rest)
    if _passes(rest, ours) and not planned:
        return "passing"
    return "past" if _is_done(rest) else None


def is_weak(rest: str) -> bool:
    """我吃香菜了 may be an event or a change: it counts only where memory says the opposite."""
    rest = _after_of(rest)
    changes = (
        lasting.LE_IS_STATE.search(rest) or lasting.LASTING_DONE.search(rest) or lasting.GOAL.match(rest)
    )
    return bool(lasting.ENDS_LE.search(rest) and not changes)


def _after_of(rest: str) -> str:
    return rest.removeprefix("的").strip()


def _is_state(rest: str) -> bool:
    """我头疼 passes; 我一吃辣就胃疼 is how it always goes."""
    return bool(lasting.STATE_ENDS.search(rest) and not _WHENEVER.search(rest))


def _is_done(rest: str) -> bool:
    ended = lasting.DONE.search(rest) and not lasting.LASTING_DONE.search(rest)
    return bool(ended and not lasting.ENDS_LE.search(rest) or _DID_FOR.search(rest))


def _passes(rest: str, ours: bool) -> bool:
    if lasting.LASTING_DONE.search(rest) and not re.match(r"(?:想|在想|可以)", rest):
        return False
    pattern = lasting.OUR_PASSING if ours else lasting.PASSING
    return bool(
        pattern.match(rest) or (ours and lasting.PASSING.match(rest) and not re.match(r"要|不|有", rest))
    )
