"""Branches of a chat over the API: edit, answer again, list what stands beside, go on there, take back."""

from __future__ import annotations

from agents.models import Turn
from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.stubbed import Stubbed
from tests.api_calls import call, get, post, problem
from tests.cast import Person, send, work

TEA = ("core_memory_append", {"label": "human", "content": "Drinks tea."})


def contents(person: Person, stubbed: Stubbed, query: str = "") -> list[str]:
    rows = get(person, f"conversations/{stubbed.chat.conversation_id}/messages/{query}")["results"]
    return [each["content"] for each in rows]


def edited(person: Person, turn: Turn, words: str, client_id: str = "edit") -> dict[str, object]:
    """The answer to an edit whose work is done."""
    body = {"content": words, "client_id": client_id}
    told: dict[str, object] = post(person, f"messages/{turn.message_id}/edit/?wait=0", body, 202)
    with person.scope():
        work(Turn.objects.get(id=told["turn"]["id"]))  # type: ignore[index]
    return told


def test_a_list_holds_the_live_branch_and_all_of_them_where_it_is_asked(
    stubbed: Stubbed, alice: Person
) -> None:
    stubbed.queue(text("a1"), text("b1"))
    turn = stubbed.say("m1")
    made = edited(alice, turn, "n1")
    assert [each["content"] for each in made["messages"]] == ["n1"]  # type: ignore[attr-defined]
    assert contents(alice, stubbed) == ["n1", "b1"]
    assert contents(alice, stubbed, "?branches=all") == ["m1", "a1", "n1", "b1"]
    rows = get(alice, f"conversations/{stubbed.chat.conversation_id}/messages/?branches=all")["results"]
    assert [each["is_abandoned"] for each in rows] == [True, True, False, False]
    assert [each["parent"] for each in rows] == [None, rows[0]["id"], None, rows[2]["id"]]
    assert get(alice, f"turns/{turn.id}/")["is_abandoned"] is True
    problem(call(alice, "GET", f"conversations/{stubbed.chat.conversation_id}/messages/?branches=x"), 400)


def test_the_same_edit_twice_answers_the_same_turn(stubbed: Stubbed, alice: Person) -> None:
    stubbed.queue(text("a1"), text("b1"))
    turn = stubbed.say("m1")
    first = edited(alice, turn, "n1")
    body = {"content": "n1", "client_id": "edit"}
    again = post(alice, f"messages/{turn.message_id}/edit/", body, 200)
    assert again["turn"]["id"] == first["turn"]["id"]  # type: ignore[index]
    assert [each["content"] for each in again["messages"]] == ["n1", "b1"]
    problem(call(alice, "POST", f"messages/{turn.message_id}/edit/", body | {"content": "other"}), 409)


def test_an_answer_asked_for_again_has_its_message(stubbed: Stubbed, alice: Person) -> None:
    stubbed.queue(text("a1"), text("b1"))
    turn = stubbed.say("m1")
    made = post(alice, f"turns/{turn.id}/retry/", {}, 200)
    assert (made["message"], made["id"] == str(turn.id)) == (str(turn.message_id), False)
    assert post(alice, f"turns/{turn.id}/retry/", {}, 200)["id"] == made["id"]  # it is on its way
    with alice.scope():
        work(Turn.objects.get(id=made["id"]))
    assert contents(alice, stubbed) == ["m1", "b1"]
    problem(call(alice, "POST", f"turns/{turn.id}/retry/"), 409)  # it lies on the branch that was left


def test_one_lists_what_stands_beside_and_goes_on_there(stubbed: Stubbed, alice: Person) -> None:
    stubbed.queue(text("a1"), text("a2"), text("b2"))
    stubbed.say("m1")
    second = stubbed.say("m2")
    edited(alice, second, "n2")
    beside = get(alice, f"messages/{second.message_id}/siblings/")["results"]
    assert [(each["content"], each["is_abandoned"]) for each in beside] == [("m2", True), ("n2", False)]
    told = post(alice, f"messages/{second.message_id}/switch/", {}, 200)
    assert told == {"conversation": str(stubbed.chat.conversation_id), "left": beside[1]["id"]}
    assert contents(alice, stubbed) == ["m1", "a1", "m2", "a2"]
    assert post(alice, f"messages/{second.message_id}/switch/", {}, 200)["left"] is None


def test_it_refuses_while_a_message_is_answered(stubbed: Stubbed, alice: Person) -> None:
    stubbed.queue(text("a1"))
    turn = stubbed.say("m1")
    send(alice, stubbed.chat, "m2")
    for path, body in (
        (f"messages/{turn.message_id}/edit/", {"content": "x"}),
        (f"messages/{turn.message_id}/switch/", {}),
        (f"turns/{turn.id}/retry/", {}),
    ):
        told = problem(call(alice, "POST", path, body), 409)
        assert "is being answered" in told["detail"]
    assert contents(alice, stubbed) == ["m1", "a1", "m2"]


def test_an_answer_is_not_edited(stubbed: Stubbed, alice: Person) -> None:
    stubbed.queue(text("a1"))
    answer = stubbed.messages(stubbed.say("m1"))[-1]
    told = problem(call(alice, "POST", f"messages/{answer.id}/edit/", {"content": "x"}), 409)
    assert "Only what a person wrote" in told["detail"]


def test_memory_of_a_left_branch_is_listed_and_taken_back(stubbed: Stubbed, alice: Person) -> None:
    stubbed.queue(calls(TEA), text("Noted."), text("b1"))
    turn = stubbed.say("I drink tea.")
    path = f"messages/{turn.message_id}/left-memory/"
    assert get(alice, path)["count"] == 0
    edited(alice, turn, "Hello")
    told = get(alice, path)
    assert (told["count"], [each["version"] for each in told["versions"]]) == (1, [2])
    assert told["versions"][0]["label"] == "human"
    assert post(alice, path, {}, 200) == {"done": 1, "proposed": 0, "kept": 0}
    assert get(alice, path)["count"] == 0


def test_search_asks_for_what_was_left(stubbed: Stubbed, alice: Person) -> None:
    stubbed.queue(text("a1"), text("b1"))
    turn = stubbed.say("The zebra is called Tom.")
    path = f"search/?q=zebra&role=user&conversation={stubbed.chat.conversation_id}"

    def states(query: str = "") -> list[str]:
        return [each["state"] for each in get(alice, path + query)["results"]]

    assert states() == ["current"]
    edited(alice, turn, "The zebra has no name.")
    assert states("&state=abandoned") == ["abandoned"]
    assert states("&state=all") == ["current", "abandoned"]
    assert states() == ["current"]
