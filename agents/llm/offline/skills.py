"""Skills: which one the person's words are about, and what a loaded one says. Only words are compared."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agents.llm.offline.acts import Do
from agents.llm.offline.documents import pieces
from agents.llm.offline.prompt import Prompt
from agents.llm.offline.questions import Ask
from agents.llm.offline.reading import Reading
from agents.llm.offline.wording import listed

LOAD = "skill_load"
_ENOUGH = 0.6
_LONGEST_MESSAGE = 300
_HOW = re.compile(
    r"\b(?:how|steps?|process|procedure|rules?|guide|should|must|ought|help)\b|"
    r"怎么|怎样|如何|步骤|流程|办法|应该|该|规则|规范|要求|帮",
    re.IGNORECASE,
)
_TELLS = re.compile(
    r"^(?:(?:i|we|you|he|she|it|they|my|our|the|this|that)\b|[我你他她它咱这那])", re.IGNORECASE
)
_EMPTY_HAN = re.compile(
    r"怎么样?|怎样|如何|什么|应该|步骤|流程|办法|请|麻烦|帮我|帮忙|给我|一下|[我你您咱]们?|的|该|要|写|做|弄|搞|"
    r"准备|是|吗|呢|一?[个份篇]|告诉"
)
_EMPTY = listed(
    "i me my we us our you your it this that be am was were will would could should please tell help need "
    "want write mak make tak take get let step process procedure rule guide new one some at by from as a"
)


def to_load(prompt: Prompt, reading: Reading, asks: Sequence[Ask]) -> list[Do]:
    """The call that loads the skill which the person's words are about, unless it was made."""
    if LOAD not in prompt.tools or any(call.name == LOAD for call in prompt.calls):
        return []
    name = _fitting(prompt) if _is_for_a_skill(prompt.said, reading, asks) else ""
    return [Do(LOAD, {"name": name})] if name else []


def loaded(prompt: Prompt) -> tuple[str, str]:
    """The name and the text of the skill that was loaded in this turn; both empty where none was."""
    made = next((call for call in prompt.calls if call.name == LOAD and call.ok), None)
    return (made.text("name"), str(made.result.get("content", "")).strip()) if made else ("", "")


def _is_for_a_skill(said: str, reading: Reading, asks: Sequence[Ask]) -> bool:
    """Neither something to be kept nor a question on what the person or a document said."""
    if len(said) > _LONGEST_MESSAGE or reading.facts or reading.forget or reading.archive or reading.retracts:
        return False
    if not asks:
        return not _TELLS.match(said.strip())
    return all(ask.kind == "memory" for ask in asks) and any(
        not ask.own or _HOW.search(ask.text) for ask in asks
    )


def _fitting(prompt: Prompt) -> str:
    """The name of the skill that fits best what was said, if one does."""
    said = _told(prompt.said)
    best = max(prompt.skills, key=lambda skill: _fit(said, *skill), default=("", ""))
    return best[0] if _fit(said, *best) >= _ENOUGH else ""


def _fit(said: set[str], name: str, description: str) -> float:
    """How far the words are those of a skill: all of its name are enough, or most of what was said."""
    called, about = _told(name), _told(description)
    if not said or not (called or about):
        return 0.0
    share = len(said & (called | about)) / len(said)
    return 1.0 + share if called and called <= said else share


def _told(text: str) -> set[str]:
    """The telling pieces of a text; single Chinese characters tell nothing."""
    plain = _EMPTY_HAN.sub(" ", re.sub(r"[-_./]", " ", text))
    return {piece for piece in pieces(plain) if piece not in _EMPTY and (len(piece) > 1 or piece.isdigit())}
