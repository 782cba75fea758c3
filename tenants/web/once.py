"""Forms whose answer shows a secret, once: sent again, by a reload, they do nothing.

Nothing secret is kept for that: the session knows which forms were sent, not what came of them.
"""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.translation import gettext as _

from tenants.web.notes import note

FIELD = "once"
KEPT = 50
_KEY = "sent_once"


def is_repeated(request: HttpRequest) -> bool:
    """Whether this very form has had its effect already."""
    return _name(request) in request.session.get(_KEY, ())


def remember(request: HttpRequest) -> None:
    """The form has had its effect."""
    if _name(request):
        request.session[_KEY] = [*request.session.get(_KEY, ()), _name(request)][-KEPT:]


def say_link_was_shown(request: HttpRequest) -> None:
    """Why a form that hands out a link did nothing this time."""
    note(request, _("That link was shown when it was made. If you do not have it, make a new one."))


def _name(request: HttpRequest) -> str:
    return request.POST.get(FIELD, "")[:64]
