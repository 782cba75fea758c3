"""Why a search did not show a record, in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from agents.inspector.in_prompt import Standing
from memory import lexical
from memory.retrieval.why_not import Reason, WhyNot
from memory.words import words


def words_of(why: WhyNot) -> list[str]:
    """A sentence for each reason; where records of this kind are not looked at, the others do not matter."""
    reasons = [Reason.KIND] if Reason.KIND in why.reasons else why.reasons
    return [_sentence(reason, why) for reason in reasons]


def words_of_standing(standing: Standing) -> str:
    """Core memory is not searched: how a text of it stands to the prompt, in a sentence."""
    return {
        Standing.WHOLE: _("It stands in its prompt: a memory block is always in view, and never searched."),
        Standing.IN_PART: _(
            "It belongs to its prompt, where the window has no room for all of it. Shorten a block, or "
            "choose a larger window."
        ),
        Standing.OLDER: _(
            "An older text of a memory block: the block stands in its prompt as it is now. The agent finds "
            "this one only where it asks for what is no longer true."
        ),
        Standing.NOT_ITS: _("The agent does not have this memory block, and blocks are not searched."),
        Standing.SAME_NAME: _(
            "Another memory block of the same name stands in its prompt, and blocks are not searched."
        ),
        Standing.KEPT_BACK: _(
            "This memory block is one person's own, and others read this chat: it stands in its prompt only "
            "where that person lends it."
        ),
    }[standing]


def in_words(question: str, lexemes: Iterable[str]) -> list[str]:
    """Words that are searched for, as the question has them."""
    said = [word for word in words(question) if not word.isspace()]
    found = [next((word for word in said if each in lexical.lexemes(word)), each) for each in lexemes]
    return list(dict.fromkeys(found))


def _sentence(reason: Reason, why: WhyNot) -> str:
    facts: dict[str, Any] = {"place": why.place, "score": _number(why.score), "least": _number(why.least)}
    return _sentences()[reason] % facts


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _sentences() -> dict[Reason, str]:
    return {
        Reason.FOUND: _("It is found: place %(place)s, score %(score)s."),
        Reason.LOWER: _(
            "Others were nearer: it has place %(place)s with %(score)s; the last one shown has %(least)s."
        ),
        Reason.ALIKE: _("Another record says the same and stands for it."),
        Reason.NO_MATCH: _(
            "It has none of the words, or only common ones, and is not among the nearest in meaning."
        ),
        Reason.NO_WORDS: _("The question has no words to look for."),
        Reason.OUT_OF_SIGHT: _("The agent does not see it."),
        Reason.KIND: _("The search does not look at records of this kind."),
        Reason.CONTAINER: _("It lies in an archive or a chat in which this agent does not search."),
        Reason.WORKSPACE: _("It lies in another workspace."),
        Reason.ROLE: _("Only what somebody else said was asked for."),
        Reason.SPEAKER: _("Another speaker was asked for."),
        Reason.DOCUMENT: _("It is not of the document that was asked for."),
        Reason.TAGS: _("Its tags are not those that were asked for."),
        Reason.TOO_EARLY: _("It is older than what was asked for."),
        Reason.TOO_LATE: _("It is newer than what was asked for."),
        Reason.NOT_VALID_THEN: _("It did not hold on the day that was asked for."),
        Reason.HIDDEN: _("It was deleted."),
        Reason.SUPERSEDED: _("Something newer stands in its place."),
        Reason.ABANDONED: _("It was said on a branch that was left."),
        Reason.EXPIRED: _("It has expired."),
        Reason.TRUST: _("It is trusted less than what was asked for."),
        Reason.LEFT_OUT: _("It was left out on purpose: the message itself is not searched for."),
        Reason.WRITTEN_LATER: _("It was written after the search."),
    }
