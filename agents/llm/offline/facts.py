"""What a message states, as the lines that would be filed."""

from __future__ import annotations

from dataclasses import dataclass

from agents.llm.offline.saying import said_by

PERSON = "person"
PROJECT = "project"
AGENT = "agent"


@dataclass(frozen=True)
class Fact:
    """One line for core memory, in the person's own words: "I" and 我 are the person.

    `about` says whom; `changed` is set where the words mark a change or a correction, `wrong` is the former
    value where it is named. A `weak` fact counts only where it contradicts what memory holds. `whose` names
    the person where several write in the chat.
    """

    text: str
    about: str = PERSON
    changed: bool = False
    wrong: str = ""
    weak: bool = False
    whose: str = ""

    @property
    def line(self) -> str:
        """The fact as it is filed."""
        return said_by(self.whose, self.text)


@dataclass(frozen=True)
class Heard:
    """What one sentence gave: facts, or the reason why there are none ("" where it says nothing to file)."""

    facts: tuple[Fact, ...] = ()
    reason: str = ""
    questions: tuple[str, ...] = ()
