"""Imports over the API."""

from __future__ import annotations

from typing import Any

from memory.embedding import embed_pending
from tenants.models import User
from tests.api_calls import call, everything, get, post, problem
from tests.cast import Cast, Person, new_agent


def body(person: Person, *messages: dict[str, Any], **fields: Any) -> dict[str, Any]:
    plain = [{"role": "user", "content": "The zebra fair is in May.", "external_id": "a"}]
    return {"agent": str(new_agent(person).id), "title": "Elsewhere", "messages": messages or plain} | fields


def test_it_answers_when_all_is_stored_and_findable(alice: Person) -> None:
    sent = body(
        alice,
        {
            "role": "user",
            "name": "Caroline",
            "content": "The zebra fair is in May.",
            "created_at": "2023-05-08T13:56:00+02:00",
            "external_id": "D1:1",
        },
        {"role": "assistant", "content": "Noted.", "created_at": "2023-05-08T13:57:00+02:00"},
    )
    made = post(alice, "conversations/import/", sent)
    assert (made["messages"], made["known"], made["chat"]["title"]) == (2, 0, "Elsewhere")
    (hit, *_) = get(alice, f"search/?q=zebra+fair&conversation={made['conversation']}")["results"]
    assert (hit["external_id"], hit["speaker"]) == ("D1:1", "Caroline")
    assert hit["occurred_at"] == "2023-05-08T11:56:00Z"
    assert hit["parts"]["lexical"] > 0
    assert "zebra" in hit["parts"]["words"]
    said = everything(alice, f"conversations/{made['conversation']}/messages/")
    assert [(each["name"], each["external_id"]) for each in said] == [("Caroline", "D1:1"), ("", "")]
    assert [each["actor"]["kind"] for each in said] == ["user", "agent"]


def test_the_same_again_is_known(alice: Person) -> None:
    sent = body(alice)
    first = post(alice, "conversations/import/", sent)
    again = post(alice, "conversations/import/", sent, 200)
    assert (again["conversation"], again["messages"], again["known"]) == (first["conversation"], 0, 1)
    assert len(everything(alice, "conversations/")) == 1


def test_it_tells_how_far_it_is_embedded(alice: Person) -> None:
    made = post(alice, "conversations/import/", body(alice))
    address = f"conversations/{made['conversation']}/indexing/"
    assert get(alice, address) == {"messages": 1, "embedded": 0, "pending": 1, "is_ready": False}
    while embed_pending(tenant_id=alice.identity.tenant_id, workspace_id=alice.personal, limit=100):
        pass
    assert get(alice, address) == {"messages": 1, "embedded": 1, "pending": 0, "is_ready": True}


def test_a_wrong_row_is_named_and_nothing_is_stored(alice: Person) -> None:
    good = {"role": "user", "content": "Good."}
    for wrong in (
        {"role": "narrator", "content": "x"},
        {"role": "user"},
        {"role": "user", "content": 7},
        {"role": "user", "content": "x", "created_at": "yesterday"},
        {"role": "user", "content": "x", "mood": "gay"},
        "text",
    ):
        refused = problem(call(alice, "POST", "conversations/import/", body(alice, good, wrong)), 400)
        assert refused["errors"]["messages"][0].startswith("Message 2: "), refused
    refused = problem(
        call(alice, "POST", "conversations/import/", body(alice, good, good | {"name": "a\nb"})), 400
    )
    assert "Message 2 of 2" in refused["detail"]
    assert everything(alice, "conversations/") == []


def test_a_time_without_a_zone_is_meant_in_the_persons(alice: Person) -> None:
    User.objects.filter(id=alice.user.id).update(time_zone="Asia/Shanghai")
    sent = body(alice, {"role": "user", "content": "早上好", "created_at": "2023-05-08T08:00:00"})
    made = post(alice, "conversations/import/", sent)
    (said,) = everything(alice, f"conversations/{made['conversation']}/messages/")
    assert said["created_at"] == "2023-05-08T00:00:00Z"


def test_a_body_of_more_than_eight_megabytes_is_taken_here_alone(alice: Person) -> None:
    long = [{"role": "user", "content": "word " * 180_000, "external_id": str(n)} for n in range(11)]
    sent = body(alice, *long)
    assert post(alice, "conversations/import/", sent)["messages"] == 11
    problem(call(alice, "POST", "conversations/", sent), 413)
    problem(call(alice, "POST", "conversations/import/", b" " * (32 * 1024 * 1024 + 1)), 413)


def test_strangers_agents_are_not_there(cast: Cast) -> None:
    sent = body(cast.alice)
    for stranger in (cast.bob, cast.charlie):
        problem(call(stranger, "POST", "conversations/import/", sent), 404)
    made = post(cast.alice, "conversations/import/", sent)
    problem(call(cast.bob, "GET", f"conversations/{made['conversation']}/indexing/"), 404)


def test_a_chat_with_an_id_of_its_own_is_taken_in_once(alice: Person) -> None:
    """No message has an id: they are known by their numbers."""
    words = [{"role": "user", "content": content} for content in ("Hello.", "Hello.", "Bye.")]
    sent = body(alice, *words, external_id="thread 17")
    first = post(alice, "conversations/import/", sent)
    again = post(alice, "conversations/import/", sent | {"title": "Renamed"}, 200)
    assert (again["conversation"], again["messages"], again["known"]) == (first["conversation"], 0, 3)
    more = [*words, {"role": "user", "content": "One more."}]
    third = post(alice, "conversations/import/", sent | {"messages": more}, 200)
    assert (third["conversation"], third["messages"], third["known"]) == (first["conversation"], 1, 3)
    assert len(everything(alice, "conversations/")) == 1
    other = post(alice, "conversations/import/", sent | {"external_id": "thread 18"})
    assert other["conversation"] != first["conversation"]


def test_a_chat_with_an_id_is_not_made_twice_where_its_words_are_others(alice: Person) -> None:
    sent = body(alice, {"role": "user", "content": "Hello."}, external_id="thread 17")
    post(alice, "conversations/import/", sent)
    changed = sent | {"messages": [{"role": "user", "content": "Good day."}]}
    assert "external_id" in problem(call(alice, "POST", "conversations/import/", changed), 409)["detail"]
    assert len(everything(alice, "conversations/")) == 1


def test_without_any_id_an_import_makes_a_chat_each_time(alice: Person) -> None:
    sent = body(alice, {"role": "user", "content": "Hello."})
    first, second = (post(alice, "conversations/import/", sent) for _ in range(2))
    assert first["conversation"] != second["conversation"]


def test_a_long_id_of_a_chat_is_refused(alice: Person) -> None:
    hello = {"role": "user", "content": "Hello."}
    post(alice, "conversations/import/", body(alice, hello, external_id="x" * 190))
    problem(call(alice, "POST", "conversations/import/", body(alice, hello, external_id="x" * 191)), 400)
