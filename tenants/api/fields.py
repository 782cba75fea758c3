"""Fields of request bodies that take a value as it was sent, or refuse it."""

from __future__ import annotations

import re
import uuid
from typing import Any

from rest_framework import serializers

_DIGITS = re.compile(r"-?[0-9]{1,18}")


class Text(serializers.CharField):
    """A string. Nothing is trimmed, and numbers are not made into strings."""

    def __init__(self, **options: Any) -> None:
        super().__init__(trim_whitespace=False, **options)

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
