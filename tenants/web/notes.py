"""Notes at the bottom of the page that comes next, with the way back that they offer.

An Undo is a POST to an address that says what was there before: nothing of it is kept elsewhere.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, QueryDict
from django.urls import reverse

ADDRESS_MAX = 4_000  # every server and proxy takes as much


def note(request: HttpRequest, said: str, *, undo: str = "") -> None:
    """Say on the next page what was done, with an Undo where there is an address for it."""
    messages.success(request, said, extra_tags=undo)


def way_back(route: str, /, *where: Any, **before: Any) -> str:
    """The address of an Undo, with what was there before; "" where that is more than an address takes."""
    address = reverse(route, args=where)
    if before:
        said = {name: "" if value is None else value for name, value in before.items()}
        address += "?" + urlencode(said, doseq=True)
    return address if len(address) <= ADDRESS_MAX else ""


def sent(request: HttpRequest, field: str) -> QueryDict | None:
    """What was typed in the form that has this field, or what an Undo's address says; None for a GET."""
    if request.method != "POST":
        return None
    return request.POST if field in request.POST else request.GET
