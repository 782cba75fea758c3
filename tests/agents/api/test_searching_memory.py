"""Search over the API, narrowed in every way there is."""

from __future__ import annotations

import pytest

from agents.archives import archive_for
from memory import archival
from memory.actors import Actor, ActorKind
from tests.api_calls import call, get, post, problem
from tests.cast import NOBODY, Cast, Person, new_agent, new_chat, send


def texts(person: Person, query: str) -> set[str]:
    return {hit["text"] for hit in get(person, f"search/?{query}")["results"]}


def test_it_searches_the_memory_of_one_agent(alice: Person) -> None:
    agents = [new_agent(alice), new_agent(alice)]
    for number, agent in enumerate(agents):
        send(alice, new_chat(alice, agent), f"zebra message {number}")
        with alice.scope():
            archival.insert_passage(
                archive_for(agent, alice.personal),
                content=f"zebra passage {number}",
                actor=Actor(ActorKind.AGENT, agent.id),
            )
    assert texts(alice, f"q=zebra&agent={agents[1].id}") == {"zebra message 1", "zebra passage 1"}
    assert len(texts(alice, "q=zebra")) == 4
    problem(call(alice, "GET", f"search/?q=zebra&agent={NOBODY}"), 404)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("tag=stripes", {"zebra", "tiger"}),
        ("tag=stripes&tag=cat", {"zebra", "tiger", "lion"}),
        ("tag=stripes&tag=cat&tag_mode=all", {"tiger"}),
        ("tag=stripes&tag_mode=none", {"lion"}),
        ("since=2024-05-02", {"tiger", "lion"}),
        ("until=2024-05-02", {"zebra", "tiger"}),
        ("since=2024-05-02&until=2024-05-02", {"tiger"}),
        ("kind=message", set()),
        ("kind=passage&kind=message", {"zebra", "tiger", "lion"}),
        ("role=assistant", set()),
    ],
)
def test_each_condition_narrows(alice: Person, query: str, found: set[str]) -> None:
    archive = post(alice, "archives/", {"name": "Animals"})["id"]
    for day, (name, tags) in enumerate(
        [("zebra", ["stripes"]), ("tiger", ["stripes", "cat"]), ("lion", ["cat"])], start=1
    ):
        passage = {"content": f"{name} animal", "tags": tags, "occurred_at": f"2024-05-0{day}T12:00:00Z"}
        post(alice, f"archives/{archive}/passages/", passage)
    for words in ("q=animal&", ""):
        shown = texts(alice, f"{words}{query}")
        assert {text.split()[0] for text in shown} == found


def test_archives_and_conversations_are_searched_together(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    send(alice, chat, "zebra said")
    archives = [post(alice, "archives/", {"name": name})["id"] for name in ("one", "two", "three")]
    for number, archive in enumerate(archives):
        post(alice, f"archives/{archive}/passages/", {"content": f"zebra filed {number}"})
    query = f"q=zebra&archive={archives[0]}&archive={archives[1]}&conversation={chat.conversation_id}"
    assert texts(alice, query) == {"zebra said", "zebra filed 0", "zebra filed 1"}


def test_what_was_held_to_be_true_on_a_day(alice: Person) -> None:
    archive = post(alice, "archives/", {"name": "Fairs"})["id"]
    made = post(alice, f"archives/{archive}/passages/", {"content": "The fair is in May."})
    before = made["created_at"]
    call(alice, "PATCH", f"passages/{made['id']}/", {"content": "The fair is in June."})
    assert texts(alice, "q=fair") == {"The fair is in June."}
    assert texts(alice, "q=fair&state=superseded") == {"The fair is in May."}
    assert texts(alice, "q=fair&state=all") == {"The fair is in May.", "The fair is in June."}
    assert "The fair is in May." in texts(alice, f"q=fair&as_of={before.replace('+', '%2B')}")


def test_a_hit_says_where_it_is_from_and_why_it_was_found(alice: Person) -> None:
    archive = post(alice, "archives/", {"name": "Animals"})
    made = post(
        alice,
        f"archives/{archive['id']}/passages/",
        {"content": "A zebra is striped.", "tags": ["africa"], "importance": 0.8},
    )
    (hit,) = get(alice, "search/?q=striped+zebra")["results"]
    assert (hit["id"], hit["container"], hit["kind"]) == (made["id"], archive["id"], "passage")
    assert (hit["tags"], hit["importance"], hit["state"]) == (["africa"], 0.8, "current")
    assert hit["source"]["reference"] == str(alice.user.id)
    assert hit["title"] == "Animals"
    assert set(hit["parts"]["words"]) >= {"zebra"}
    assert 0 < hit["score"] <= 1


def test_it_says_when_it_searched_by_words_alone(alice: Person) -> None:
    archive = post(alice, "archives/", {"name": "Animals"})["id"]
    post(alice, f"archives/{archive}/passages/", {"content": "A zebra is striped."})
    page = get(alice, "search/?q=zebra")
    assert (page["total"], page["worded"]) == (1, 1)
    assert {notice["code"] for notice in page["notices"]} <= {"words_only", "partly_embedded"}
    assert page["notices"]


def test_what_is_out_of_sight_is_no_condition_that_one_can_name(cast: Cast) -> None:
    archive = post(cast.alice, "archives/", {"name": "Secrets", "workspace": str(cast.team)})["id"]
    post(cast.alice, f"archives/{archive}/passages/", {"content": "A zebra is striped."})
    assert texts(cast.alice, f"q=zebra&archive={archive}") == {"A zebra is striped."}
    for stranger in (cast.bob, cast.charlie):
        assert texts(stranger, "q=zebra") == set()
        for query in (f"archive={archive}", f"workspace={cast.team}"):
            problem(call(stranger, "GET", f"search/?q=zebra&{query}"), 404)


@pytest.mark.parametrize(
    "query", ["kind=thought", "tag_mode=some", "since=soon", "min_trust=5", "state=hidden", "archive=mine"]
)
def test_a_condition_that_makes_no_sense_is_refused(alice: Person, query: str) -> None:
    problem(call(alice, "GET", f"search/?q=zebra&{query}"), 400)
