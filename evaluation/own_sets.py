"""The sets that come with memsite: chats of our own making, one JSON file each, all of one person.

A file holds `id`, `title`, `people` (two), `agent` (which of them is one, or null), `messages` (`id`, `at`,
`by`, `text`) and `questions` (`kind`, `question`, `evidence`: ids of messages, also of other files, and
`stands_alone`: whether these say by themselves what they are about). The kinds: asked for a name, a number,
an identifier or the code of an error, a date (or by one), by a Chinese word of two characters alone, and
without any word of the evidence (paraphrase).

The questions were written from the chats, before any search was run over them, and are not for tuning.
The two Chinese sets are of different kinds. In `chinese` a paraphrase shares no word with its evidence, and a
word is asked for alone; its misses have been read, so that it is no set of unseen questions any more. In
`chinese_held_back` a person asks months later as one would ask somebody, names what it is about, and a
paraphrase only says it in other words; its misses are not read, and nothing is chosen by it.
"""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from evaluation.samples import Chat, Line, Malformed, Question, Sample

FOLDER = Path(__file__).resolve().parent
KINDS = {
    "chinese": ("name", "number", "date", "word", "paraphrase"),
    "chinese_held_back": ("name", "number", "date", "word", "paraphrase"),
    "english": ("name", "identifier", "code", "date", "paraphrase"),
}


def read_own(name: str) -> Sample:
    """A set by its name.

    `chinese` are 24 chats of a designer in Hangzhou, `chinese_held_back` 24 of a teacher in Chengdu,
    `english` 6 of an engineer in Leeds.
    """
    return read_set(FOLDER / name)


def read_set(folder: Path) -> Sample:
    """All files of a folder as one sample. Raises Malformed where one is not a chat."""
    files = [_read(path) for path in sorted(folder.glob("*.json"))]
    return Sample(
        name=folder.name,
        chats=tuple(chat for chat, _ in files),
        questions=tuple(question for _, questions in files for question in questions),
    )


def _read(path: Path) -> tuple[Chat, list[Question]]:
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
        return _chat(given), _questions(given)
    except (ValueError, KeyError, TypeError) as error:
        raise Malformed(f"{path} is not a chat with questions ({type(error).__name__}: {error}).") from error


def _chat(given: dict[str, Any]) -> Chat:
    lines = tuple(
        Line(
            id=each["id"],
            session=f"{given['id']} {each['at']}",
            at=datetime.fromisoformat(each["at"]),
            by=each["by"],
            text=each["text"],
            is_agents=each["by"] == given["agent"],
        )
        for each in given["messages"]
    )
    return Chat(given["title"], lines)


def _questions(given: dict[str, Any]) -> list[Question]:
    return [
        Question(each["question"], each["kind"], frozenset(each["evidence"]), each["stands_alone"])
        for each in given["questions"]
    ]
