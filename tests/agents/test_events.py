"""A turn's events: numbered without gaps, told in order, replayed after any number, done at the end."""

import asyncio
import threading
import time
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, connections
from django.utils import timezone

from agents import events, following
from agents.events import Event, EventLog
from agents.following import follow, read_now, wait
from agents.hub import NAME, Hub, hub
from agents.models import Turn, TurnEvent
from tenants.scope import NoScope
from tests.agents.llm.stub_behaviours import calls, cut, text
from tests.agents.stubbed import Stubbed
from tests.cast import Cast, new_agent, new_chat, send, work

NOTE = ("core_memory_append", {"label": "human", "content": "Drinks tea."})


def followed(stubbed: Stubbed, turn: Turn, after: int = 0) -> list[Event]:
    """What a page gets, to the end."""

    async def gather() -> list[Event]:
        stream = follow(stubbed.person.identity, turn.id, after)
        return [event async for event in stream if event is not None]

    return asyncio.run(asyncio.wait_for(gather(), 120))


def in_thread(action: Any) -> threading.Thread:
    def run() -> None:
        try:
            action()
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def test_they_tell_the_turn_from_the_message_to_the_end(stubbed: Stubbed) -> None:
    stubbed.queue(calls(NOTE), text("Tea, I see.", chunks=1))
    turn = stubbed.say("I drink tea.")
    told = read_now(stubbed.person.identity, turn.id, 0)
    assert [event.seq for event in told] == list(range(1, len(told) + 1))
    kinds = [event.kind for event in told]
    assert kinds == ["state", "state", "message", "tool", "result", "memory", "text", "message", "done"]
    memory = told[5].data
    assert (memory["label"], memory["version"], memory["operation"]) == ("human", 2, "append")
    assert told[3].data["call"] == told[4].data["call"] == memory["call"]
    assert told[-1].data["messages"] == [str(each.id) for each in stubbed.messages(turn)]


def test_they_are_replayed_after_any_number(stubbed: Stubbed) -> None:
    stubbed.queue(calls(NOTE), text("Tea, I see."))
    turn = stubbed.say("I drink tea.")
    told = followed(stubbed, turn)
    for after in range(len(told)):
        assert followed(stubbed, turn, after) == told[after:]
    assert [event.kind for event in followed(stubbed, turn, len(told))] == ["done"]
    assert [event.kind for event in followed(stubbed, turn, 10**6)] == ["done"]


def test_they_end_with_done_where_the_rows_are_gone(stubbed: Stubbed) -> None:
    stubbed.queue(text("Yes."))
    turn = stubbed.say("Hello.")
    with stubbed.person.scope():
        TurnEvent.objects.filter(turn=turn).delete()
    (done,) = followed(stubbed, turn, 3)
    assert (done.kind, done.data["status"]) == ("done", "done")


def test_rows_go_an_hour_after_the_end(stubbed: Stubbed) -> None:
    stubbed.queue(text("Yes."), text("Yes."))
    old, new = stubbed.say("Hello."), stubbed.say("Hello again.")
    with stubbed.person.scope():
        Turn.objects.filter(id=old.id).update(ended_at=timezone.now() - timedelta(hours=2))
    with connections["default"].cursor() as cursor:
        cursor.execute("SELECT drop_old_events('1 hour')")
    with stubbed.person.scope():
        assert not TurnEvent.objects.filter(turn=old).exists()
        assert TurnEvent.objects.filter(turn=new).exists()
    assert len(stubbed.messages()) == 4


def test_they_are_followed_while_they_come(stubbed: Stubbed) -> None:
    stubbed.queue(text("word " * 40, chunks=40, pause=0.02))
    turn = send(stubbed.person, stubbed.chat, "Hello.")
    thread = in_thread(lambda: work(turn))
    told = followed(stubbed, turn)
    thread.join()
    assert [event.seq for event in told] == list(range(1, len(told) + 1))
    texts = [event.data["text"] for event in told if event.kind == "text"]
    assert "".join(texts) == "word " * 40
    assert 1 < len(texts) < 40
    assert told == read_now(stubbed.person.identity, turn.id, 0)


@pytest.mark.parametrize("size", [100, 7_000, 9_000, 500_000])
def test_an_event_of_any_size_arrives(stubbed: Stubbed, size: int) -> None:
    stubbed.queue(text("香" * size, chunks=1))
    turn = send(stubbed.person, stubbed.chat, "Hello.")
    thread = in_thread(lambda: work(turn))
    told = followed(stubbed, turn)
    thread.join()
    assert "".join(event.data["text"] for event in told if event.kind == "text") == "香" * size


