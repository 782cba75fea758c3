"""What a tool does outside of the database is noted first, done once, and never a second time."""

import json
import threading
from collections.abc import Iterator

import pytest
from django.db import connection

from agents import services
from agents.following import wait
from agents.models import Approval, ExternalCall, Turn
from agents.turns import approvals, points
from memory.models import Proposal, Trust
from tests.agents.bell import Bell, hung, known
from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.llm.stub_server import StubServer
from tests.agents.mortal import QUICK, MortalSite, until
from tests.agents.ruled import NOTE, of, refused, rule
from tests.agents.stubbed import Stubbed, make_stubbed
from tests.cast import Person, send, work

RING = ("ring_bell", {"tune": "noon"})


@pytest.fixture
def bell() -> Iterator[Bell]:
    with hung() as bell:
        yield bell


@pytest.fixture
def ringing(stubbed: Stubbed, bell: Bell) -> Iterator[Stubbed]:
    """Alice's agent can ring the bell."""
    with known(bell.url):
        yield stubbed


def noted(stubbed: Stubbed, turn: Turn) -> ExternalCall:
    with stubbed.person.scope():
        return ExternalCall.objects.get(turn=turn)


def test_it_is_done_once_and_its_answer_is_kept(ringing: Stubbed, bell: Bell) -> None:
    ringing.queue(calls(RING), text("It rang."))
    turn = ringing.say("Ring the bell.")
    call = noted(ringing, turn)
    assert bell.rung == [(f"{turn.id}-{call.call_id}", "noon")]
    assert json.loads(call.result) == {"status": "ok", "rings": 1}
    assert ringing.results(turn) == [call.result]
    assert call.ended_at is not None
    assert turn.status == Turn.Status.DONE


def test_what_it_answers_is_not_trusted(ringing: Stubbed) -> None:
    ringing.queue(calls(RING), calls(NOTE), text("It rang."))
    turn = ringing.say("Ring the bell.")
    answer = next(each for each in ringing.messages(turn) if each.name == "ring_bell")
    assert answer.trust == Trust.UNTRUSTED
    with ringing.person.scope():
        assert Proposal.objects.filter(turn_id=turn.id).count() == 1


def test_the_models_fault_is_no_action(ringing: Stubbed, bell: Bell) -> None:
    ringing.queue(calls(("ring_bell", {"tune": "alarm"}), ("ring_bell", {})), text("It did not ring."))
    turn = ringing.say("Ring the bell.")
    said = [json.loads(each)["error"] for each in ringing.results(turn)]
    assert said[0] == "There is no alarm."
    assert said[1].startswith("The arguments are wrong")
    assert bell.rung == []
    with ringing.person.scope():
        assert not ExternalCall.objects.filter(turn=turn).exists()


def test_what_failed_for_certain_is_told_as_an_error(ringing: Stubbed, bell: Bell) -> None:
    bell.refuses = True
    ringing.queue(calls(RING), text("It is locked."))
    turn = ringing.say("Ring the bell.")
    assert json.loads(ringing.results(turn)[0]) == {"status": "error", "error": "The bell answered 422."}
    assert bell.rung == []


def test_an_outcome_that_is_not_known_is_told_in_words(ringing: Stubbed, bell: Bell) -> None:
    bell.breaks_off = True
    ringing.queue(calls(RING), text("I do not know."))
    turn = ringing.say("Ring the bell.")
    said = json.loads(ringing.results(turn)[0])
    assert said["status"] == "unknown"
    assert said["error"].startswith("It is not known whether this was done. Do not do it again")
    assert len(bell.rung) == 1


def test_a_person_says_yes_to_it_first(ringing: Stubbed, bell: Bell) -> None:
    rule(ringing, of("requires_approval", "ring_bell"))
    ringing.queue(calls(RING), text("It rang."))
    turn = ringing.say("Ring the bell.")
    assert bell.rung == []
    with ringing.person.scope():
        approvals.approve(Approval.objects.get(turn=turn).id, arguments={"tune": "six"})
    work(turn)
    assert [tune for _, tune in bell.rung] == ["six"]
    assert json.loads(ringing.results(turn)[0])["ran_with"] == {"tune": "six"}


