"""Chinese corrections: not this but that, and what is to be turned into what."""

from __future__ import annotations

import re

from agents.llm.offline.meaning import meaning_of
from agents.llm.offline.terms import terms

NOT_BUT = re.compile(
    r"^(?P<head>[^，,]{1,14}?)(?:现在|其实|已经)?不(?:再)?(?P<verb>是|叫|在|住在?|"
    r"用)(?P<wrong>[^，,]{1,20}?)[，,]?\s*(?:了[，,])?(?:而|应该|其实|现在|我|而且)*(?P<right_verb>是|"
    r"叫|在|住在?|用|改成|改为|改叫)(?P<right>[^，,]+)$"
)

AND_NOT = re.compile(r"^(?P<right>[^，,]{2,24})[，,]\s*(?:而)?不(?:是|在|叫|住)(?P<wrong>[^，,]{1,16})$")

TURN_INTO = re.compile(
    r"^(?:请|帮我|麻烦)?(?:把|将)(?P<noun>[^，,]{1,12}?)(?:从[^，,]{1,12})?(?P<verb>改成|改为|改到|"
    r"换成|更新为|更正为|推迟到|提前到|延期到|调整为|调整到|设为|定为|"
    r"定在)了?(?P<right>[^，,]{1,30}?)(?:了|吧)?$"
)


def corrected_line(bare: str) -> tuple[str, str]:
    """The line with the right value, and the wrong value where one is named; "" twice for no correction."""
    if match := NOT_BUT.match(bare):
        verb = match["verb"] if match["right_verb"].startswith("改") else match["right_verb"]
        return f"{match['head']}{verb}{match['right']}", match["wrong"]
    match = AND_NOT.match(bare)
    if match and meaning_of(match["right"]).slot:
        return match["right"], match["wrong"]
    match = TURN_INTO.match(bare)
    if match and any(term.role == "attribute" for term in terms(match["noun"])):
        return f"{match['noun']}{match['verb']}{match['right']}", ""
    return "", ""
