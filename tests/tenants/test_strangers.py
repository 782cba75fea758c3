"""Every route of the site, as Alice and as strangers: Bob of her tenant, Charlie of another, and nobody.

The routes are found in the resolver. A route that has no entry in `routes.py`, or that Alice does not get
through with it, is not covered and fails here.
"""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import pytest

from memory.retrieval import access
from tests.agents.llm.stub_behaviours import text
from tests.agents.llm.stub_server import StubServer
from tests.cast import Cast, Client, Person, make_cast
from tests.tenants.locks import BOTH, LOCKS, scoped_models, turned
from tests.tenants.routes import ASKS, EXEMPT, FOR_ADMINS, Ask
from tests.tenants.walk import (
    VERBS,
    Answer,
    Step,
    fingerprint,
    namespaces,
    request,
    routes,
    rows_written,
    steps,
    undone,
    values_for,
)
from tests.tenants.world import World, make_world

# All but keys, whose last use is noted, and the audit log, in which a refusal is.
NOTED = {"ApiKey", "AuditEvent"}
WATCHED = [model._meta.db_table for model in scoped_models() if model.__name__ not in NOTED]
PLAIN: dict[str, str] = {}
# One that adds a row, one that changes one, one after which one is gone.
CHANGES = {"POST api-archives", "PATCH api-archive", "DELETE api-agent-block"}
FRAGMENT = {"HX-Request": "true"}


@dataclass
class Walk:
    """The cast, with a world for each."""

    cast: Cast
    worlds: dict[str, World]
    stub: StubServer

    @property
    def alice(self) -> World:
        return self.worlds["Alice"]

    def person(self, name: str) -> Person:
        return {"Alice": self.cast.alice, "Bob": self.cast.bob, "Charlie": self.cast.charlie}[name]

    def request(
        self, name: str, step: Step, headers: dict[str, str] = PLAIN, *own: str
    ) -> Callable[[], Answer]:
        """Alice's request as somebody sends it."""
        person = self.person(name)
        client = person.api if step.route.is_api else person.browser
        values = values_for(self.worlds[name], self.alice, step.ask, own)
        return lambda: request(client, step.route, step.verb, step.ask, values, headers)

    def ask(self, name: str, step: Step, headers: dict[str, str] = PLAIN, *own: str) -> Answer:
        """What somebody gets who sends Alice's request; its effects are undone."""
        act = self.request(name, step, headers, *own)
        if name != "Alice":
            return self.watched(act)
        with undone():
            return act()

    def watched(self, act: Callable[[], Answer]) -> Answer:
        """An answer, with whether its request changes what Alice sees; its effects are undone.

        Digests are made only where rows were written, which PostgreSQL counts: most requests write none.
        """
        with undone():
            already = rows_written(WATCHED)
            with undone():
                answer = act()
                wrote = answer.status < 500 and rows_written(WATCHED) != already
                after = self.seen_by_alice() if wrote else {}
            return replace(answer, changes=wrote and self.seen_by_alice() != after)

    def seen_by_alice(self) -> dict[str, str]:
        """Digests of what lies where neither Bob nor Charlie is."""
        places = [self.alice["workspace"], self.cast.alice.personal]
        return fingerprint(self.cast.alice.identity.narrowed(places), WATCHED)


def walk_in(home: str, stub: StubServer) -> Walk:
    cast = make_cast()
    if home != "team":
        cast.let_bob_in("admin")
    place = cast.team if home == "team" else cast.alice.personal
    worlds = {
        "Alice": make_world(cast.alice, place, stub),
        "Bob": make_world(cast.bob, cast.bob.personal, stub),
        "Charlie": make_world(cast.charlie, cast.charlie.personal, stub),
    }
    stub.otherwise = text("A call that tests a model.")
    return Walk(cast, worlds, stub)


@pytest.fixture(autouse=True)
def _nothing_is_written_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """What Alice finds is noted a minute later: then it would look as if a stranger's request did it."""
    monkeypatch.setattr(access.accesses, "note", lambda entries: None)


@pytest.fixture(autouse=True)
def _refusals_are_expected(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, "django.request")


@pytest.fixture(scope="module")
def team_walk(database: None) -> Iterator[Walk]:
    """Alice's things lie in the team's workspace, and Bob is not in it."""
    with StubServer() as stub:
        yield walk_in("team", stub)


@pytest.fixture(scope="module")
def own_walk(database: None) -> Iterator[Walk]:
    """Alice's things lie in her own workspace; Bob and she are both in the team."""
    with StubServer() as stub:
        yield walk_in("own", stub)


def test_it_has_an_entry_for_every_route() -> None:
    names = [route.name for route in routes()]
    assert len(names) == len(set(names)), "two routes with one name: one of them would not be walked"
    covered = {key.split(" ", 1)[1] for key in ASKS}
    assert sorted(set(names) - covered - EXEMPT) == [], (
        "not covered: write an entry in tests/tenants/routes.py"
    )
    assert sorted((covered | EXEMPT) - set(names)) == [], "entries of routes that are gone"


def test_what_is_not_the_product_has_a_walk_of_its_own() -> None:
    """The admin is for the site's staff; tests/memsite/operators/test_who_is_let_in.py walks it."""
    assert namespaces() == {"admin"}


