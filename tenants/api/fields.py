"""Fields of request bodies that take a value as it was sent, or refuse it."""

from __future__ import annotations

import re
import uuid
from datetime import UTC, datetime, time
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.validators import ProhibitSurrogateCharactersValidator

from tenants.api.bodies import UNSTORABLE
from tenants.moments import is_tellable
from tenants.profile import my_zone

_DIGITS = re.compile(r"-?[0-9]{1,18}")


class NoSurrogates(ProhibitSurrogateCharactersValidator):
    """Refuses halves of surrogate pairs. Django REST framework looks at one character after the other, which
    of a long text takes as long as all else that is checked; a pattern tells whether it has to."""

    def __call__(self, value: str) -> None:
        if UNSTORABLE.search(value):
            super().__call__(value)


class Text(serializers.CharField):
    """A string. Nothing is trimmed, and numbers are not made into strings."""

    def __init__(self, **options: Any) -> None:
        super().__init__(trim_whitespace=False, **options)
        self.validators = [
            NoSurrogates() if isinstance(each, ProhibitSurrogateCharactersValidator) else each
            for each in self.validators
        ]

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Words(Text):
    """A string that is more than white space."""

    def to_internal_value(self, data: Any) -> str:
        words = super().to_internal_value(data)
        if not words.strip():
            self.fail("blank")
        return words


class Name(Words):
    """A string of one line, without the white space around it."""

    default_error_messages = {"lines": "This field holds one line of text."}

    def to_internal_value(self, data: Any) -> str:
        name = super().to_internal_value(data).strip()
        if any(ord(sign) < 32 or ord(sign) == 127 for sign in name):
            self.fail("lines")
        return name


class Flag(serializers.BooleanField):
    """`true` or `false`, and nothing that merely looks like it."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=str(data)[:40])
        return data


class Whole(serializers.IntegerField):
    """A JSON number without a fraction."""

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return data


class Number(serializers.IntegerField):
    """A whole number in a query string."""

    def to_internal_value(self, data: Any) -> int:
        if not _DIGITS.fullmatch(str(data)):
            self.fail("invalid")
        return int(data)


class Id(serializers.UUIDField):
    """An id, as a string."""

    def to_internal_value(self, data: Any) -> uuid.UUID:
        if not isinstance(data, str):
            self.fail("invalid", value=str(data)[:40])
        return super().to_internal_value(data)


class Fraction(serializers.FloatField):
    """A JSON number; not a string that looks like one, and no infinity."""

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.fail("invalid")
        return super().to_internal_value(data)


@extend_schema_field(OpenApiTypes.DATETIME)
class Moment(serializers.Field[Any, Any, Any, Any]):
    """A moment in ISO 8601. Without a time zone it is meant in the person's own; a day alone is its
    beginning, or with `end` its last moment."""

    default_error_messages = {
        "invalid": "A moment is written as in 2024-05-01T12:00:00Z.",
        "far": "A moment lies in the years 1000 to 8999.",
    }

    def __init__(self, *, end: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self.end = end

    @cached_property
    def zone(self) -> ZoneInfo:
        """The person's time zone; read once a request, and only where it is needed."""
        return my_zone()

    def to_internal_value(self, data: Any) -> datetime:
        try:
            moment = datetime.fromisoformat(data)
            if self.end and len(data) <= 10:
                moment = datetime.combine(moment, time.max)
            moment = moment if moment.tzinfo else moment.replace(tzinfo=self.zone)
            moment = moment.astimezone(UTC)
        except (TypeError, ValueError, OverflowError):
            self.fail("invalid")
        if not is_tellable(moment):
            self.fail("far")
        return moment
