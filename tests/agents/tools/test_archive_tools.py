"""Tools over the archive: what an agent stores, it finds by words, tags and time."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from memory import archival, core
from memory.models import Archive, Passage
from tests.agents.tools.calling import Tools, make_tools
from tests.cast import Person, new_agent


@pytest.fixture
def stocked(tools: Tools) -> Tools:
    tools.call("archival_memory_insert", content="Tea from Assam", tags=["drink", "india"])
    tools.call("archival_memory_insert", content="Tea from 静冈", tags=["drink", "japan"])
    tools.call("archival_memory_insert", content="Rice from Niigata", tags=["food", "japan"])
    return tools


def texts(tools: Tools, **arguments: object) -> set[str]:
    return {each["content"] for each in tools.call("archival_memory_search", **arguments)["results"]}


def test_it_finds_by_words_tags_and_count(stocked: Tools) -> None:
    tea = {"Tea from Assam", "Tea from 静冈"}
    assert texts(stocked, query="tea") == tea
    assert texts(stocked, query="静冈") == {"Tea from 静冈"}
    assert texts(stocked, query="", tags=["drink"]) == tea
    assert texts(stocked, query="", tags=["drink", "japan"], tag_match_mode="all") == {"Tea from 静冈"}
    assert texts(stocked, query="", tags=["drink"], tag_match_mode="none") == {"Rice from Niigata"}
    assert len(texts(stocked, query="", tags=["drink", "japan"])) == 3
    assert len(texts(stocked, query="", tags=[])) == 3
    assert len(texts(stocked, query="", top_k=1)) == 1


def test_it_finds_by_time(stocked: Tools) -> None:
    assert texts(stocked, query="tea", end_datetime="2020-01-01") == set()
    assert len(texts(stocked, query="tea", start_datetime="2020-01-01T00:00")) == 2


def test_it_keeps_who_stored_it_and_why(stocked: Tools) -> None:
    (hit,) = stocked.call("archival_memory_search", query="rice")["results"]
    with stocked.person.scope():
        passage = Passage.objects.select_related("source").get(id=hit["id"])
    assert passage.source is not None
    assert passage.source.reference == str(stocked.turn.message_id)
    assert hit["tags"] == ["food", "japan"]
    assert hit["from"] == "filed by an agent in chat “Hello.”"


def test_it_keeps_how_much_it_matters(tools: Tools) -> None:
    for importance, kept in ((9, 0.9), (None, 0.5), (400, 1.0)):
        stored = tools.call("archival_memory_insert", content=f"Tea {importance}", importance=importance)
        with tools.person.scope():
            assert Passage.objects.get(id=stored["id"]).importance == kept


def test_it_says_that_it_has_a_text_already(tools: Tools) -> None:
    first = tools.call("archival_memory_insert", content="Tea from Assam")
    again = tools.call("archival_memory_insert", content="Tea from  assam", tags=["drink"])
    assert "notice" not in first
    assert (again["id"], "already" in again["notice"]) == (first["id"], True)
    assert "tags were added" in again["notice"]
    once_more = tools.call("archival_memory_insert", content="Tea from Assam", tags=["drink"])
    assert "tags" not in once_more["notice"]
    (hit,) = tools.call("archival_memory_search", query="assam")["results"]
    assert hit["tags"] == ["drink"]


def test_it_finds_what_is_no_longer_true_only_where_it_is_asked_for(stocked: Tools) -> None:
    with stocked.person.scope():
        passage = Passage.objects.get(content="Tea from Assam")
        archival.correct_passage(passage.id, "Tea from Ceylon", actor=core.by_me(), expected_version=1)
    assert texts(stocked, query="tea") == {"Tea from Ceylon", "Tea from 静冈"}
    found = stocked.call("archival_memory_search", query="tea", history=True)["results"]
    marked = {each["content"]: "no_longer_true_since" in each for each in found}
    assert marked == {"Tea from Ceylon": False, "Tea from 静冈": False, "Tea from Assam": True}


def test_it_finds_what_left_core_memory_where_it_is_asked_for(tools: Tools) -> None:
    tools.call("core_memory_append", label="human", content="Lives in Ghent.")
    replaced = {"old_content": "Lives in Ghent.", "new_content": "Lives in Bruges."}
    tools.call("core_memory_replace", label="human", **replaced)
    (hit,) = (
        each
        for each in tools.call("archival_memory_search", query="Ghent", history=True)["results"]
        if "Ghent" in each["content"]
    )
    assert (hit["from"], "no_longer_true_since" in hit) == ("memory block human", True)
    assert texts(tools, query="Ghent") == set()


def test_it_shows_what_fits_and_names_the_rest(tools: Tools) -> None:
    for number in range(12):
        tools.call("archival_memory_insert", content=f"Tea {number} " + f"leaf{number} " * 1500)
    answer = tools.call("archival_memory_search", query="tea", top_k=12)
    shown, named = answer["results"], answer["left_out"]
    assert (len(shown) + len(named), answer["total"]) == (12, 12)
    assert len({each["id"] for each in [*shown, *named]}) == 12
    assert len(json.dumps(answer)) < tools.agent.window_size  # in characters: a fifth of it in tokens
    whole = tools.call("message_read", id=named[0]["id"])
    assert (whole["from"], whole["offset"]) == (named[0]["from"], 0)
    assert whole["content"].startswith("Tea ")


def test_the_archive_is_the_agents(alice: Person, stocked: Tools) -> None:
    again = make_tools(alice, stocked.agent)
    assert len(texts(again, query="tea")) == 2
    assert texts(make_tools(alice, new_agent(alice)), query="tea") == set()


def test_two_chats_that_store_their_first_passage_at_once_share_an_archive(alice: Person) -> None:
    agent = new_agent(alice)
    chats = [make_tools(alice, agent) for _ in range(4)]

    def insert(tools: Tools) -> str:
        try:
            return str(tools.call("archival_memory_insert", content="Tea from Assam")["status"])
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(insert, chats)) == ["ok"] * 4
    with alice.scope():
        assert Archive.objects.filter(attachments__agent=agent).count() == 1
