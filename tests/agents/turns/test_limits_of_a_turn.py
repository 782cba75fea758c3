"""A turn has so many steps and tokens, and a model that goes round in circles is noticed."""

import json

import pytest

from agents.web.failures import sentence
from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.ruled import LOOK, NOTE, refused, rule
from tests.agents.stubbed import Stubbed


def test_the_agents_own_number_of_steps_counts(stubbed: Stubbed) -> None:
    rule(stubbed, steps_max=2)
    searches = [calls(("conversation_search", {"query": word})) for word in ("tea", "milk", "sugar")]
    stubbed.queue(*searches)
    turn = stubbed.say("What do I drink?")
    assert (turn.status, turn.error_kind, turn.error_text) == (
        "failed",
        "step_limit",
        "No answer in 2 steps.",
    )
    assert len(stubbed.steps(turn)) == 2
    stubbed.queue(text("Tea."))
    stubbed.retry(turn)
    assert stubbed.fresh(turn).status == "done"


def test_the_tokens_of_all_steps_together_are_bounded(stubbed: Stubbed) -> None:
    stubbed.queue(calls(LOOK), text("Tea."))
    first = stubbed.say("What do I drink?")
    used = [step.prompt_tokens + step.completion_tokens for step in stubbed.steps(first)]
    assert len(used) == 2
    assert used[0] > 0
    rule(stubbed, tokens_max=used[0] + 1)
    stubbed.queue(calls(LOOK), calls(NOTE), text("Tea."))
    turn = stubbed.say("And now?")
    assert (turn.status, turn.error_kind) == ("failed", "token_limit")
    assert turn.error_text == f"No answer within {used[0] + 1:,} tokens; {sum(used):,} were used."
    assert len(stubbed.steps(turn)) == 2


def test_the_same_call_runs_twice_and_then_the_model_is_told(stubbed: Stubbed) -> None:
    again = ("conversation_search", '{ "query": "tea", "request_heartbeat": true }')
    stubbed.queue(calls(LOOK), calls(again), calls(LOOK), text("I looked twice."))
    turn = stubbed.say("What do I drink?")
    assert turn.status == "done"
    assert refused(stubbed.messages(turn)) == ["repeated"]
    last = json.loads(stubbed.results(turn)[-1])
    assert (last["status"], last["code"]) == ("error", "repeated")


def test_other_arguments_are_another_call(stubbed: Stubbed) -> None:
    words = ("tea", "milk", "tea", "milk", "sugar")
    stubbed.queue(*(calls(("conversation_search", {"query": word})) for word in words), text("All of it."))
    assert refused(stubbed.messages(stubbed.say("What do I drink?"))) == []


def test_many_at_once_are_told_once(stubbed: Stubbed) -> None:
    stubbed.queue(calls(*[LOOK] * 6), text("I looked."))
    turn = stubbed.say("What do I drink?")
    assert refused(stubbed.messages(turn)) == ["repeated"] * 4
    assert turn.status == "done"


def test_a_model_that_goes_on_ends_the_turn(stubbed: Stubbed) -> None:
    stubbed.queue(*[calls(LOOK)] * 5)
    turn = stubbed.say("What do I drink?")
    assert (turn.status, turn.error_kind) == ("failed", "repeating")
    assert turn.error_text == "It called conversation_search with the same arguments again and again."
    assert refused(stubbed.messages(turn)) == ["repeated", "repeated", "ended"]
    stubbed.queue(calls(LOOK), text("Tea."))
    stubbed.retry(turn)
    assert stubbed.fresh(turn).status == "done"


@pytest.mark.parametrize("kind", ["step_limit", "token_limit", "repeating", "tool_rules"])
def test_each_end_has_words_that_help(kind: str) -> None:
    assert sentence(kind) != sentence("internal")


def test_an_answer_knows_how_long_its_tool_took(stubbed: Stubbed) -> None:
    stubbed.queue(calls(LOOK), text("Tea."))
    turn = stubbed.say("What do I drink?")
    (answer,) = [each for each in stubbed.messages(turn) if each.role == "tool"]
    assert answer.detail["ms"] > 0
    assert "detail" not in json.dumps(stubbed.request())
