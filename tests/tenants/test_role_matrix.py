"""Every role makes Alice's successful request of every route, and gets what the table says.

A route without a row fails here. Each refusal stands beside Alice, who succeeds with the same request.
"""

import logging
from collections.abc import Iterator

import pytest

from tests.agents.llm.stub_behaviours import text
from tests.agents.llm.stub_server import StubServer
from tests.tenants.role_people import KEYS, WHO, Company, found_company
from tests.tenants.role_table import ORGANISATION, PATTERNS, TABLE, row_of, wanted
from tests.tenants.routes import ASKS, Ask
from tests.tenants.walk import VERBS, Answer, Route, request, routes, undone


@pytest.fixture(scope="module")
def company(database: None) -> Iterator[Company]:
    with StubServer() as stub:
        founded = found_company(stub)
        stub.otherwise = text("A call that tests a model.")
        yield founded


@pytest.fixture(autouse=True)
def _refusals_are_expected(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, "django.request")


def asks() -> Iterator[tuple[Route, str, int, Ask]]:
    """Every request: route, method, and which of the ways of asking it is."""
    for route in routes():
        for verb in VERBS:
            for place, ask in enumerate(ASKS.get(f"{verb} {route.name}", [])):
                yield route, verb, place, ask


def test_there_is_a_row_for_every_route() -> None:
    assert sorted(set(ASKS) - set(TABLE)) == [], "write a row in tests/tenants/role_table.py"
    assert sorted(set(TABLE) - set(ASKS)) == [], "rows of routes that are gone"
    several = {key: len(row) for key, row in TABLE.items() if isinstance(row, list)}
    assert several == {key: len(ASKS[key]) for key in several}, "one pattern for each way of asking"
    assert {row_of(f"{verb} {route.name}", place)[0] for route, verb, place, _ in asks()} == set(PATTERNS)


def test_alice_may_do_everything(company: Company) -> None:
    problems = []
    for route, verb, place, ask in asks():
        answer = answer_to(company, "alice", route, verb, ask, "see")
        if not answer.is_success or not shows(answer, ask, company):
            problems.append(f"{verb} {route.name} {place}: {answer.status} {answer.said[-200:]}")
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("who", WHO)
def test_a_role_gets_what_the_table_says(company: Company, who: str) -> None:
    problems = []
    for route, verb, place, ask in asks():
        if who in KEYS and not route.is_api:
            continue
        key = f"{verb} {route.name}"
        answer = answer_to(company, who, route, verb, ask, row_of(key, place)[0])
        got = told(answer, ask, company)
        right = sent_away(route) if who == "signed out" else wanted(who, key, place)
        if got != right and not (got == "own" and right == "ok" and not ask.shows):
            problems.append(f"{key} {place} {dict(ask.path)}{dict(ask.body)}: {got}, not {right}")
    assert not problems, "\n".join(problems)


def answer_to(company: Company, who: str, route: Route, verb: str, ask: Ask, pattern: str) -> Answer:
    """What somebody gets for Alice's request; its effects are undone."""
    values = company.world
    if pattern in ORGANISATION and who != "stranger" and who in company.homes:
        values = values | {"workspace": company.homes[who]}
    with undone():
        return request(company.client(who, is_api=route.is_api), route, verb, ask, values, {})


def told(answer: Answer, ask: Ask, company: Company) -> str:
    """An answer in the table's words."""
    if answer.location.startswith("/accounts/login/"):
        return "login"
    if not answer.is_success:
        return str(answer.status)
    return "ok" if shows(answer, ask, company) else "own"


def shows(answer: Answer, ask: Ask, company: Company) -> bool:
    """Whether what Alice's answer shows stands in it."""
    shown = str(company.world[ask.shows[1:]]) if ask.shows.startswith("$") else ask.shows
    return shown in answer.location + answer.said


def sent_away(route: Route) -> str:
    return "401" if route.is_api else "login"
