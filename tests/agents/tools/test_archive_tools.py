"""Tools over the archive: what an agent stores, it finds by words, tags and time."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

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
    assert (str(passage.source.id), hit["tags"]) == (hit["source"], ["food", "japan"])


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
