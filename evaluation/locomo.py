"""Reading LoCoMo (Maharana et al., 2024): long conversations of two people, and questions with evidence.

The file is a list of conversations. Each has `conversation` with `session_N` (turns with `dia_id`, `speaker`,
`text`, sometimes `blip_caption` of a picture that was sent) and `session_N_date_time`, and `qa` with
`question`, `category` (a number) and `evidence` (ids of turns).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evaluation.samples import Chat, Line, Malformed, Question, Sample

# The numbers of the file, and the names that the paper (section 4.1) gives them.
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_SESSION = re.compile(r"session_(\d+)")
_TURN = re.compile(r"D:?(\d+):(\d+)")
_WHEN = "%I:%M %p on %d %B, %Y"


def read_locomo(path: Path) -> list[Sample]:
    """A sample for each conversation of the file. Raises Malformed, OSError."""
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(given, list) or not given:
            raise TypeError("it is no list of conversations")
        return [_sample(each) for each in given]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Malformed(f"{path} is not a LoCoMo file ({type(error).__name__}: {error}).") from error


def turn_ids(evidence: Iterable[str]) -> set[str]:
    """Ids of turns, however they were written: "D8:6; D9:17" is two, "D:11:26" is D11:26, "D30:05" D30:5."""
    found = (match.groups() for each in evidence for match in _TURN.finditer(str(each)))
    return {f"D{int(session)}:{int(turn)}" for session, turn in found}


def _sample(given: dict[str, Any]) -> Sample:
    lines = tuple(_lines(given["conversation"]))
    known = {line.id for line in lines}
    named = [(each, turn_ids(each.get("evidence") or ())) for each in given["qa"]]
    questions = tuple(
        Question(str(each["question"]), CATEGORIES[each["category"]], frozenset(ids & known))
        for each, ids in named
        if ids & known
    )
    return Sample(
        name=given["sample_id"],
        chats=(Chat(given["sample_id"], lines),),
        questions=questions,
        without_evidence=len(named) - len(questions),
        lost_evidence=sum(len(ids - known) for _, ids in named),
    )


def _lines(conversation: dict[str, Any]) -> Iterator[Line]:
    numbers = sorted(int(match[1]) for key in conversation if (match := _SESSION.fullmatch(key)))
    for number in numbers:
        at = datetime.strptime(conversation[f"session_{number}_date_time"], _WHEN).replace(tzinfo=UTC)
        for turn in conversation[f"session_{number}"]:
            yield Line(turn["dia_id"], str(number), at, turn["speaker"], _text(turn))


def _text(turn: dict[str, Any]) -> str:
    """What was said; of a picture, which nothing here can look at, what the file says that it shows."""
    caption = turn.get("blip_caption")
    return f"{turn['text']} [shares a picture: {caption}]" if caption else str(turn["text"])
