"""What a section shows of a row: values with a heading in the reader's language."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from django.contrib.admin import display
from django.db.models import Model
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _

WITHHELD = _("not shown")
Column = Callable[[Any], Any]


def column(path: str, heading: Any, *, order: str = "", boolean: bool | None = None) -> Column:
    """What a dotted path leads to, from a row: an attribute, or the answer of a method. None where it ends.

    `order` is the field that the list is ordered by under this heading.
    """

    @display(description=heading, ordering=order or None, boolean=boolean)
    def read(row: Any) -> Any:
        for name in path.split("."):
            if row is None:
                return None
            row = getattr(row, name)
        value = row() if callable(row) else row
        if isinstance(value, float):
            return round(value, 2)
        return formats.localize(timezone.localtime(value)) if isinstance(value, datetime) else value

    read.__name__ = read.__qualname__ = path.replace(".", "_")
    return read


def withheld(path: str, heading: Any) -> Column:
    """A text that a list holds only where it is not private: empty means that it is."""
    read = column(path, heading, order=path)

    @display(description=heading, ordering=path)
    def shown(row: Any) -> Any:
        return read(row) or WITHHELD

    shown.__name__ = shown.__qualname__ = path
    return shown


def link(model: type[Model], key: uuid.UUID | None, text: Any) -> str:
    """A link to a row's page in its section. The text is what may be shown of it, never its `str`."""
    if key is None:
        return "-"
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}_change"
    return format_html('<a href="{}" class="text-link">{}</a>', reverse(name, args=[key]), text)


def listing(model: type[Model], text: Any, **conditions: Any) -> str:
    """A link to a section's list, narrowed to some rows."""
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"
    address = reverse(name, query={key: str(value) for key, value in conditions.items()})
    return format_html('<a href="{}" class="text-link">{}</a>', address, text)


def joined(*parts: str) -> str:
    """Links side by side."""
    return format_html_join(" · ", "{}", ((part,) for part in parts))


def short(key: uuid.UUID) -> str:
    """An id as a list shows it: its end, where ids of the same minute differ."""
    return f"…{str(key)[-12:]}"


def table(headings: Sequence[Any], rows: Sequence[Sequence[Any]]) -> str:
    """A small table inside a row's page."""
    return render_to_string("admin/operators/table.html", {"headings": headings, "rows": rows})
