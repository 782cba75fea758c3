"""Filters of lists, under headings in the reader's language."""

from __future__ import annotations

from typing import Any

from django.contrib.admin.filters import (
    BooleanFieldListFilter,
    ChoicesFieldListFilter,
    DateFieldListFilter,
    EmptyFieldListFilter,
    FieldListFilter,
)
from django.utils.translation import gettext_lazy as _

Filter = tuple[str, type[FieldListFilter]]


def _titled(kind: type[FieldListFilter], path: str, heading: Any) -> Filter:
    class Titled(kind):  # type: ignore[misc, valid-type]
        """A filter of Django's with a heading of ours."""

        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            self.title = heading

    return path, Titled


def choice(path: str, heading: Any) -> Filter:
    """One of a field's choices."""
    return _titled(ChoicesFieldListFilter, path, heading)


def switch(path: str, heading: Any) -> Filter:
    """Yes or no."""
    return _titled(BooleanFieldListFilter, path, heading)


def presence(path: str, heading: Any) -> Filter:
    """Whether a field is empty."""
    return _titled(EmptyFieldListFilter, path, heading)


def day(path: str, heading: Any) -> Filter:
    """Today, the last days, this month, this year."""
    return _titled(DateFieldListFilter, path, heading)


KIND = choice("workspace__kind", _("kind"))
