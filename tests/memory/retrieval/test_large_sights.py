"""Where many rows are in sight, a word that a sample shows to be common brings in no rows; it scores."""

from __future__ import annotations

import math
import uuid
from collections.abc import Iterable

import pytest
from django.db import connections

from memory import archival
from memory.index.entries import entry, write
from memory.models import Passage
from memory.retrieval.functions import COMMON, EXACT
from tests.cast import Person, make_cast

MANY, SOME, FEW = 2_400, 60, 3
LARGE = EXACT + 1
"""Rows that are said to be in sight: the first number for which a sample is taken."""


@pytest.fixture(scope="module")
def people(database: None) -> tuple[Person, Person]:
    """Alice has many rows with tea and milk, some with tea and saffron, few with cardamom. Charlie, whom she
    does not know, has many with saffron."""
    cast = make_cast()
    texts = ["tea milk"] * MANY + ["tea saffron"] * SOME + ["cardamom"] * FEW
    _fill(cast.alice, texts)
    _fill(cast.charlie, ["saffron"] * (MANY // 2))
    with connections["owner"].cursor() as cursor:
        cursor.execute("VACUUM ANALYZE memory_indexentry")
    return cast.alice, cast.charlie


def _fill(person: Person, texts: Iterable[str]) -> None:
    with person.scope():
        archive = archival.create_archive(workspace_id=person.personal, name="many")
        rows = [
            Passage(workspace_id=person.personal, archive=archive, content=f"{text} x{number}")
            for number, text in enumerate(texts)
        ]
        for start in range(0, len(rows), 1000):
            write(
                [
                    entry("passage", row, row.archive_id, row.content, occurred_at=row.occurred_at)
                    for row in rows[start : start + 1000]
                ]
            )


def _place(person: Person) -> str:
    identity = person.identity
    return f"e.tenant_id = '{identity.tenant_id}' AND e.workspace_id = '{person.personal}'"


def shown(person: Person, *words: str) -> list[bool] | None:
    """Which words the sample shows to be common among what a person sees."""
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT shown_common(%s, %s::text[]::tsquery[])", [_place(person), list(words)])
        found: list[bool] | None = cursor.fetchone()[0]
    return found


def asked(person: Person, *words: str, rows: int = LARGE) -> tuple[list[uuid.UUID], list[float], int, bool]:
    """Rows with the rarest words, the weights of all, how many rows were seen, and whether one is common."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            "SELECT * FROM entries_with_words(%s::uuid[], %s, '', %s::text[]::tsquery[], %s, 300)",
            [[person.personal], _place(person), list(words), rows],
        )
        entries, weights, seen, is_common = cursor.fetchone()
    return entries, weights, seen, is_common


def with_words(person: Person, words: str) -> set[uuid.UUID]:
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            f"SELECT e.id FROM memory_indexentry e WHERE {_place(person)} AND e.lexemes @@ %s::tsquery",
            [words],
        )
        return {row[0] for row in cursor.fetchall()}


def test_a_sample_tells_common_words_among_what_is_in_sight(people: tuple[Person, Person]) -> None:
    alice, charlie = people
    assert shown(alice, "tea", "saffron", "milk", "cardamom", "nothing") == [True, False, True, False, False]
    assert shown(charlie, "tea", "cardamom") == [False, False], "Alice's rows are none of his"
    assert shown(charlie, "saffron", "tea") == [True, False]


def test_common_words_alone_have_to_be_asked_for(people: tuple[Person, Person]) -> None:
    alice, _ = people
    assert shown(alice, "tea") is None
    entries, weights, seen, is_common = asked(alice, "tea", "milk")
    assert len(entries) == 300
    assert set(entries) <= with_words(alice, "tea & milk")
    assert seen > COMMON
    assert is_common
    assert len(weights) == 2


def test_a_common_word_weighs_what_it_did_and_brings_in_no_rows(people: tuple[Person, Person]) -> None:
    alice, _ = people
    before, weights, seen, was_common = asked(alice, "tea", "cardamom", rows=EXACT)
    entries, lighter, fewer, is_common = asked(alice, "tea", "cardamom")
    assert set(before[:FEW]) == set(entries) == with_words(alice, "cardamom")
    assert lighter == pytest.approx([_idf(LARGE, COMMON + 1), _idf(LARGE, FEW)])
    assert weights == pytest.approx(lighter, rel=1e-4)
    assert (seen, fewer) == (COMMON + 1 + FEW, FEW)
    assert was_common
    assert is_common


def test_a_word_that_is_less_common_makes_pairs_with_those_that_are() -> None:
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            "SELECT pairs_of(ARRAY[NULL, 'b', 'c', NULL]::tsquery[], ARRAY['a', 'b', 'c', 'd']::tsquery[])"
        )
        made = cursor.fetchone()[0]
    pairs = {frozenset(pair.split(" & ")) for pair in made.replace("'", "").split(" | ")}
    assert pairs == {frozenset(pair) for pair in ("bc", "ba", "bd", "ca", "cd")}


def _idf(rows: int, holding: int) -> float:
    return math.log(1 + (rows - holding + 0.5) / (holding + 0.5))
