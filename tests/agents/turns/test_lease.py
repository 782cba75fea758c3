"""A turn has one worker at a time; one that lost its lease writes nothing more."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import IntegrityError, connections
from django.utils import timezone

from agents import roster, services
from agents.models import Turn, TurnEvent
from agents.turns import lease, points
from agents.turns.lease import LeaseLost
from agents.turns.loop import run_turn
from agents.turns.work import Work
from tenants import services as organisations
from tenants.models import WorkspaceMember
from tenants.scope import RowKey, scope
from tests.agents.llm.stub_behaviours import MEMORY_NOTE, calls, hang_after, memory_then_text, text
from tests.agents.stubbed import Stubbed, make_stubbed, stub_model
from tests.cast import Cast, new_agent, new_chat, send, work


def key_of(turn: Turn) -> RowKey:
    return RowKey(turn.tenant_id, turn.workspace_id, turn.id)


def expire(stubbed: Stubbed, turn: Turn) -> None:
    """As if the worker had been silent for longer than its lease."""
    with stubbed.person.scope():
        Turn.objects.filter(id=turn.id).update(lease_until=timezone.now() - timedelta(seconds=1))


@pytest.fixture
def at_point() -> Iterator[object]:
    """Call something when a turn reaches a point, once."""
    watchers = []

    def do(point: str, action: object) -> None:
        left = [action]

        def watch(reached: str) -> None:
            if reached == point and left:
                left.pop()()  # type: ignore[operator]

        watchers.append(watch)
        points.watch(watch)

    yield do
    for watcher in watchers:
        points._watch.remove(watcher)


def test_a_turn_that_runs_is_not_claimed_again(stubbed: Stubbed) -> None:
    turn = send(stubbed.person, stubbed.chat, "Hello.")
    assert lease.claim(key_of(turn)) is not None
    assert lease.claim(key_of(turn)) is None
    assert work(turn) == []


def test_one_turn_of_a_conversation_runs_at_a_time(stubbed: Stubbed) -> None:
    first, second = (send(stubbed.person, stubbed.chat, words) for words in ("First.", "Second."))
    assert lease.claim(key_of(second)) is None
    assert lease.claim(key_of(first)) is not None
    assert lease.claim(key_of(second)) is None
    assert stubbed.fresh(second).status == Turn.Status.QUEUED


def test_the_database_holds_one_running_turn_per_conversation(stubbed: Stubbed) -> None:
    for words in ("First.", "Second."):
        send(stubbed.person, stubbed.chat, words)
    with pytest.raises(IntegrityError), stubbed.person.scope():
        Turn.objects.filter(conversation_id=stubbed.chat.conversation_id).update(status="running")


@pytest.mark.parametrize("point", points.ALL)
def test_a_worker_that_lost_its_lease_writes_nothing_more(
    stubbed: Stubbed, at_point: object, point: str
) -> None:
    stubbed.queue(*[memory_then_text("Tea, I see. " * 20)] * 4)
    turn = send(stubbed.person, stubbed.chat, "I drink tea.")

    def take_over() -> None:
        expire(stubbed, turn)
        assert work(turn)[-1].data["status"] == "done"

    at_point(point, take_over)  # type: ignore[operator]
    events = work(turn)
    assert "done" not in {event.kind for event in events}
    assert stubbed.block("human").value == MEMORY_NOTE
    assert [each.role for each in stubbed.messages()] == ["user", "assistant", "tool", "assistant"]
    with stubbed.person.scope():
        written = list(TurnEvent.objects.filter(turn=turn).order_by("seq").values_list("seq", "kind"))
    assert [seq for seq, _ in written] == list(range(1, len(written) + 1))
    assert [kind for _, kind in written].count("done") == 1
    assert written[-1][1] == "done"


def test_it_refuses_every_write_without_a_lease(stubbed: Stubbed) -> None:
    turn = send(stubbed.person, stubbed.chat, "Hello.")
    claimed = lease.claim(key_of(turn))
    assert claimed is not None
    held = Work(claimed)
    held.load()
    expire(stubbed, turn)
    assert lease.claim(key_of(turn)) is not None
    for write in (held.begin, held.compile, held.rescue, lambda: held.end("done")):
        with pytest.raises(LeaseLost):
            write()


def test_a_lease_that_ran_out_is_taken_over_though_an_earlier_message_waits(stubbed: Stubbed) -> None:
    """Two web processes number messages by clocks of their own: an earlier number may come later."""
    stubbed.queue(text("To one."), text("To the other."))
    earlier, later = (send(stubbed.person, stubbed.chat, words) for words in ("Earlier.", "Later."))
    with stubbed.person.scope():
        Turn.objects.filter(id=later.id).update(status="running", lease_until=timezone.now(), attempt=1)
    assert work(later)[-1].kind == "done"
    assert work(earlier)[-1].kind == "done"


def test_it_gives_up_after_three_workers_died_and_keeps_what_was_said(stubbed: Stubbed) -> None:
    turn = send(stubbed.person, stubbed.chat, "Hello.")
    for number in range(3):
        stubbed.queue(hang_after(f"Half a sentence, for the {number + 1}. time"))
        generator = run_turn(key_of(turn))
        assert any(event.kind == "text" for event in generator)
        generator.close()  # type: ignore[attr-defined]
        expire(stubbed, turn)
    events = work(turn)
    assert [event.kind for event in events] == ["message", "error", "done"]
    assert events[-1].data["status"] == "interrupted"
    assert stubbed.answers(turn) == [("interrupted", "Half a sentence, for the 3. time")]
    ended = stubbed.fresh(turn)
    assert (ended.status, ended.error_kind) == (Turn.Status.INTERRUPTED, "interrupted")
    stubbed.queue(text("A whole one."))
    stubbed.retry(turn)
    assert stubbed.answers(turn)[-1] == ("complete", "A whole one.")


def test_a_stop_is_heeded_by_the_worker_that_takes_over(stubbed: Stubbed) -> None:
    turn = send(stubbed.person, stubbed.chat, "Hello.")
    stubbed.queue(hang_after("Half a sentence"))
    generator = run_turn(key_of(turn))
    assert any(event.kind == "text" for event in generator)
    generator.close()  # type: ignore[attr-defined]
    with stubbed.person.scope():
        services.stop_turn(turn.id)
    expire(stubbed, turn)
    assert work(turn)[-1].data["status"] == "stopped"
    assert stubbed.answers(turn) == [("stopped", "Half a sentence")]
    assert stubbed.server.count == 1


def test_a_turn_whose_person_was_sent_away_ends_in_a_stated_way(cast: Cast) -> None:
    cast.let_bob_in()
    agent = new_agent(cast.alice, cast.team)
    turn = send(cast.bob, new_chat(cast.bob, agent, cast.team), "Hello.")
    with cast.alice.scope():
        WorkspaceMember.objects.filter(workspace_id=cast.team, user_id=cast.bob.user.id).delete()
    events = work(turn)
    assert [event.kind for event in events] == ["error", "done"]
    assert events[0].data["kind"] == "no_access"
    assert work(turn) == []


def test_a_private_chat_with_an_agent_that_was_taken_away_ends_so_too(cast: Cast) -> None:
    cast.let_bob_in()
    turn = send(cast.bob, new_chat(cast.bob, new_agent(cast.alice, cast.team)), "Hello.")
    with cast.alice.scope():
        WorkspaceMember.objects.filter(workspace_id=cast.team, user_id=cast.bob.user.id).delete()
    assert work(turn)[-2].data["kind"] == "no_access"


def test_a_turn_reaches_no_further_than_its_conversation(cast: Cast) -> None:
    agent = new_agent(cast.alice, cast.team)
    private = send(cast.alice, new_chat(cast.alice, agent), "Hello.")
    shared = send(cast.alice, new_chat(cast.alice, agent, cast.team), "Hello.")
    wide = {cast.team, cast.organisation}
    for turn, workspaces in ((private, wide | {cast.alice.personal}), (shared, wide)):
        claimed = lease.claim(key_of(turn))
        assert claimed is not None
        with scope(claimed.identity) as reached:
            assert set(reached.workspaces) == workspaces


def test_the_sweep_finds_what_was_lost_and_leaves_the_rest(stubbed: Stubbed) -> None:
    turns = {
        name: send(stubbed.person, make_stubbed(stubbed.person, stubbed.server).chat, name)
        for name in ("lost", "fresh", "running", "dead", "done")
    }
    behind = send(stubbed.person, turns["running"].context, "behind")
    ago = timezone.now() - timedelta(seconds=60)
    with stubbed.person.scope():
        Turn.objects.filter(id__in=[turns["lost"].id, behind.id]).update(created_at=ago)
        Turn.objects.filter(id=turns["running"].id).update(
            status="running", lease_until=timezone.now() + timedelta(seconds=60)
        )
        Turn.objects.filter(id=turns["dead"].id).update(status="running", lease_until=ago)
        Turn.objects.filter(id=turns["done"].id).update(status="done", created_at=ago)
    with connections["default"].cursor() as cursor:
        cursor.execute("SELECT turn FROM turns_left_alone('2 seconds')")
        left = {row[0] for row in cursor.fetchall()}
    ours = {turn.id: name for name, turn in turns.items()} | {behind.id: "behind"}
    assert {ours[turn] for turn in left & ours.keys()} == {"lost", "dead"}


def test_what_lies_in_a_closed_workspace_waits_until_it_is_opened_again(cast: Cast) -> None:
    turn = send(cast.alice, new_chat(cast.alice, new_agent(cast.alice, cast.team), cast.team), "Hello.")
    with cast.alice.scope():
        Turn.objects.filter(id=turn.id).update(created_at=timezone.now() - timedelta(seconds=60))

    def is_left() -> bool:
        with connections["default"].cursor() as cursor:
            cursor.execute("SELECT count(*) FROM turns_left_alone('2 seconds') WHERE turn = %s", [turn.id])
            return bool(cursor.fetchone()[0])

    assert is_left()
    with cast.alice.scope():
        organisations.close_workspace(workspace_id=cast.team)
    assert not is_left()
    assert work(turn) == []
    with cast.alice.scope():
        organisations.reopen_workspace(workspace_id=cast.team)
    assert is_left()
    assert work(turn)[-1].data["status"] == "done"


def test_a_model_can_be_changed_in_the_middle_of_a_turn(stubbed: Stubbed, at_point: object) -> None:
    stubbed.queue(calls(("conversation_search", {"query": "tea"})), text("Nothing."))
    other = stub_model(stubbed.person, stubbed.server.url, name="another", window=8_000)

    def change() -> None:
        with stubbed.person.scope():
            fields = roster.AgentFields(model_id=other.id)
            roster.update_agent(stubbed.agent.id, fields)

    at_point("tool-committed", change)  # type: ignore[operator]
    turn = stubbed.say("Look for tea.")
    assert [step.model_name for step in stubbed.steps(turn)] == ["stub", "another"]
    assert [request.json["model"] for request in stubbed.server.requests] == ["stub", "another"]
    assert "of 8000 tokens" in stubbed.request()["messages"][-1]["content"]
