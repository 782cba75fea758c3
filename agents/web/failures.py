"""Why a turn or a test call failed, in the person's language."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

# Of these the provider's own words say more; of all others our sentence says everything.
SAID_BY_PROVIDER = {
    *("refused_key", "unknown_model", "rate_limited", "server", "connection", "bad_request", "content_filter")
}


@dataclass(frozen=True)
class Failure:
    """Why there is no answer: in the person's words, and what the provider said in its own."""

    sentence: str
    detail: str = ""


def failure(kind: str, text: str) -> Failure:
    """A turn's error as a page shows it."""
    return Failure(sentence(kind), text if kind in SAID_BY_PROVIDER else "")


def sentence(kind: str) -> str:
    """What a kind of ModelError, or of a turn's own end, means to a person."""
    known = {
        "refused_key": _("The model's provider refused the key. An admin can change it under Models."),
        "unknown_model": _("The provider does not have this model. An admin can change it under Models."),
        "rate_limited": _("The provider takes no more requests at the moment, or the credit is used up."),
        "server": _("The provider had a fault."),
        "timeout": _("The model did not answer in time."),
        "connection": _("The provider cannot be reached."),
        "cut_off": _("The answer was cut off on its way."),
        "bad_request": _("The provider did not accept the request."),
        "empty": _("The model answered nothing."),
        "step_limit": _(
            "The agent used all its steps without an answer. Ask for less at once, or raise the number of "
            "steps in its settings."
        ),
        "token_limit": _(
            "The agent used all the tokens that a turn may take. Ask for less at once, or raise the number "
            "in its settings."
        ),
        "repeating": _(
            "The agent made the same call again and again, so it was stopped. Say it in other words, or "
            "choose a stronger model."
        ),
        "tool_rules": _(
            "The agent did not do what its tool rules ask for. Change the rules in its settings, or choose a "
            "stronger model."
        ),
        "window": _("The window is too small. Shorten the agent's instructions, or choose a larger one."),
        "interrupted": _("The work on this answer was interrupted."),
        "content_filter": _("The provider's filter held the answer back."),
        "no_access": _("The person or the agent does not reach this chat any more."),
        "internal": _("Something broke while answering. Your message is kept."),
    }
    return known.get(kind, _("Something broke while answering. Your message is kept."))
