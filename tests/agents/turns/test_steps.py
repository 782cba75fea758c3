"""Every model call is a step, with its model, tokens, time and outcome."""

from agents.models import Turn
from tests.agents.llm.stub_behaviours import USAGE, Behaviour, calls, chunk, chunks, cut, text
from tests.agents.stubbed import Stubbed

NOTE = ("core_memory_append", {"label": "human", "content": "Drinks tea."})


def used(prompt: int, completion: int) -> Behaviour:
    usage = {"choices": [], "usage": {"prompt_tokens": prompt, "completion_tokens": completion}}
    return chunks(chunk({"content": "Yes."}), chunk({}, "stop"), usage)


def test_it_stores_each_call(stubbed: Stubbed) -> None:
    stubbed.queue(calls(NOTE), text("Tea, I see.", finish="length"))
    first, second = stubbed.steps(stubbed.say("I drink tea."))
    assert [first.number, second.number] == [1, 2]
    assert {first.model_name, second.model_name} == {"stub"}
    assert first.prompt_tokens == USAGE["prompt_tokens"]
    assert second.completion_tokens == USAGE["completion_tokens"]
    assert [first.finish_reason, second.finish_reason] == ["tool_calls", "length"]
    assert first.seconds > 0
    assert first.error_kind == ""


def test_it_stores_a_call_that_failed_too(stubbed: Stubbed) -> None:
    stubbed.queue(cut("Half"), text("Whole."))
    first, second = stubbed.steps(stubbed.say("Hello."))
    assert (first.error_kind, bool(first.error_text), first.number) == ("cut_off", True, 1)
    assert (second.error_kind, second.number) == ("", 2)


def test_it_bounds_figures_that_no_server_can_mean(stubbed: Stubbed) -> None:
    stubbed.queue(used(10**15, -5))
    turn = stubbed.say("Hello.")
    (step,) = stubbed.steps(turn)
    assert (step.prompt_tokens, step.completion_tokens) == (2**31 - 1, 0)
    assert turn.status == Turn.Status.DONE
