"""What requests may say: JSON that can be stored, and fields that are known."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Mapping
from typing import Any, NoReturn

from django.conf import settings
from rest_framework import serializers
from rest_framework.exceptions import APIException, ParseError
from rest_framework.fields import empty
from rest_framework.parsers import BaseParser

DEPTH_MAX = 32
# NUL, which PostgreSQL cannot hold, and halves of surrogate pairs, which are no text.
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class TooLarge(APIException):
    """413."""

    status_code = 413
    default_detail = "The request is too large."
    default_code = "too_large"


class StrictJSON(BaseParser):
    """JSON in UTF-8 (RFC 8259) of a bounded size and depth, without NUL and lone surrogates in it."""

    media_type = "application/json"
    most: int | None = None
    """The most bytes, where they are not as many as the settings say."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        most = self.most or settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        body = stream.read(most + 1)
        if len(body) > most:
            raise TooLarge(f"A request has at most {most:,} bytes.")
        try:
            found = json.loads(body.decode("utf-8"), parse_constant=_refuse_constant)
        except RecursionError:
            raise ParseError(_too_deep()) from None
        except UnicodeDecodeError:
            raise ParseError("The body is not UTF-8.") from None
        except ValueError as error:
            raise ParseError(f"The body is not JSON: {error}") from None
        _inspect(found)
        return found


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _too_deep() -> str:
    return f"The body is nested more than {DEPTH_MAX} levels deep."


def _inspect(found: Any) -> None:
    """Level by level, since a body may be deeper than Python's stack. Raises ParseError."""
    level = [found]
    for _ in range(DEPTH_MAX):
        texts = [each for each in level if isinstance(each, str)]
        texts += [name for each in level if isinstance(each, dict) for name in each]
        if any(UNSTORABLE.search(text) for text in texts):
            raise ParseError("The body holds NUL or half of a surrogate pair, which is no text.")
        level = [part for each in level for part in _parts(each)]
        if not level:
            return
    raise ParseError(_too_deep())


def _parts(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


class Body(serializers.Serializer[Any]):
    """Fields of a request's body or query string. Unknown ones are refused by name."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Those that the request names, and those that count without: fields are copied for each request, and
        a query may have twenty of which two are given."""
        given = getattr(self, "initial_data", None)
        if not isinstance(given, Mapping):
            return super().get_fields()
        known: dict[str, serializers.Field[Any, Any, Any, Any]] = self._declared_fields
        return {
            name: copy.deepcopy(each)
            for name, each in known.items()
            if name in given or each.required or each.default is not empty
        }

    def to_internal_value(self, data: Any) -> Any:
        unknown = sorted(set(data) - set(self.fields)) if isinstance(data, Mapping) else []
        if unknown:
            raise serializers.ValidationError(
                {str(name)[:100]: ["There is no such field here."] for name in unknown[:20]}
            )
        return super().to_internal_value(data)


class Nothing(Body):
    """A request that needs no body."""
