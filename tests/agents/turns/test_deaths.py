"""A worker is killed in the middle: the turn goes on, nothing is lost, done twice or said twice."""

import urllib.request
from collections.abc import Iterator

import pytest

from agents.events import Event
from agents.following import read_now, wait
from agents.models import Turn, TurnEvent
from agents.turns import points
from tests.agents.llm.stub_behaviours import MEMORY_NOTE, hang_after, memory_then_text, text
from tests.agents.llm.stub_server import StubServer
from tests.agents.mortal import QUICK, MortalSite, until
from tests.agents.stubbed import Stubbed, make_stubbed, shown
from tests.cast import Person, send

SPEECH = "Tea, I see. " * 20


@pytest.fixture(scope="module")
def quick(database: None) -> Iterator[MortalSite]:
    """A site with short leases and frequent sweeps, whose worker dies and comes back."""
    with MortalSite(**QUICK) as site:
        yield site


@pytest.fixture
def told(alice: Person) -> Iterator[Stubbed]:
    """A chat whose model writes to memory once, and then speaks for a second."""
    speech = memory_then_text(SPEECH)

    async def slowly(exchange: object) -> None:
        if exchange.request.json["messages"][-2]["role"] == "tool":  # type: ignore[attr-defined]
            await text(SPEECH, chunks=20, pause=0.05)(exchange)  # type: ignore[arg-type]
        else:
            await speech(exchange)  # type: ignore[arg-type]

    with StubServer(otherwise=slowly) as server:
        yield make_stubbed(alice, server)


def assert_whole(stubbed: Stubbed, turn: Turn) -> None:
    """The turn was answered as if nobody had died."""
    ended = stubbed.fresh(turn)
    assert (ended.status, ended.error_kind) == (Turn.Status.DONE, "")
    assert [each.role for each in stubbed.messages()] == ["user", "assistant", "tool", "assistant"]
    assert stubbed.block("human").value == MEMORY_NOTE
    assert stubbed.answers(turn)[-1] == ("complete", SPEECH)
    events = read_now(stubbed.person.identity, turn.id, 0)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert [event.kind for event in events].count("done") == 1
    assert events[-1].kind == "done"
    assert [words for words in read_by_a_page(events) if words] == [SPEECH]


def read_by_a_page(events: list[Event]) -> list[str]:
    """What a page shows of each stored message, and after them of what is not stored."""
    ends = [place for place, event in enumerate(events) if event.kind == "message"]
    starts = [0, *(place + 1 for place in ends)]
    return [shown(events[start:end]) for start, end in zip(starts, [*ends, len(events)], strict=True)]


@pytest.mark.parametrize("point", points.ALL)
def test_a_turn_goes_on_after_its_worker_died(quick: MortalSite, told: Stubbed, point: str) -> None:
    deaths = quick.deaths
    quick.die_at(point)
    turn = send(told.person, told.chat, "I drink tea.")
    assert wait(told.person.identity, turn.id, 180)
    assert quick.deaths == deaths + 1
    assert_whole(told, turn)
    assert told.fresh(turn).attempt == 2


def test_a_turn_ends_as_interrupted_after_three_deaths(quick: MortalSite, alice: Person) -> None:
    with StubServer(otherwise=hang_after("Half a sentence")) as server:
        stubbed = make_stubbed(alice, server)
        turn = send(alice, stubbed.chat, "Hello.")
        for number in range(1, 4):
            until(lambda number=number: restarts(stubbed, turn) == number - 1)  # type: ignore[misc]
            until(lambda number=number: texts(stubbed, turn) == number)  # type: ignore[misc]
            quick.kill_worker()
        assert wait(alice.identity, turn.id, 180)
        assert stubbed.answers(turn) == [("interrupted", "Half a sentence")]
        ended = stubbed.fresh(turn)
        assert (ended.status, ended.error_kind) == (Turn.Status.INTERRUPTED, "interrupted")


def restarts(stubbed: Stubbed, turn: Turn) -> int:
    with stubbed.person.scope():
        return TurnEvent.objects.filter(turn=turn, kind="restart").count()


def texts(stubbed: Stubbed, turn: Turn) -> int:
    with stubbed.person.scope():
        return TurnEvent.objects.filter(turn=turn, kind="text").count()


def test_messages_that_waited_are_answered_after_a_death(quick: MortalSite, alice: Person) -> None:
    with StubServer(otherwise=text("word " * 20, chunks=20, pause=0.02)) as server:
        stubbed = make_stubbed(alice, server)
        quick.die_at("streaming")
        turns = [send(alice, stubbed.chat, f"Question {number}.") for number in range(3)]
        for turn in turns:
            assert wait(alice.identity, turn.id, 180)
        assert [each.role for each in stubbed.messages()] == ["user", "assistant"] * 3


def test_a_turn_outlives_the_web_process(quick: MortalSite, told: Stubbed) -> None:
    quick.live.start("web")
    turn = send(told.person, told.chat, "I drink tea.")
    request = urllib.request.Request(
        f"{quick.live.url}/api/v1/turns/{turn.id}/events/",
        headers={"Authorization": f"Bearer {told.person.key}", "Accept": "text/event-stream"},
    )
    with urllib.request.urlopen(request, timeout=30) as stream:
        while b"event: text" not in (line := stream.readline()):
            assert line, quick.live.log("web")
        quick.live.kill("web")
    assert wait(told.person.identity, turn.id, 180)
    assert_whole(told, turn)
    assert told.fresh(turn).attempt == 1