def test_it_has_an_entry_for_every_verb_that_a_route_takes(team_walk: Walk) -> None:
    problems = []
    for route in routes():
        for verb in VERBS if route.name not in EXEMPT else ():
            if f"{verb} {route.name}" not in ASKS:
                answer = team_walk.ask("Alice", Step(route, verb, Ask()))
                if answer.status != 405:
                    problems.append(f"{verb} {route.name}: {answer.status}")
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("lock", LOCKS)
def test_it_notices_when_rows_of_alices_change(team_walk: Walk, lock: str) -> None:
    """Else it would find nothing of what strangers do."""
    doings = [step for step in steps() if f"{step.verb} {step.route.name}" in CHANGES]
    with turned(lock):
        answers = [(str(step), team_walk.watched(team_walk.request("Alice", step))) for step in doings]
    assert len(answers) >= len(CHANGES)
    assert [step for step, answer in answers if not answer.changes] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_strangers_find_nothing_of_the_teams(team_walk: Walk, lock: str) -> None:
    with turned(lock):
        problems = problems_of(team_walk, thorough=lock == BOTH)
    assert not problems, "\n".join(problems)


def test_strangers_find_nothing_of_alices_own(own_walk: Walk) -> None:
    problems = problems_of(own_walk, thorough=False)
    assert not problems, "\n".join(problems)


def problems_of(walk: Walk, *, thorough: bool) -> list[str]:
    return [problem for step in steps() for problem in problems_at(walk, step, thorough=thorough)]


def problems_at(walk: Walk, step: Step, *, thorough: bool) -> Iterator[str]:
    answer = walk.ask("Alice", step)
    if not answer.is_success:
        yield f"{step}: not covered, Alice gets {answer.status} {answer.location} {answer.said[-300:]}"
        return
    if step.shows and _shown(walk.alice, step) not in answer.location + answer.said:
        yield f"{step}: not covered, Alice's answer does not show {step.shows}"
    calls = len(walk.stub.requests)
    for name in step.ask.strangers:
        yield from problems_with(walk, step, name, thorough=thorough)
    if len(walk.stub.requests) != calls:
        yield f"{step}: a stranger's request calls Alice's model"


def problems_with(walk: Walk, step: Step, name: str, *, thorough: bool) -> Iterator[str]:
    kinds = [PLAIN, FRAGMENT] if thorough and not step.route.is_api else [PLAIN]
    for headers in kinds:
        answer = walk.ask(name, step, headers)
        yield from _refused(walk, step, name, answer, step.ask.refusal)
        # By way of a workspace of the stranger's own, where there are other ids in the request.
        if "workspace" in step.route.values and names_more(step):
            answer = walk.ask(name, step, headers, "workspace")
            wanted = 403 if name == "Bob" and f"{step.verb} {step.route.name}" in FOR_ADMINS else 404
            yield from _refused(walk, step, f"{name} in a workspace of his own", answer, wanted)


def names_more(step: Step) -> bool:
    """Whether the address names more than a workspace."""
    return bool(set(step.route.values) - {"workspace"})


def _refused(walk: Walk, step: Step, who: str, answer: Answer, wanted: int) -> Iterator[str]:
    if walk.alice["marker"] in answer.location + answer.said.replace("q=" + walk.alice["marker"], ""):
        yield f"{step}: {who} reads Alice's {walk.alice['marker']} in a {answer.status}"
    if answer.changes:
        yield f"{step}: {who} changes rows of Alice's"
    if step.shows:
        if not answer.is_success:
            yield f"{step}: {who} gets {answer.status} for a list of his own"
        if _shown(walk.alice, step) in answer.location + answer.said:
            yield f"{step}: {who} sees {step.shows}"
    elif answer.status != wanted:
        yield f"{step}: {who} gets {answer.status}, not {wanted} {answer.location}"


def _shown(world: World, step: Step) -> str:
    return str(world[step.shows[1:]]) if step.shows.startswith("$") else step.shows


def test_an_id_of_alices_and_an_id_of_nobodys_answer_alike(team_walk: Walk) -> None:
    """Byte for byte over the API, and with the same status in pages."""
    nobodys = {
        name: _other(value) if len(str(value)) == 36 else value for name, value in team_walk.alice.items()
    }
    problems = []
    for step in steps():
        if step.shows:
            continue
        for name in step.ask.strangers:
            hers = team_walk.ask(name, step)
            there = Walk(team_walk.cast, team_walk.worlds | {"Alice": nobodys}, team_walk.stub).ask(
                name, step
            )
            if hers.status != there.status or (step.route.is_api and hers.said != there.said):
                problems.append(f"{step}: {name} gets {hers.said} and {there.said}")
    assert not problems, "\n".join(problems)


def _other(value: object) -> str:
    """An id of the same form that is nobody's."""
    return str(value)[:-12] + "0123456789ab"


def test_who_is_signed_out_is_sent_to_the_login_page(team_walk: Walk) -> None:
    problems = []
    for step in steps():
        if step.route.is_api:
            continue
        for headers, status in ((PLAIN, 302), (FRAGMENT, 401), ({"Accept": "text/event-stream"}, 401)):
            answer = request(Client(), step.route, step.verb, step.ask, team_walk.alice, headers)
            right = answer.status == status and (
                status != 302 or answer.location.startswith("/accounts/login/")
            )
            if not right or team_walk.alice["marker"] in answer.said:
                problems.append(f"{step} {headers}: {answer.status} {answer.location}")
    assert not problems, "\n".join(problems)


def test_without_a_key_the_api_answers_401(team_walk: Walk) -> None:
    problems = []
    wrong = ({}, {"Authorization": "Bearer ms_wrong"}, {"Authorization": "Basic YWxpY2U6eA=="})
    for step in steps():
        for headers in wrong if step.route.is_api else ():
            for client in (Client(), team_walk.cast.alice.browser):
                answer = request(client, step.route, step.verb, step.ask, team_walk.alice, headers)
                if answer.status != 401 or team_walk.alice["marker"] in answer.said:
                    problems.append(f"{step} {headers}: {answer.status}")
    assert not problems, "\n".join(problems)
