"""The ways in which models answer, and when a turn is over."""

import json

import pytest

from agents.models import Turn
from tests.agents.llm.stub_behaviours import call_piece, calls, chunk, chunks, memory_then_text, text, whole
from tests.agents.stubbed import Stubbed, shown

SAY = ("send_message", {"message": "Good day, 李雷."})
NOTE = ("core_memory_append", {"label": "human", "content": "Drinks tea."})
LOOK = ("conversation_search", {"query": "tea"})


def spoken(stubbed: Stubbed, turn: Turn) -> list[str]:
    return [content for _, content in stubbed.answers(turn) if content]


@pytest.mark.parametrize("behaviour", [text("Good day, 李雷."), calls(SAY), whole("Good day, 李雷.")])
def test_it_ends_when_the_agent_has_spoken(stubbed: Stubbed, behaviour: object) -> None:
    stubbed.queue(behaviour)  # type: ignore[arg-type]
    turn = stubbed.say("Hello.")
    assert turn.status == Turn.Status.DONE
    assert spoken(stubbed, turn) == ["Good day, 李雷."]
    assert stubbed.server.count == 1


def test_it_calls_the_model_again_after_a_tool(stubbed: Stubbed) -> None:
    stubbed.queue(calls(NOTE), calls(LOOK), calls(SAY))
    turn = stubbed.say("I drink tea.")
    assert [json.loads(each)["status"] for each in stubbed.results(turn)] == ["ok"] * 3
    assert stubbed.block("human").value == "Drinks tea."
    assert spoken(stubbed, turn) == ["Good day, 李雷."]


def test_a_write_is_in_the_next_call_of_the_same_turn(stubbed: Stubbed) -> None:
    stubbed.queue(memory_then_text("Good day."))
    stubbed.queue(memory_then_text("Good day."))
    stubbed.say("Hello.")
    before, after = (request.json["messages"][0]["content"] for request in stubbed.server.requests)
    assert "The stub was here." not in before
    assert "<value>\nThe stub was here.\n</value>" in after


def test_it_runs_two_calls_of_one_answer_in_order(stubbed: Stubbed) -> None:
    replace = ("core_memory_replace", {"label": "human", "old_content": "tea", "new_content": "rice"})
    stubbed.queue(calls(NOTE, replace), text("Done."))
    turn = stubbed.say("I drink tea.")
    assert stubbed.block("human").value == "Drinks rice."
    first, second = (json.loads(each) for each in stubbed.results(turn))
    assert (first["version"], second["version"]) == (2, 3)


def test_it_speaks_and_writes_in_one_answer(stubbed: Stubbed) -> None:
    stubbed.queue(calls(NOTE, SAY))
    turn = stubbed.say("I drink tea.")
    assert (turn.status, stubbed.block("human").value) == (Turn.Status.DONE, "Drinks tea.")
    assert spoken(stubbed, turn) == ["Good day, 李雷."]


def test_it_goes_on_after_words_beside_a_tool_call(stubbed: Stubbed) -> None:
    stubbed.queue(calls(NOTE, said="One moment."), text("Noted."))
    turn = stubbed.say("I drink tea.")
    assert spoken(stubbed, turn) == ["One moment.", "Noted."]


def test_it_is_content_with_words_beside_a_tool_call_where_none_follow(stubbed: Stubbed) -> None:
    stubbed.queue(calls(NOTE, said="I see, tea."), text(""), text(""))
    turn = stubbed.say("I drink tea.")
    assert (turn.status, turn.error_kind) == (Turn.Status.DONE, "")
    assert spoken(stubbed, turn) == ["I see, tea."]


def test_it_joins_plain_text_and_two_sent_messages(stubbed: Stubbed) -> None:
    first, second = ("send_message", {"message": "First."}), ("send_message", {"message": "Second."})
    stubbed.queue(calls(first, second, said="Well."))
    events = stubbed.events("Hello.")
    streamed = "".join(event.data["text"] for event in events if event.kind == "text")
    assert streamed == "Well.\n\nFirst.\n\nSecond."
    assert "restart" not in {event.kind for event in events}


def test_it_tells_the_model_of_a_tool_that_is_not_there(stubbed: Stubbed) -> None:
    stubbed.queue(calls(("remember_forever", {"what": "tea"})), text("I see."))
    turn = stubbed.say("I drink tea.")
    (result,) = stubbed.results(turn)
    assert "no tool 'remember_forever'" in json.loads(result)["error"]
    assert turn.status == Turn.Status.DONE


@pytest.mark.parametrize("arguments", ["", "{", "[]", '{"label": "human"}', "\0", "nonsense"])
def test_it_tells_the_model_of_arguments_that_are_wrong(stubbed: Stubbed, arguments: str) -> None:
    stubbed.queue(calls(("core_memory_append", arguments)), text("I see."))
    turn = stubbed.say("I drink tea.")
    (result,) = stubbed.results(turn)
    assert json.loads(result)["status"] == "error"
    assert (turn.status, stubbed.block("human").value) == (Turn.Status.DONE, "")
    sent = stubbed.request()["messages"]
    (call,) = next(each["tool_calls"] for each in sent if each.get("tool_calls"))
    assert isinstance(json.loads(call["function"]["arguments"]), dict)


def test_it_takes_back_what_was_streamed_of_a_broken_message(stubbed: Stubbed) -> None:
    stubbed.queue(calls(("send_message", '{"message": "Half a wor')), calls(SAY))
    events = stubbed.events("Hello.")
    assert shown(events) == "Good day, 李雷."
    assert "restart" in [event.kind for event in events]


def test_it_tells_a_message_whose_stream_could_not_be_read_once_it_is_whole(stubbed: Stubbed) -> None:
    arguments = '{"thinking": "hm", "message": "Good day."}'
    stubbed.queue(calls(("send_message", arguments)))
    events = stubbed.events("Hello.")
    assert [event.data["text"] for event in events if event.kind == "text"] == ["Good day."]


@pytest.mark.parametrize("odd", ["a\0b", "\ud83d", "\udc00x"])
def test_it_stores_whatever_characters_a_model_sends(stubbed: Stubbed, odd: str) -> None:
    note = ("core_memory_append", json.dumps({"label": "human", "content": f"tea {odd}"}))
    strange = call_piece(0, f"id{odd}", {"name": f"tool{odd}", "arguments": odd})
    stubbed.queue(
        calls(note, ("send_message", json.dumps({"message": f"{odd} said"}))),
        chunks(chunk({"tool_calls": [strange]}), chunk({}, "tool_calls")),
        chunks(chunk({"content": f"good {odd}"}), chunk({}, "stop")),
    )
    assert stubbed.say("Hello.").status == Turn.Status.DONE
    assert stubbed.say("And again.").status == Turn.Status.DONE
    assert stubbed.block("human").value.startswith("tea")


def test_it_gives_calls_ids_of_its_own_that_every_server_takes_back(stubbed: Stubbed) -> None:
    same = call_piece(0, "call_0", {"name": "conversation_search", "arguments": '{"query": "tea"}'})
    answer = chunks(chunk({"tool_calls": [same]}), chunk({}, "tool_calls"))
    stubbed.queue(answer, answer, text("Nothing."))
    assert stubbed.say("Look.").status == Turn.Status.DONE
    sent = stubbed.request()["messages"]
    ids = [call["id"] for each in sent for call in each.get("tool_calls") or []]
    assert len(set(ids)) == 2
    assert all(len(each) == 9 and each.isalnum() for each in ids)
    assert ids == [each["tool_call_id"] for each in sent if each["role"] == "tool"]
