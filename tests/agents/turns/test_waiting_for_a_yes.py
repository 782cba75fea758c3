"""A tool that needs a person's yes waits for it, and the turn with it."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from agents import services
from agents.events import Event
from agents.models import Approval, Turn
from agents.tasks import sweep_approvals
from agents.turns import approvals
from agents.turns.approvals import BadArguments, DecidedAlready
from memory.models import Message
from tenants.models import AuditEvent
from tests.agents.asking import decide, waiting
from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.ruled import FILE, LOOK, NOTE, SAY, of, refused, rule
from tests.agents.stubbed import Stubbed
from tests.cast import send, work

ASKS = of("requires_approval", "core_memory_append")
OTHER = ("core_memory_append", {"label": "human", "content": "Has a cat."})


@pytest.fixture
def asking(stubbed: Stubbed) -> Stubbed:
    """Alice's agent asks before it writes core memory."""
    rule(stubbed, ASKS)
    return stubbed


def kinds(events: list[Event]) -> list[str]:
    return [event.kind for event in events]


def test_the_turn_waits_and_has_no_worker(asking: Stubbed) -> None:
    asking.queue(calls(NOTE, said="I would like to note that."))
    turn = send(asking.person, asking.chat, "I drink tea.")
    events = work(turn)
    assert kinds(events)[-2:] == ["approval", "state"]
    assert events[-1].data == {"status": "awaiting"}
    (approval,) = waiting(asking, turn)
    assert events[-2].data["approval"] == str(approval.id)
    assert json.loads(approval.arguments) == NOTE[1]
    now = asking.fresh(turn)
    assert (now.status, now.lease_until, now.ended_at) == (Turn.Status.AWAITING, None, None)
    assert work(turn) == []
    assert asking.block("human").value == ""


def test_a_yes_runs_it_and_the_turn_goes_on(asking: Stubbed) -> None:
    asking.queue(calls(NOTE), text("Noted."))
    turn = asking.say("I drink tea.")
    (approval,) = waiting(asking, turn)
    decide(asking.person, approvals.approve, approval)
    events = work(turn)
    assert "restart" not in kinds(events)
    assert kinds(events)[-1] == "done"
    assert asking.block("human").value == "Drinks tea."
    ended = asking.fresh(turn)
    assert (ended.status, ended.attempt) == (Turn.Status.DONE, 1)
    assert asking.answers(turn)[-1] == ("complete", "Noted.")


def test_a_no_is_told_to_the_model_with_its_note(asking: Stubbed) -> None:
    asking.queue(calls(NOTE), text("As you wish."))
    turn = asking.say("I drink tea.")
    decide(asking.person, approvals.reject, waiting(asking, turn)[0], note="Not your business.")
    work(turn)
    (said,) = [json.loads(each) for each in asking.results(turn)]
    assert (said["status"], said["code"], said["note"]) == ("error", "rejected", "Not your business.")
    assert said["error"].startswith("Alice said no")
    assert asking.block("human").value == ""
    assert refused(asking.messages(turn)) == ["rejected"]


def test_edited_arguments_run_and_the_model_hears_of_them(asking: Stubbed) -> None:
    asking.queue(calls(NOTE), text("Noted."))
    turn = asking.say("I drink tea.")
    changed = NOTE[1] | {"content": "Drinks green tea."}
    decide(asking.person, approvals.approve, waiting(asking, turn)[0], arguments=changed)
    work(turn)
    assert asking.block("human").value == "Drinks green tea."
    (said,) = [json.loads(each) for each in asking.results(turn)]
    assert (said["status"], said["ran_with"]["content"]) == ("ok", "Drinks green tea.")
    assert said["edited_by"] == "Alice"


@pytest.mark.parametrize(
    "wrong", [{"label": "human"}, {"label": 3, "content": []}, NOTE[1] | {"colour": "green"}]
)
def test_edited_arguments_have_to_be_such_as_the_tool_takes(asking: Stubbed, wrong: dict[str, Any]) -> None:
    asking.queue(calls(NOTE), text("Noted."))
    turn = asking.say("I drink tea.")
    (approval,) = waiting(asking, turn)
    with pytest.raises(BadArguments):
        decide(asking.person, approvals.approve, approval, arguments=wrong)
    assert asking.fresh(turn).status == Turn.Status.AWAITING
    decide(asking.person, approvals.approve, approval, arguments=NOTE[1])
    work(turn)
    assert "ran_with" not in asking.results(turn)[0]


