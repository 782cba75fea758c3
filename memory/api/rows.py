"""Many rows in one request: what is wrong with one is said with its number."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ValidationError

ERRORS_MAX = 20


class Rows(serializers.ListField):
    """A list of objects. Errors read `Message 17: role: ...`, the first row being number 1."""

    def __init__(self, *, word: str, **options: Any) -> None:
        super().__init__(**options)
        self.word = word

    def run_child_validation(self, data: Any) -> Any:
        found, wrong = [], []
        for number, row in enumerate(data, start=1):
            try:
                found.append(self.child.run_validation(row))
            except ValidationError as error:
                wrong += [f"{self.word} {number}: {words}" for words in _sentences(error.detail)]
            if len(wrong) >= ERRORS_MAX:
                break
        if wrong:
            raise ValidationError(wrong[:ERRORS_MAX])
        return found


def _sentences(detail: Any) -> list[str]:
    if isinstance(detail, dict):
        return [
            words if name == "non_field_errors" else f"{name}: {words}"
            for name, part in detail.items()
            for words in _sentences(part)
        ]
    if isinstance(detail, list):
        return [words for part in detail for words in _sentences(part)]
    return [str(detail)]