def test_a_turn_tried_again_is_followed_from_its_new_beginning(stubbed: Stubbed) -> None:
    stubbed.queue(cut("Half"), cut("Half"), text("Whole.", chunks=1))
    turn = stubbed.say("Hello.")
    before = followed(stubbed, turn)
    stubbed.retry(turn)
    after = followed(stubbed, turn)
    assert after[0].seq == before[-1].seq + 1
    assert [event.kind for event in after] == ["state", "state", "text", "message", "done"]
    assert followed(stubbed, turn, before[-1].seq) == after


def test_nobody_follows_a_strangers_turn(cast: Cast) -> None:
    turn = send(cast.alice, new_chat(cast.alice, new_agent(cast.alice)), "Hello.")
    for person in (cast.bob, cast.charlie):
        with pytest.raises(Turn.DoesNotExist):
            read_now(person.identity, turn.id, 0)
        with pytest.raises(Turn.DoesNotExist):
            wait(person.identity, turn.id, 1)


def test_it_waits_for_the_end_and_no_longer(stubbed: Stubbed) -> None:
    stubbed.queue(text("word " * 20, chunks=20, pause=0.02))
    turn = send(stubbed.person, stubbed.chat, "Hello.")
    assert not wait(stubbed.person.identity, turn.id, 0.2)
    thread = in_thread(lambda: work(turn))
    assert wait(stubbed.person.identity, turn.id, 180)
    thread.join()
    # Told, not found by looking again, which takes five seconds.
    assert stubbed.fresh(turn).status == Turn.Status.DONE
    assert wait(stubbed.person.identity, turn.id, 0)


def test_nothing_is_lost_when_the_listening_connection_is(stubbed: Stubbed) -> None:
    stubbed.queue(text("word " * 60, chunks=60, pause=0.05))
    turn = send(stubbed.person, stubbed.chat, "Hello.")
    told: list[Event] = []
    reader = in_thread(lambda: told.extend(followed(stubbed, turn)))
    worker = in_thread(lambda: work(turn))
    for _ in range(2):
        end_listener()
        time.sleep(0.3)
    worker.join(timeout=120)
    reader.join(timeout=120)
    assert told == read_now(stubbed.person.identity, turn.id, 0)
    assert "".join(event.data["text"] for event in told if event.kind == "text") == "word " * 60


def end_listener() -> None:
    """Terminate what listens, as soon as something does; a role may end its own connections."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with connections["default"].cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND application_name = %s",
                [NAME],
            )
            if cursor.fetchall():
                return
        time.sleep(0.05)
    raise AssertionError("nothing listened")


def test_one_follower_that_is_gone_does_not_silence_the_others(stubbed: Stubbed) -> None:
    turn = send(stubbed.person, stubbed.chat, "Hello.")

    async def leave() -> None:
        stream = follow(stubbed.person.identity, turn.id)
        async for event in stream:
            assert event is not None
            break  # without closing: the loop ends with the follower still subscribed

    asyncio.run(leave())
    heard: list[Any] = []
    stop = hub.subscribe(heard.append, str(turn.id))
    try:
        with stubbed.person.scope():
            EventLog(turn).write(events.text("Hello."))
        deadline = time.monotonic() + 60
        while not any(payload and payload.get("events") for payload in heard):
            assert time.monotonic() < deadline
            time.sleep(0.02)
    finally:
        stop()


def test_a_hub_forgets_who_left(stubbed: Stubbed) -> None:
    own = Hub()
    stop = own.subscribe(lambda payload: None, "a")
    assert own._followers
    stop()
    assert not own._followers


def test_events_are_written_in_a_scope_or_not_at_all(stubbed: Stubbed) -> None:
    turn = send(stubbed.person, stubbed.chat, "Hello.")
    with pytest.raises(NoScope):
        EventLog(turn).write(events.text("Hello."))


@pytest.mark.parametrize(
    ("payload", "after", "carried"),
    [
        (None, 0, None),
        ({"last": 9}, 0, None),
        ({"events": [[3, "text", {}]]}, 2, [3]),
        ({"events": [[3, "text", {}]]}, 1, None),
        ({"events": [[2, "text", {}], [3, "text", {}]]}, 2, [3]),
        ({"events": [[2, "text", {}]]}, 2, []),
    ],
)
def test_a_gap_sends_the_follower_to_the_table(
    payload: dict[str, Any] | None, after: int, carried: list[int] | None
) -> None:
    found = following.carried(payload, after)
    assert (None if found is None else [event.seq for event in found]) == carried
