"""Tool rules are held outside of the model, whatever it calls."""

import json

from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.ruled import FILE, LOOK, NOTE, SAY, of, refused, rule
from tests.agents.stubbed import Stubbed


def test_a_turn_begins_with_the_tool_that_runs_first(stubbed: Stubbed) -> None:
    rule(stubbed, of("run_first", "conversation_search"))
    stubbed.queue(calls(NOTE), calls(LOOK, NOTE), text("Noted."))
    turn = stubbed.say("I drink tea.")
    results = [json.loads(each) for each in stubbed.results(turn)]
    assert [each["status"] for each in results] == ["error", "ok", "ok"]
    assert results[0]["error"] == (
        "core_memory_append may not be called now. You may call: conversation_search."
    )
    assert stubbed.block("human").value == "Drinks tea."
    assert turn.status == "done"


def test_plain_words_do_not_pass_by_the_first_tool(stubbed: Stubbed) -> None:
    rule(stubbed, of("run_first", "conversation_search"))
    stubbed.queue(text("Hello."), calls(LOOK), text("Hello again."))
    turn = stubbed.say("Hello.")
    assert stubbed.answers(turn) == [("complete", "Hello."), ("complete", ""), ("complete", "Hello again.")]
    assert turn.status == "done"


def test_children_follow_their_parent(stubbed: Stubbed) -> None:
    rule(stubbed, of("constrain_child_tools", "conversation_search", children=["archival_memory_insert"]))
    stubbed.queue(calls(LOOK), calls(NOTE), calls(FILE), calls(NOTE), calls(SAY))
    turn = stubbed.say("I drink tea.")
    assert refused(stubbed.messages(turn)) == ["rule"]
    assert stubbed.block("human").value == "Drinks tea."
    assert turn.status == "done"


def test_children_come_right_after_their_parent_only(stubbed: Stubbed) -> None:
    rule(stubbed, of("parent_last_tool", "conversation_search", children=["archival_memory_insert"]))
    stubbed.queue(calls(FILE), calls(LOOK), calls(NOTE), calls(FILE), calls(SAY))
    turn = stubbed.say("I drink tea.")
    said = [json.loads(each).get("error", "") for each in stubbed.results(turn)]
    assert [bool(each) for each in said] == [True, False, True, False, False]
    assert "You may call: archival_memory_insert." in said[2]


def test_an_answer_says_which_tool_comes_next(stubbed: Stubbed) -> None:
    cases = {"0": "archival_memory_insert"}
    rule(
        stubbed,
        of("conditional", "conversation_search", child_output_mapping=cases, default_child="send_message"),
    )
    nothing = ("conversation_search", {"query": "zeppelin"})
    stubbed.queue(calls(nothing), calls(SAY), calls(FILE), calls(LOOK), calls(NOTE), calls(SAY))
    turn = stubbed.say("Is tea at four?")
    results = [json.loads(each) for each in stubbed.results(turn)]
    assert results[0]["results"] == []
    assert "You may call: archival_memory_insert." in results[1]["error"]
    assert "You may call: send_message." in results[4]["error"]
    assert refused(stubbed.messages(turn)) == ["rule", "rule"]


def test_a_strict_condition_without_a_case_leaves_plain_words(stubbed: Stubbed) -> None:
    rule(
        stubbed,
        of(
            "conditional",
            "core_memory_append",
            child_output_mapping={"proposed": "send_message"},
            require_output_mapping=True,
        ),
    )
    stubbed.queue(calls(NOTE), calls(LOOK), text("It is saved."))
    turn = stubbed.say("I drink tea.")
    assert "nor any other tool" in json.loads(stubbed.results(turn)[1])["error"]
    assert turn.status == "done"


def test_a_failed_call_does_not_count(stubbed: Stubbed) -> None:
    rule(stubbed, of("required_before_exit", "core_memory_append"))
    wrong = ("core_memory_append", {"label": "nobody", "content": "Drinks tea."})
    stubbed.queue(calls(wrong), calls(SAY), calls(NOTE), text("Now it is."))
    turn = stubbed.say("I drink tea.")
    assert [each.role for each in stubbed.messages(turn)][-1] == "assistant"
    assert stubbed.block("human").value == "Drinks tea."
    assert turn.status == "done"


