"""What a request's fields take and refuse, and which of them are made for it."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.exceptions import ValidationError

from tenants.api.bodies import Body
from tenants.api.fields import Number, Text


class Query(Body):
    """A name that has to be there, and conditions."""

    name = Text()
    limit = Number(default=20)
    before = Number(required=False)
    after = Number(required=False)


def refused(data: Any) -> dict[str, Any]:
    found = Query(data=data)
    assert not found.is_valid()
    return dict(found.errors)


def test_only_what_is_named_or_counts_without_is_made() -> None:
    found = Query(data={"name": "x", "after": "3"})
    assert found.is_valid()
    assert dict(found.validated_data) == {"name": "x", "limit": 20, "after": 3}
    assert set(found.fields) == {"name", "limit", "after"}
    assert set(Query().fields) == {"name", "limit", "before", "after"}, "the schema shows them all"


def test_a_request_keeps_nothing_of_the_one_before() -> None:
    fields = [Query(data={"name": "x"}).fields["name"] for _ in range(2)]
    assert fields[0] is not fields[1]


def test_what_has_to_be_there_and_what_is_unknown_are_refused_by_name() -> None:
    assert set(refused({"limit": "3"})) == {"name"}
    assert set(refused({"name": "x", "colour": "red"})) == {"colour"}
    assert set(refused({"name": "x", "before": "red"})) == {"before"}
    assert set(refused([])) == {"non_field_errors"}


@pytest.mark.parametrize(
    ("text", "code"),
    [("half \ud83d", "surrogate_characters_not_allowed"), ("nul \x00", "null_characters_not_allowed")],
    ids=["half of a pair", "nul"],
)
def test_a_text_holds_what_can_be_stored(text: str, code: str) -> None:
    assert Text().run_validation("whole 🍵 和茶") == "whole 🍵 和茶"
    with pytest.raises(ValidationError) as refusal:
        Text().run_validation(text)
    assert refusal.value.get_codes() == [code]
