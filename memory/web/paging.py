"""Pages of a found list: which one an address names, of which moment, and the last where there is none."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sized
from typing import Protocol, TypeVar

from memory.retrieval import snapshot
from tenants.web.doors import PageRequest, asked, is_uuid

PAGES_AT_MOST = 400


class Counted(Protocol):
    """What a look-up of one page answers: it knows how many rows all pages have."""

    @property
    def total(self) -> int: ...


Found = TypeVar("Found", bound=Counted)


def page_number(request: PageRequest) -> int:
    """The page of a list that `?page=` names, from 1; the first where it names none."""
    text = asked(request, "page")
    return min(max(int(text[:9]), 1), PAGES_AT_MOST) if text.isascii() and text.isdigit() else 1


def page_or_last(
    number: int, a_page: int, look_up: Callable[[int], Found], rows: Callable[[Found], Sized]
) -> tuple[int, Found]:
    """A page with its number; the last one that has rows where this one, behind the first, has none.

    Texts that say the same are one row but count each, so that the last page may lie before where their
    number puts it: it is looked for from there on, page by page.
    """
    found = look_up(number)
    while number > 1 and not len(rows(found)):
        number = max(min(number - 1, -(-found.total // a_page)), 1)
        found = look_up(number)
    return number, found


def snapshot_of(request: PageRequest) -> uuid.UUID:
    """The moment of a search's first page: what was written since stands on no later page of it.

    One of the future is no moment of any page: it is taken for now.
    """
    given, now = asked(request, "before"), snapshot()
    return min(uuid.UUID(given), now) if is_uuid(given) else now
