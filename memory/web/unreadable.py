"""Why a document cannot be read, in the person's language."""

from __future__ import annotations

from django.utils.translation import gettext

from memory.documents.faults import first_of, sentences_of


def sentence(code: str) -> str:
    """What to do about a document that cannot be read, by the fault's code."""
    return gettext(sentences_of(code))


def reason(code: str) -> str:
    """Why a document cannot be read, in one sentence, by the fault's code."""
    return first_of(sentence(code))
