"""With plain SQL, as the role that serves and in a scope of his own, a stranger changes no row of Alice's,
and puts none where she is. Alice changes her row by the same statement."""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.db import connections

from tests.tenants.attacker import FOUND, NOTHING, REFUSED, Attacker, Target, session
from tests.tenants.cases import APPEND_ONLY, BY_FUNCTION_ONLY, STRANGERS, Case
from tests.tenants.locks import policies_off
from tests.tenants.statements import CHANGES, INSERTIONS, PLANT


@pytest.fixture(scope="module")
def app(database: None) -> Iterator[psycopg.Connection[Any]]:
    with session() as opened:
        yield opened


@pytest.fixture(params=STRANGERS)
def case(request: pytest.FixtureRequest, cases: dict[str, Case]) -> Case:
    return cases[request.param]


def targets(case: Case, app: psycopg.Connection[Any]) -> list[Target]:
    return [Target(case, model, app) for model, _ in case.hidden()]


@pytest.mark.parametrize("change", CHANGES)
def test_it_changes_nothing(case: Case, app: psycopg.Connection[Any], change: str) -> None:
    alice, stranger = Attacker(app, case.alice.identity), Attacker(app, case.stranger.identity)
    watch = Attacker(app, case.alice.identity.narrowed(case.places))
    problems = []
    for target in targets(case, app):
        hers = alice.tries(target.by_alice(CHANGES[change]))
        if hers != (REFUSED if target.model in APPEND_ONLY else FOUND):
            problems.append(f"{target}: not covered, for Alice it is {hers}")
        his = stranger.tries(target.by_stranger(CHANGES[change]), target.table, watch)
        if his == FOUND or (his == NOTHING and target.model in APPEND_ONLY):
            problems.append(f"{target}: the stranger gets at it: {his}")
    assert not problems, "\n".join(problems)


def test_it_moves_no_row_to_where_alices_lies(case: Case, app: psycopg.Connection[Any]) -> None:
    alice, stranger = Attacker(app, case.alice.identity), Attacker(app, case.stranger.identity)
    for target in targets(case, app):
        if target.model not in APPEND_ONLY:
            assert alice.tries(target.planted_by_alice(PLANT)) == FOUND, target
        his = stranger.tries(target.planted_by_stranger(PLANT))
        assert his == (REFUSED if target.model in case.own else NOTHING), target


@pytest.mark.parametrize("insertion", INSERTIONS)
def test_it_adds_nothing(case: Case, app: psycopg.Connection[Any], insertion: str) -> None:
    alice, stranger = Attacker(app, case.alice.identity), Attacker(app, case.stranger.identity)
    problems = []
    for target in [Target(case, model, app) for model, _ in case.not_his_to_add()]:
        hers = alice.tries(target.planted_by_alice(INSERTIONS[insertion]), target.table, alice)
        if hers != FOUND and target.model not in BY_FUNCTION_ONLY:
            problems.append(f"{target}: not covered, for Alice it is {hers}")
        his = stranger.tries(target.planted_by_stranger(INSERTIONS[insertion]))
        if his != REFUSED and (target.model in case.own or his != NOTHING):
            problems.append(f"{target}: for the stranger it is {his}")
    assert not problems, "\n".join(problems)


def test_what_must_be_unique_tells_nothing_to_who_knows_nothing(
    case: Case, app: psycopg.Connection[Any]
) -> None:
    """A row of his own with Alice's values runs into hers only where one of the values is a random id or a
    hash of her row's: names, numbers and texts of hers are free for him."""
    stranger = Attacker(app, case.stranger.identity)
    problems = [
        f"{target}: {columns}"
        for target in targets(case, app)
        for columns in unique_indexes(target.table)
        if stranger.collides(target.colliding(columns)) and not target.secrets(columns)
    ]
    assert not problems, "\n".join(problems)


def unique_indexes(table: str) -> list[list[str]]:
    """Columns of what is unique beside the key."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            """SELECT array_agg(a.attname::text) FROM pg_index i
               JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
               WHERE i.indrelid = %s::regclass AND i.indisunique AND NOT i.indisprimary
               GROUP BY i.indexrelid""",
            [table],
        )
        return [columns for (columns,) in cursor.fetchall()]


def test_without_the_policies_every_statement_would_change_something(
    cases: dict[str, Case], app: psycopg.Connection[Any]
) -> None:
    case = cases["of another tenant"]
    stranger = Attacker(app, case.stranger.identity)
    with policies_off():
        blind = [
            f"{target}: {name}"
            for target in targets(case, app)
            for name, text in CHANGES.items()
            if target.model not in APPEND_ONLY and stranger.tries(target.by_stranger(text)) != FOUND
        ]
        blind += [
            f"{target}: {name}"
            for target in targets(case, app)
            for name, text in INSERTIONS.items()
            if stranger.tries(target.planted_by_stranger(text)) == REFUSED
        ]
    assert not blind, "\n".join(blind)