def test_what_is_wrong_anyway_is_not_asked_about(asking: Stubbed) -> None:
    asking.queue(calls(("core_memory_append", {"label": "human"})), text("I was wrong."))
    turn = asking.say("I drink tea.")
    assert turn.status == Turn.Status.DONE
    assert "The arguments are wrong" in asking.results(turn)[0]


def test_it_is_decided_once(asking: Stubbed) -> None:
    asking.queue(calls(NOTE), text("Noted."))
    turn = asking.say("I drink tea.")
    (approval,) = waiting(asking, turn)
    decide(asking.person, approvals.approve, approval)
    for action in (approvals.approve, approvals.reject):
        with pytest.raises(DecidedAlready):
            decide(asking.person, action, approval)
    work(turn)
    assert asking.block("human").value == "Drinks tea."


def test_of_several_calls_those_before_it_run_and_those_after_it_wait(asking: Stubbed) -> None:
    asking.queue(calls(FILE, NOTE, LOOK, OTHER, SAY), text("not reached"))
    turn = asking.say("I drink tea.")
    assert [each.name for each in asking.messages(turn) if each.role == "tool"] == ["archival_memory_insert"]
    first, second = waiting(asking, turn)
    decide(asking.person, approvals.approve, second)
    assert asking.fresh(turn).status == Turn.Status.AWAITING
    assert work(turn) == []
    decide(asking.person, approvals.reject, first)
    work(turn)
    assert asking.block("human").value == "Has a cat."
    names = [each.name for each in asking.messages(turn) if each.role == "tool"]
    assert names == [FILE[0], NOTE[0], LOOK[0], OTHER[0], SAY[0]]
    assert asking.fresh(turn).status == Turn.Status.DONE


def test_a_turn_can_wait_several_times_and_its_steps_are_counted_together(asking: Stubbed) -> None:
    rule(asking, ASKS, steps_max=3)
    several = [
        ("core_memory_append", {"label": "human", "content": f"Fact {number}."}) for number in range(4)
    ]
    asking.queue(*map(calls, several))
    turn = asking.say("Listen.")
    for _ in range(3):
        assert asking.fresh(turn).status == Turn.Status.AWAITING
        decide(asking.person, approvals.approve, waiting(asking, turn)[0])
        work(turn)
    ended = asking.fresh(turn)
    assert (ended.status, ended.error_kind, ended.attempt) == (Turn.Status.FAILED, "step_limit", 1)
    assert asking.block("human").value == "Fact 0.\nFact 1.\nFact 2."


def test_messages_that_are_sent_meanwhile_wait_in_line(asking: Stubbed) -> None:
    asking.queue(calls(NOTE), text("Noted."), text("A cat, too."))
    turn = asking.say("I drink tea.")
    later = send(asking.person, asking.chat, "And I have a cat.")
    assert work(later) == []
    decide(asking.person, approvals.approve, waiting(asking, turn)[0])
    assert work(later) == []
    work(turn)
    work(later)
    assert [each.role for each in asking.messages()] == (
        ["user", "assistant", "tool", "assistant", "user", "assistant"]
    )


def test_a_number_from_a_slow_clock_does_not_come_in_between(asking: Stubbed) -> None:
    """Two web processes number turns by clocks of their own."""
    asking.queue(calls(NOTE), text("Noted."), text("Hello."))
    earlier = send(asking.person, asking.chat, "Hello.")
    turn = send(asking.person, asking.chat, "I drink tea.")
    with asking.person.scope():
        Turn.objects.filter(id=earlier.id).update(status="stopped")
    work(turn)
    with asking.person.scope():
        Turn.objects.filter(id=earlier.id).update(status="queued")
    assert work(earlier) == []
    decide(asking.person, approvals.approve, waiting(asking, turn)[0])
    assert work(earlier) == []
    assert kinds(work(turn))[-1] == "done"
    assert kinds(work(earlier))[-1] == "done"


