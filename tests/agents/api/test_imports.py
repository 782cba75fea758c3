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
