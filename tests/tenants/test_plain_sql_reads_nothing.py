"""With plain SQL, as the role that serves and in a scope of his own, a stranger reads no row of Alice's.

Every table behind the locks, every way of asking, three kinds of strangers; Alice finds her row by the same
statement. (That there is a row with a random id that one knows, and not what is in it, can be told by EXPLAIN
ANALYZE, which counts what a policy removed, and by taking the same id.)
"""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.db import connections

from tenants.scope import Identity
from tests.tenants.attacker import FOUND, NOTHING, REFUSED, Attacker, Target, session
from tests.tenants.cases import STRANGERS, Case
from tests.tenants.locks import policies_off
from tests.tenants.statements import FIND, FOR_NOBODY, READINGS


@pytest.fixture(scope="module")
def app(database: None) -> Iterator[psycopg.Connection[Any]]:
    with session() as opened:
        yield opened


@pytest.fixture(params=STRANGERS)
def case(request: pytest.FixtureRequest, cases: dict[str, Case]) -> Case:
    return cases[request.param]


def targets(case: Case, app: psycopg.Connection[Any]) -> list[Target]:
    return [Target(case, model, app) for model, _ in case.hidden()]


@pytest.mark.parametrize("reading", READINGS)
def test_it_shows_nothing(case: Case, app: psycopg.Connection[Any], reading: str) -> None:
    alice, stranger = Attacker(app, case.alice.identity), Attacker(app, case.stranger.identity)
    problems = []
    for target in targets(case, app):
        if alice.tries(target.by_alice(READINGS[reading])) != FOUND:
            problems.append(f"{target}: not covered, Alice does not find it")
        if stranger.tries(target.by_stranger(READINGS[reading])) != NOTHING:
            problems.append(f"{target}: the stranger finds it")
    assert not problems, "\n".join(problems)


def test_a_statement_that_alice_prepared_shows_nothing_to_who_comes_after_her(
    case: Case, app: psycopg.Connection[Any]
) -> None:
    """Connections are shared, and so are the plans that were made on them."""
    alice, stranger = Attacker(app, case.alice.identity), Attacker(app, case.stranger.identity)
    app.execute("SET plan_cache_mode = force_generic_plan")
    for place, target in enumerate(targets(case, app)):
        name = f"shared_{place}"
        with app.transaction():
            alice.enter()
            app.execute(f"PREPARE {name} AS " + target.by_alice(FIND))  # type: ignore[arg-type]
            assert app.execute(f"EXECUTE {name}").fetchall(), target  # type: ignore[arg-type]
        with app.transaction():
            stranger.enter()
            assert not app.execute(f"EXECUTE {name}").fetchall(), target  # type: ignore[arg-type]
        app.execute("DEALLOCATE ALL")
    app.execute("RESET plan_cache_mode")


def claims(case: Case) -> dict[str, list[str]]:
    """Identities that nobody has, as settings: a tenant, a person and a reach that do not belong together."""
    hers, his = case.alice.identity, case.stranger.identity
    places = frozenset(case.places)
    tenant, workspaces = str(hers.tenant_id), ",".join(map(str, places))
    claimed = {
        "his reach named": Identity(his.tenant_id, his.user_id, frozenset(case.places)),
        "no reach": Identity(hers.tenant_id, his.user_id, frozenset()),
        "nobody": Identity(hers.tenant_id, None),
        "nobody with no reach": Identity(hers.tenant_id, None, frozenset()),
    }
    return {name: each.settings() for name, each in claimed.items()} | {
        "her tenant": [tenant, str(his.user_id), "*"],
        "her tenant and workspaces": [tenant, str(his.user_id), workspaces],
        "nobody with every reach": [tenant, "", "*"],
        "no tenant": ["", str(hers.user_id), "*"],
        "no tenant, with workspaces": ["", "", workspaces],
    }


@pytest.mark.parametrize("local", [True, False], ids=["for the transaction", "for the session"])
def test_a_claimed_identity_without_a_seat_shows_nothing(
    case: Case, app: psycopg.Connection[Any], local: bool
) -> None:
    """Who says that he is Alice is Alice: who one is, is the doors' business. What one reaches is not."""
    alice = Attacker(app, case.alice.identity)
    names = ("memsite.tenant", "memsite.person", "memsite.reach")
    problems = []
    for target in targets(case, app):
        assert alice.tries(target.by_alice(FIND)) == FOUND, target
        for claim, settings in claims(case).items():
            with app.transaction(force_rollback=True):
                for name, value in zip(names, settings, strict=False):
                    app.execute("SELECT set_config(%s, %s, %s)", [name, value, local])
                if app.execute(target.by_stranger(FIND)).fetchall():  # type: ignore[arg-type]
                    problems.append(f"{target}: {claim}")
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("statement", FOR_NOBODY)
def test_nobody_who_serves_may_do_it(case: Case, app: psycopg.Connection[Any], statement: str) -> None:
    for person in (case.alice, case.stranger):
        for target in targets(case, app):
            tried = Attacker(app, person.identity).tries(target.by_stranger(FOR_NOBODY[statement]))
            assert tried == REFUSED, f"{target} {person.name}"


def test_every_table_behind_the_locks_was_tried(cases: dict[str, Case]) -> None:
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT relname FROM pg_class WHERE relrowsecurity")
        locked = {name for (name,) in cursor.fetchall()}
    tried = {model._meta.db_table for case in cases.values() for model, _ in case.hidden()}
    assert locked == tried


def test_without_the_policies_every_statement_finds_what_is_asked_for(
    cases: dict[str, Case], app: psycopg.Connection[Any]
) -> None:
    """It is the policies that hold, and not a statement that could find nothing anyway."""
    case = cases["of another tenant"]
    stranger = Attacker(app, case.stranger.identity)
    with policies_off():
        blind = [
            f"{target}: {reading}"
            for target in targets(case, app)
            for reading, text in READINGS.items()
            if stranger.tries(target.by_stranger(text)) != FOUND
        ]
    assert not blind, "\n".join(blind)