def test_a_stop_ends_a_turn_that_waits(asking: Stubbed) -> None:
    asking.queue(calls(FILE, NOTE, OTHER), text("Hello again."))
    turn = asking.say("I drink tea.")
    decide(asking.person, approvals.approve, waiting(asking, turn)[0])
    with asking.person.scope():
        stopped = services.stop_turn(turn.id)
    assert (stopped.status, len(waiting(asking, turn, "cancelled"))) == (Turn.Status.STOPPED, 1)
    assert refused(asking.messages(turn)) == ["ended", "ended"]
    assert work(turn) == []
    assert asking.say("Hello.").status == Turn.Status.DONE
    assert asking.block("human").value == ""


def test_a_stop_between_the_yes_and_the_worker_leaves_no_call_open(asking: Stubbed) -> None:
    asking.queue(calls(NOTE), text("Hello again."))
    turn = asking.say("I drink tea.")
    decide(asking.person, approvals.approve, waiting(asking, turn)[0])
    with asking.person.scope():
        services.stop_turn(turn.id)
    assert refused(asking.messages(turn)) == ["ended"]
    assert asking.say("Hello.").status == Turn.Status.DONE


def test_nobody_says_anything_and_the_model_hears_of_that(asking: Stubbed) -> None:
    rule(asking, ASKS, approval_hours=5)
    asking.queue(calls(NOTE), text("Then not."))
    turn = asking.say("I drink tea.")
    (approval,) = waiting(asking, turn)
    assert approval.expires_at - approval.created_at > timedelta(hours=4, minutes=59)
    sweep_now()
    assert waiting(asking, turn) == [approval]
    with asking.person.scope():
        Approval.objects.filter(id=approval.id).update(expires_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(DecidedAlready):
        decide(asking.person, approvals.approve, approval)
    sweep_now()
    work(turn)
    assert refused(asking.messages(turn)) == ["expired"]
    assert json.loads(asking.results(turn)[0])["code"] == "expired"
    assert asking.answers(turn)[-1] == ("complete", "Then not.")


def sweep_now() -> None:
    """The beat's sweep, with what it sends done here."""
    from memsite.celery import app

    app.conf.task_always_eager = True
    try:
        sweep_approvals()
    finally:
        app.conf.task_always_eager = False


def test_a_rule_that_is_taken_away_meanwhile_changes_nothing(asking: Stubbed) -> None:
    asking.queue(calls(NOTE), text("As you wish."))
    turn = asking.say("I drink tea.")
    rule(asking)
    decide(asking.person, approvals.reject, waiting(asking, turn)[0])
    work(turn)
    assert asking.block("human").value == ""


def test_a_yes_does_not_pass_by_the_other_rules(asking: Stubbed) -> None:
    asking.queue(calls(NOTE), text("Not so fast."))
    turn = asking.say("I drink tea.")
    rule(asking, of("max_count_per_step", "core_memory_append", max_count_limit=0))
    decide(asking.person, approvals.approve, waiting(asking, turn)[0])
    work(turn)
    assert refused(asking.messages(turn)) == ["rule"]
    assert asking.block("human").value == ""


def test_it_is_in_the_audit_log_without_a_word_of_the_call(asking: Stubbed) -> None:
    asking.queue(calls(NOTE), text("Noted."))
    turn = asking.say("I drink tea.")
    (approval,) = waiting(asking, turn)
    decide(asking.person, approvals.approve, approval, arguments=NOTE[1] | {"content": "Green."})
    with asking.person.scope():
        event = AuditEvent.objects.get(action="approval.approved", object_id=approval.id)
    assert (event.object_name, event.details) == ("core_memory_append", {"edited": True})


def test_a_message_that_waits_with_it_is_kept(asking: Stubbed) -> None:
    asking.queue(calls(NOTE))
    turn = asking.say("I drink tea.")
    with asking.person.scope():
        assert services.retry_turn(turn.id).status == Turn.Status.AWAITING
        assert Message.objects.get(id=turn.message_id).position == 1