def test_a_tool_runs_no_more_often_than_it_may(stubbed: Stubbed) -> None:
    rule(stubbed, of("max_count_per_step", "archival_memory_insert", max_count_limit=1))
    second = ("archival_memory_insert", {"content": "Coffee is at ten."})
    stubbed.queue(calls(FILE, second), text("One is enough."), calls(second), text("Another turn."))
    turn = stubbed.say("File it.")
    assert refused(stubbed.messages(turn)) == ["rule"]
    assert refused(stubbed.messages(stubbed.say("And this."))) == []


def test_a_turn_does_not_end_before_what_is_required(stubbed: Stubbed) -> None:
    rule(stubbed, of("required_before_exit", "core_memory_append"))
    stubbed.queue(calls(SAY), text("Really."), calls(NOTE), calls(SAY))
    turn = stubbed.say("I drink tea.")
    assert turn.status == "done"
    assert len(stubbed.answers(turn)) == 4


def test_a_model_that_will_not_do_what_is_required_ends_the_turn_in_words(stubbed: Stubbed) -> None:
    rule(stubbed, of("required_before_exit", "core_memory_append"))
    stubbed.queue(text("One."), text("Two."), text("Three."))
    turn = stubbed.say("I drink tea.")
    assert (turn.status, turn.error_kind) == ("failed", "tool_rules")
    assert turn.error_text == "It did not call what its tool rules ask for: core_memory_append."
    stubbed.queue(calls(NOTE), text("Four."))
    stubbed.retry(turn)
    assert stubbed.fresh(turn).status == "done"


def test_a_tool_that_ends_the_turn_ends_it(stubbed: Stubbed) -> None:
    rule(stubbed, of("exit_loop", "core_memory_append"))
    stubbed.queue(calls(LOOK), calls(NOTE))
    turn = stubbed.say("I drink tea.")
    assert turn.status == "done"
    assert [each.role for each in stubbed.messages(turn)][-1] == "tool"


def test_a_tool_that_failed_does_not_end_the_turn(stubbed: Stubbed) -> None:
    rule(stubbed, of("exit_loop", "core_memory_append"))
    wrong = ("core_memory_append", {"label": "nobody", "content": "Drinks tea."})
    stubbed.queue(calls(wrong), text("There is no such block."))
    assert stubbed.answers(stubbed.say("I drink tea."))[-1] == ("complete", "There is no such block.")


def test_speaking_does_not_end_a_turn_that_is_to_go_on(stubbed: Stubbed) -> None:
    rule(stubbed, of("continue_loop", "send_message"), of("exit_loop", "memory_finish_edits"))
    stubbed.queue(calls(SAY), calls(NOTE), calls(("memory_finish_edits", {})))
    turn = stubbed.say("I drink tea.")
    assert turn.status == "done"
    assert stubbed.answers(turn)[0] == ("complete", "Done.")
    assert stubbed.block("human").value == "Drinks tea."


def test_request_heartbeat_of_old_clients_says_nothing(stubbed: Stubbed) -> None:
    name, arguments = NOTE
    stubbed.queue(calls((name, arguments | {"request_heartbeat": False})), text("Noted."))
    turn = stubbed.say("I drink tea.")
    assert stubbed.answers(turn)[-1] == ("complete", "Noted.")


def test_the_schemas_stay_the_same_bytes_whatever_may_be_called(stubbed: Stubbed) -> None:
    stubbed.queue(text("Hello."))
    stubbed.say("Hello.")
    free = stubbed.request()["tools"]
    rule(stubbed, of("run_first", "conversation_search"))
    stubbed.queue(calls(LOOK), text("Hello again."))
    stubbed.say("Hello again.")
    assert stubbed.request(-2)["tools"] == stubbed.request(-1)["tools"] == free
