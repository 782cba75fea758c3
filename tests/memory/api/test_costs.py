"""The API asks the database a fixed number of things, however much is filed or found."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory.embedding import serving_models
from tests.api_calls import get, post
from tests.cast import Person

ENTERED = ["key_by_digest", "BEGIN", "enter_scope"]


@pytest.fixture
def archive(alice: Person) -> str:
    """An archive in which there is something; the models of this process are known."""
    made = str(post(alice, "archives/", {"name": "Notes"})["id"])
    post(alice, f"archives/{made}/passages/", {"content": "The first zebra."})
    get(alice, "search/?q=zebra")
    with alice.scope():
        serving_models()
    return made


def asked(captured: CaptureQueriesContext) -> list[str]:
    return [query["sql"] for query in captured.captured_queries]


def assert_asked(captured: CaptureQueriesContext, words: list[str]) -> None:
    """One statement for each of the words, in this order, and no other."""
    told = asked(captured)
    assert len(told) == len(words), [each[:80] for each in told]
    assert [word in each for word, each in zip(words, told, strict=True)] == [True] * len(words), told


@pytest.mark.parametrize("many", [1, 40])
def test_filing_takes_five_statements_in_a_transaction(alice: Person, archive: str, many: int) -> None:
    passages = [{"content": f"Zebra number {number}", "tags": ["stripes"]} for number in range(many)]
    body: Any = {"passages": passages} if many > 1 else passages[0]
    with CaptureQueriesContext(connection) as captured:
        post(alice, f"archives/{archive}/passages/", body)
    written = ["memory_archive", "memory_source", "memory_passage", "memory_indexentry", "tenants_auditevent"]
    assert_asked(captured, [*ENTERED, *written, "COMMIT"])


@pytest.mark.parametrize("many", [1, 40])
def test_searching_takes_two_statements_with_sources_and_titles(
    alice: Person, archive: str, many: int
) -> None:
    passages = [{"content": f"Tiger number {number}"} for number in range(many)]
    post(alice, f"archives/{archive}/passages/", {"passages": passages})
    with CaptureQueriesContext(connection) as captured:
        found = get(alice, "search/?q=tiger&limit=50&kind=passage")["results"]
    assert len(found) == many
    assert {hit["source"]["kind"] for hit in found} == {"person"}
    assert {hit["title"] for hit in found} == {"Notes"}
    assert_asked(captured, [*ENTERED, "search_entries", "memory_passage", "COMMIT"])