def test_a_stop_waits_for_what_is_begun_and_keeps_its_answer(ringing: Stubbed, bell: Bell) -> None:
    bell.slow.clear()
    ringing.queue(calls(RING, ("ring_bell", {"tune": "one"})))
    turn = send(ringing.person, ringing.chat, "Ring the bell.")

    def run() -> None:
        work(turn)
        connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    until(lambda: len(bell.rung) == 1)
    with ringing.person.scope():
        services.stop_turn(turn.id)
    bell.slow.set()
    thread.join(60)
    assert ringing.fresh(turn).status == Turn.Status.STOPPED
    assert json.loads(ringing.results(turn)[0])["status"] == "ok"
    assert refused(ringing.messages(turn)) == ["ended"]
    assert len(bell.rung) == 1


# With a worker that dies.


@pytest.fixture(scope="module")
def site(database: None) -> Iterator[tuple[MortalSite, Bell]]:
    """A site whose agents ring a bell, with short leases and frequent sweeps."""
    with hung() as bell, MortalSite(**QUICK, MEMSITE_BELL=bell.url) as mortal:
        yield mortal, bell


@pytest.fixture
def told(alice: Person, site: tuple[MortalSite, Bell]) -> Iterator[Stubbed]:
    """A chat whose model rings the bell once, and then says what it heard."""
    with StubServer(calls(RING), otherwise=text("It rang.")) as server:
        yield make_stubbed(alice, server)


@pytest.mark.parametrize("point", [points.ACTION_NOTED, points.ACTION_DONE, points.TOOL_COMMITTED])
def test_it_is_done_once_though_the_worker_dies(
    told: Stubbed, site: tuple[MortalSite, Bell], point: str
) -> None:
    mortal, bell = site
    before, deaths = len(bell.rung), mortal.deaths
    mortal.die_at(point)
    turn = send(told.person, told.chat, "Ring the bell.")
    assert wait(told.person.identity, turn.id, 180)
    assert mortal.deaths == deaths + 1
    call = noted(told, turn)
    key = f"{turn.id}-{call.call_id}"
    assert [heard for heard, _ in bell.rung[before:]] == [key]
    # Whoever took over asked, but where the answer was stored already.
    assert (key in bell.asked) == (point != points.TOOL_COMMITTED)
    assert json.loads(told.results(turn)[0])["status"] == "ok"
    ended = told.fresh(turn)
    assert (ended.status, ended.attempt) == (Turn.Status.DONE, 2)


def test_who_takes_over_and_cannot_find_out_does_not_do_it_again(
    told: Stubbed, site: tuple[MortalSite, Bell]
) -> None:
    mortal, bell = site
    before = len(bell.rung)
    bell.mute = True
    try:
        mortal.die_at(points.ACTION_DONE)
        turn = send(told.person, told.chat, "Ring the bell.")
        assert wait(told.person.identity, turn.id, 180)
    finally:
        bell.mute = False
    assert len(bell.rung) == before + 1
    assert json.loads(told.results(turn)[0])["status"] == "unknown"


def test_a_long_action_keeps_its_lease(told: Stubbed, site: tuple[MortalSite, Bell]) -> None:
    _, bell = site
    before = len(bell.rung)
    bell.slow.clear()
    turn = send(told.person, told.chat, "Ring the bell.")
    until(lambda: len(bell.rung) == before + 1)
    lease_is_over = told.fresh(turn).lease_until
    until(lambda: told.fresh(turn).lease_until > lease_is_over)  # type: ignore[operator]
    bell.slow.set()
    assert wait(told.person.identity, turn.id, 180)
    assert told.fresh(turn).attempt == 1
    assert len(bell.rung) == before + 1
