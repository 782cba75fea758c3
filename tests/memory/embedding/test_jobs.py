"""The embedding jobs of a process: one at a time, a batch for each workspace in turn."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection

from memory.embedding.jobs import SECONDS, Place, Rota, waiting_places
from memory.embedding.pending import claimed
from memory.models import Conversation
from tenants import services
from tests.cast import Cast, Person
from tests.memory.embedding.embedded import afresh, current_stub, meanwhile, rows, say
from tests.memory.embedding.stub_endpoint import StubEndpoint, answers, embeddings, refusing


@pytest.fixture
def stub(database: None, settings: Any) -> Iterator[StubEndpoint]:
    with current_stub(settings, batch=2) as server:
        yield server


class Clock:
    """Time that passes only when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def batch(self) -> None:
        """A batch takes more than the time that a job has."""
        self.now += SECONDS + 2


def personal(person: Person) -> Place:
    return Place(person.identity.tenant_id, person.personal)


def embedded(person: Person, chat: Conversation) -> int:
    return sum(row.vector is not None for row in rows(person, chat))


def test_a_long_import_does_not_hold_up_another_workspace(cast: Cast, stub: StubEndpoint) -> None:
    long = say(cast.alice, *(f"line {number}" for number in range(9)))
    short = say(cast.charlie, "just this")
    assert Rota().work([personal(cast.alice), personal(cast.charlie)]) is False
    assert (embedded(cast.alice, long), embedded(cast.charlie, short)) == (9, 1)
    order = [text for texts in stub.texts() for text in texts]
    assert order.index("just this") < order.index("line 0")


def test_one_batch_that_takes_all_the_time_of_a_job_holds_nobody_up(cast: Cast, stub: StubEndpoint) -> None:
    """Each sweep finds the workspaces in the same order; the next job begins where the last one ended."""
    long = say(cast.alice, *(f"line {number}" for number in range(9)))
    short = say(cast.charlie, "one", "two", "three")
    clock = Clock()
    stub.otherwise = meanwhile(clock.batch)
    rota = Rota(clock)
    done = []
    for _ in range(5):
        assert rota.work([personal(cast.alice), personal(cast.charlie)]) is True
        done.append((embedded(cast.alice, long), embedded(cast.charlie, short)))
    assert done == [(2, 0), (2, 2), (4, 2), (4, 3), (6, 3)]


def test_who_comes_while_a_long_batch_runs_is_next(cast: Cast, stub: StubEndpoint) -> None:
    say(cast.alice, *(f"line {number}" for number in range(9)))
    short = say(cast.charlie, "just this")
    clock = Clock()
    rota = Rota(clock)

    def handed_in() -> None:
        rota.work([personal(cast.charlie)])
        clock.batch()

    stub.queue(meanwhile(handed_in))
    assert rota.work([personal(cast.alice)]) is True
    assert embedded(cast.charlie, short) == 0
    rota.work([personal(cast.alice)])
    assert embedded(cast.charlie, short) == 1


def test_a_workspace_whose_texts_bring_the_endpoint_down_has_had_its_turn(
    cast: Cast, stub: StubEndpoint
) -> None:
    heavy, light = say(cast.alice, "too heavy"), say(cast.charlie, "light")
    sweep = [personal(cast.alice), personal(cast.charlie)]
    stub.otherwise = refusing("heavy", status=503)
    rota = Rota()
    assert rota.work(sweep) is False
    assert rota.work(sweep) is False
    assert embedded(cast.charlie, light) == 0, "nobody is asked for a while"
    afresh()
    assert rota.work(sweep) is False
    assert (embedded(cast.alice, heavy), embedded(cast.charlie, light)) == (0, 1)


def test_there_is_one_job_at_a_time_and_it_does_what_comes_in(cast: Cast, stub: StubEndpoint) -> None:
    first, second = say(cast.alice, "one"), say(cast.charlie, "two")
    rota = Rota()
    handed_over: list[Any] = []

    def hand_over() -> None:
        handed_over.append(rota.work([personal(cast.charlie)]))
        handed_over.append(len(stub.requests))

    stub.queue(meanwhile(hand_over))
    rota.work([personal(cast.alice)])
    assert handed_over == [False, 1], "it returned at once, and had nothing done itself"
    assert (embedded(cast.alice, first), embedded(cast.charlie, second)) == (1, 1)


def test_a_job_gives_its_thread_back_and_says_that_something_is_left(
    alice: Person, stub: StubEndpoint
) -> None:
    chat = say(alice, "one", "two", "three")
    assert Rota().work([personal(alice)], seconds=0.0) is True
    assert embedded(alice, chat) == 0
    assert Rota().work([personal(alice)]) is False
    assert embedded(alice, chat) == 3


def test_a_job_ends_with_its_process(alice: Person, stub: StubEndpoint) -> None:
    chat = say(alice, "one", "two", "three", "four")
    rota = Rota()
    stub.queue(meanwhile(rota.stop))
    assert rota.work([personal(alice)]) is False
    assert embedded(alice, chat) == 2, "the batch that was begun is finished"


def test_after_a_failure_it_works_again(alice: Person, stub: StubEndpoint) -> None:
    chat = say(alice, "one")
    rota = Rota()
    stub.otherwise = answers("busy", 503)
    assert rota.work([personal(alice)]) is False
    assert embedded(alice, chat) == 0
    stub.otherwise = embeddings()
    afresh()
    rota.work([personal(alice)])
    assert embedded(alice, chat) == 1


def test_a_workspace_that_another_process_works_on_is_left_to_it(alice: Person, stub: StubEndpoint) -> None:
    chat = say(alice, "one")
    taken: list[bool] = []

    def elsewhere() -> None:
        with claimed(alice.personal) as ours:
            taken.append(ours)

    with claimed(alice.personal) as ours:
        assert ours
        in_thread(elsewhere)
        in_thread(lambda: Rota().work([personal(alice)]))
        assert embedded(alice, chat) == 0
    in_thread(elsewhere)
    assert taken == [False, True]
    Rota().work([personal(alice)])
    assert embedded(alice, chat) == 1


def test_workspaces_with_rows_that_wait_are_found(alice: Person, stub: StubEndpoint) -> None:
    assert personal(alice) not in waiting_places(100_000)
    say(alice, "one")
    assert personal(alice) in waiting_places(100_000)
    Rota().work([personal(alice)])
    assert personal(alice) not in waiting_places(100_000)


def test_a_workspace_that_was_closed_waits_until_it_is_open_again(cast: Cast, stub: StubEndpoint) -> None:
    place = Place(cast.alice.identity.tenant_id, cast.team)
    say(cast.alice, "one", workspace_id=cast.team)
    assert place in waiting_places(100_000)
    with cast.alice.scope():
        services.close_workspace(workspace_id=cast.team)
    assert place not in waiting_places(100_000)


def test_a_process_that_has_just_started_begins_with_any_workspace(cast: Cast, stub: StubEndpoint) -> None:
    ours = {personal(cast.alice), personal(cast.charlie)}
    for person in (cast.alice, cast.charlie):
        say(person, "one")
    first: set[Place] = set()
    for _ in range(200):
        first.add(next(place for place in waiting_places(100_000) if place in ours))
        if first == ours:
            break
    assert first == ours


def in_thread(act: Any) -> None:
    """Do something on a connection of its own."""

    def acted() -> None:
        try:
            act()
        finally:
            connection.close()

    thread = threading.Thread(target=acted)
    thread.start()
    thread.join()
