"""Lists in pages: `limit`, `cursor`, and the address of the next page.

A page goes on after the last row of the one before it, so rows that come or go in between neither repeat
nor hide others.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.db.models.expressions import BaseExpression
from drf_spectacular.utils import inline_serializer
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from tenants.api.bodies import Body
from tenants.api.fields import Number, Text

LIMIT, LIMIT_MAX = 50, 200
# Texts of a page together, in characters: a page of very long texts has fewer rows than its limit.
WEIGHT_MAX = 2_000_000
M = TypeVar("M", bound=Model)


def cursor_field() -> Text:
    """The query parameter that says where a page begins."""
    return Text(required=False, max_length=100, help_text="Where to go on; `next` of a page holds it.")


class PageQuery(Body):
    """What every list takes."""

    limit = Number(
        min_value=1, max_value=LIMIT_MAX, default=LIMIT, help_text="At most so many rows in a page."
    )
    cursor = cursor_field()


def bad_cursor() -> ValidationError:
    """400: nothing in this list begins there."""
    return ValidationError({"cursor": ["This is no cursor of this list. Follow `next` of a page."]})


class Order:
    """A list's order by one unique field, whose value in the last row of a page is the cursor."""

    def __init__(
        self, field: str = "id", *, descending: bool = False, read: Callable[[str], Any] = uuid.UUID
    ) -> None:
        self.field = field
        self.descending = descending
        self.read = read

    def sort(self, rows: QuerySet[M]) -> QuerySet[M]:
        """The rows in order."""
        return rows.order_by(f"-{self.field}" if self.descending else self.field)

    def after(self, rows: QuerySet[M], cursor: str) -> QuerySet[M]:
        """The rows that follow a cursor. Raises ValidationError."""
        try:
            value = self.read(cursor)
        except ValueError:
            raise bad_cursor() from None
        return rows.filter(**{f"{self.field}__{'lt' if self.descending else 'gt'}": value})

    def cursor(self, row: Any) -> str:
        """The cursor after a row."""
        return str(getattr(row, self.field))


def whole(cursor: str) -> int:
    """A cursor that is a number. Raises ValueError."""
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) < 10):
        raise ValueError(cursor)
    return int(cursor)


def cut(
    rows: QuerySet[M], asked: dict[str, Any], order: Order, weight: BaseExpression | None = None
) -> tuple[list[M], str | None]:
    """A page's rows and the cursor of the next one; `weight` is the length of a row's text in SQL."""
    rows = order.sort(rows)
    if asked.get("cursor"):
        rows = order.after(rows, asked["cursor"])
    limit = asked["limit"]
    if weight is None:
        found = list(rows[: limit + 1])
        kept, more = found[:limit], len(found) > limit
    else:
        weighed = list(rows.annotate(weight=weight).values_list("pk", "weight")[: limit + 1])
        fitting = _fitting(weighed[:limit])
        kept, more = list(rows.filter(pk__in=fitting)), len(weighed) > len(fitting)
    return kept, order.cursor(kept[-1]) if more and kept else None


def _fitting(weighed: list[tuple[Any, int]]) -> list[Any]:
    """The first keys whose texts fit into a page together, at least one."""
    kept: list[Any] = []
    total = 0
    for key, weight in weighed:
        total += weight
        if kept and total > WEIGHT_MAX:
            break
        kept.append(key)
    return kept


def answer(
    request: Request, shape: type[serializers.Serializer[Any]], rows: Iterable[Any], cursor: str | None
) -> Response:
    """`{"results": [...], "next": address or null}`."""
    here = request.build_absolute_uri()
    following = replace_query_param(here, "cursor", cursor) if cursor else None
    return Response({"results": shape(rows, many=True).data, "next": following})


@cache
def page_of(shape: type[serializers.Serializer[Any]]) -> Any:
    """The schema of a page of these."""
    return inline_serializer(
        f"{shape.__name__.removesuffix('Serializer')}Page",
        {
            "results": shape(many=True),
            "next": serializers.URLField(allow_null=True, help_text="The next page; null at the end."),
        },
    )
