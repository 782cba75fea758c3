"""Chats in which several people write: whose words a line holds, as it is filed and as it is asked for.

What somebody tells of themselves there is filed with their name: “Ada says: I am allergic to bees”.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from agents.llm.offline.matching import Answer, answers
from agents.llm.offline.questions import Ask, read_question
from agents.llm.offline.saying import whose, words_of
from agents.llm.offline.sentences import is_chinese


def answering(ask: Ask, lines: Sequence[str], speaker: str) -> list[Answer]:
    """The lines that answer a question of the speaker's, best first; what others say of themselves answers
    what is asked about them, or about anybody."""
    names = dict.fromkeys(whose(line)[0] for line in lines)
    about = {name: asked for name in names if (asked := asked_about(ask, name))}
    found = [one for name, asked in about.items() for one in _within(asked, words_of(name, lines))]
    if not found:
        heard = ["", speaker] if ask.own else [*names, ""]
        found = [one for name in dict.fromkeys(heard) for one in _within(ask, words_of(name, lines))]
    best = max((one.score for one in found), default=0.0)
    kept = [one for one in found if one.score >= best - 0.15]
    return sorted(kept, key=lambda one: -one.score)


def asked_about(ask: Ask, name: str) -> Ask | None:
    """The question as the one with that name would ask it of themselves; None where it does not name them."""
    for part in dict.fromkeys([name, *name.split()[:1]]):
        edge = r"\b" if part.isascii() else ""
        if part and re.search(f"{edge}{re.escape(part)}{edge}", ask.text):
            mine, me = ("我的", "我") if is_chinese(ask.text) else ("my", "I")
            text = re.sub(f"{edge}{re.escape(part)}(?:'s|’s){edge}", mine, ask.text)
            return replace(read_question(re.sub(f"{edge}{re.escape(part)}{edge}", me, text)), text=ask.text)
    return None


def _within(ask: Ask, words: dict[str, str]) -> Iterable[Answer]:
    return [Answer(words[one.line], one.score) for one in answers(ask, words)]
