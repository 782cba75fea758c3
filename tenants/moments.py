"""Moments that every time zone can tell, and that every part of the site can therefore show."""

from __future__ import annotations

from datetime import UTC, datetime

FIRST, LAST = datetime(1000, 1, 1, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC)


def is_tellable(moment: datetime | None) -> bool:
    """Whether a moment has a zone and lies in the years 1000 to 8999; none is told as well."""
    return moment is None or (moment.tzinfo is not None and FIRST <= moment < LAST)
