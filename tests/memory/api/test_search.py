"""Search over the API."""

from __future__ import annotations

import uuid

import pytest

from agents.archives import archive_for
from memory.actors import Actor, ActorKind
from memory.archival import insert_passage
from tests.api_calls import call, everything, get, problem
from tests.cast import Cast, Person, new_agent, new_chat, send


def search(person: Person, **asked: object) -> list[dict[str, object]]:
    query = "&".join(f"{name}={value}" for name, value in asked.items())
    found: list[dict[str, object]] = get(person, f"search/?{query}")["results"]
    return found


def test_it_finds_messages_and_passages(alice: Person) -> None:
    agent = new_agent(alice)
    chat = new_chat(alice, agent)
    send(alice, chat, "The harvest is in June.")
    with alice.scope():
        insert_passage(
            archive_for(agent, alice.personal),
            content="Harvest needs boxes.",
            tags=["farm"],
            actor=Actor(ActorKind.AGENT, agent.id),
        )
    assert {hit["kind"] for hit in search(alice, q="harvest")} == {"message", "passage"}
    passage = search(alice, q="harvest", kind="passage")[0]
    assert (passage["text"], passage["tags"]) == ("Harvest needs boxes.", ["farm"])
    message = search(alice, q="harvest", kind="message")[0]
    assert message["container"] == str(chat.conversation_id)
    assert get(alice, f"messages/{message['id']}/")["content"] == "The harvest is in June."


def test_it_finds_chinese_by_two_characters(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    send(alice, chat, "我不吃香菜")
    assert search(alice, q="香菜")[0]["text"] == "我不吃香菜"


def test_it_searches_one_conversation(alice: Person) -> None:
    agent = new_agent(alice)
    chats = [new_chat(alice, agent), new_chat(alice, agent)]
    for chat in chats:
        send(alice, chat, "harvest")
    found = search(alice, q="harvest", conversation=chats[0].conversation_id)
    assert [hit["container"] for hit in found] == [str(chats[0].conversation_id)]
    assert search(alice, q="harvest", conversation=chats[0].conversation_id, kind="passage") == []
    call(alice, "DELETE", f"conversations/{chats[0].conversation_id}/")
    problem(call(alice, "GET", f"search/?q=harvest&conversation={chats[0].conversation_id}"), 404)
    assert len(search(alice, q="harvest")) == 1


def test_it_pages_through_hits(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    for number in range(5):
        send(alice, chat, f"harvest {number}")
    found = everything(alice, "search/?q=harvest&limit=2")
    assert len({hit["id"] for hit in found}) == 5


def test_it_clips_long_texts_and_says_so(alice: Person) -> None:
    send(alice, new_chat(alice, new_agent(alice)), "harvest " + "x" * 5_000)
    hit = search(alice, q="harvest")[0]
    assert (len(str(hit["text"])), hit["length"]) == (2_000, 5_008)


def test_it_does_not_find_what_others_said(cast: Cast) -> None:
    agent = new_agent(cast.alice, cast.team)
    private, shared = new_chat(cast.alice, agent), new_chat(cast.alice, agent, cast.team)
    send(cast.alice, private, "harvest in private")
    send(cast.alice, shared, "harvest in the team")
    for stranger in (cast.bob, cast.charlie):
        assert search(stranger, q="harvest") == []
        problem(call(stranger, "GET", f"search/?q=harvest&conversation={shared.conversation_id}"), 404)
    cast.let_bob_in("viewer")
    assert [hit["text"] for hit in search(cast.bob, q="harvest")] == ["harvest in the team"]
    problem(call(cast.bob, "GET", f"search/?q=harvest&conversation={private.conversation_id}"), 404)


@pytest.mark.parametrize(
    "query",
    [
        "",
        "q=",
        "q=%20%20",
        "q=.,;!%3F",
        "q=。，！",
        "q=" + "a" * 10_000,
        "q=a%00b",
        "q=x&limit=0",
        "q=x&limit=-1",
        "q=x&limit=101",
        "q=x&limit=1e9",
        "q=x&limit=1000000000",
        "q=x&limit=many",
        "q=x&limit=",
        "q=x&kind=thought",
        "q=x&conversation=mine",
        "q=x&cursor=x",
        "q=x&cursor=-1",
        "q=x&cursor=99999999",
        "q=x&color=red",
    ],
)
def test_it_refuses_a_search_that_makes_no_sense(alice: Person, query: str) -> None:
    problem(call(alice, "GET", f"search/?{query}"), 400)


def test_it_does_not_tell_missing_conversations_from_foreign_ones(alice: Person) -> None:
    problem(call(alice, "GET", f"search/?q=x&conversation={uuid.uuid4()}"), 404)
