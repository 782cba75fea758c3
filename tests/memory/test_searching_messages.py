"""Recall is searched by words, English and Chinese, and by time; what is deleted is not found."""

import random
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from django.db import connection

from memory import recall, retrieval
from memory.models import IndexEntry, Message
from memory.retrieval import BadQuery, Filters
from tests.cast import Cast, Person
from tests.memory.remembering import new_conversation, remember
from tests.memory.searching import found

SAID = [
    "我不吃香菜。",
    "She was running errands in Ghent all day.",
    "项目的截止日期是十二月三日，必须无损。",
    "The build failed with error E-4512 in config.yaml.",
    "パスワードは東京です",
    "Nothing of interest.",
]


@pytest.fixture
def heard(alice: Person) -> Person:
    conversation = new_conversation(alice)
    for words in SAID:
        remember(alice, conversation, words)
    return alice


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("香菜", 0),
        ("不吃", 0),
        ("吃香", 0),
        ("你还记得我不吃什么吗", 0),
        ("截止日期", 2),
        ("无损", 2),
        ("errand", 1),
        ("RUN", 1),
        ("ghent", 1),
        ("E-4512", 3),
        ("config.yaml", 3),
        ("東京", 4),
        ("パス", 4),
    ],
)
def test_it_finds_words_and_pairs_of_characters(heard: Person, query: str, place: int) -> None:
    assert found(heard, query)[0] == SAID[place]


def test_it_ranks_by_how_many_of_the_words_a_message_has(alice: Person) -> None:
    for words in ("red", "red green", "red green blue", "yellow"):
        remember(alice, new_conversation(alice), words)
    assert found(alice, "red green blue") == ["red green blue", "red green", "red"]


@pytest.mark.parametrize("query", ["?!…。", "\0", "\ud83d", "x" * 1001, "香" * 1001])
def test_it_refuses_a_query_without_words_or_without_end(heard: Person, query: str) -> None:
    with pytest.raises(BadQuery):
        found(heard, query)


@pytest.mark.parametrize("query", ["o'clock", "a\\b", "x' | y", "!香菜 & (", ":*", "<->a", "'" * 50 + "香菜"])
def test_it_takes_what_would_be_syntax_elsewhere_as_words(heard: Person, query: str) -> None:
    try:
        assert set(found(heard, query)) <= set(SAID)
    except BadQuery:
        assert query == ":*"


def test_it_lists_the_newest_where_no_words_are_asked_for(heard: Person) -> None:
    assert found(heard, " ") == SAID[::-1]


def test_it_takes_an_empty_list_of_what_is_allowed_as_nothing(heard: Person) -> None:
    assert found(heard, "香菜", containers=[]) == []
    assert found(heard, "香菜", kinds=[]) == []
    assert found(heard, "香菜", roles=[]) == []
    assert found(heard, "香菜", tags=[]) == []


def test_it_pages_and_counts(heard: Person) -> None:
    with heard.scope():
        pages = [retrieval.search("", Filters(), limit=4, offset=offset) for offset in (0, 4, 8)]
    assert [len(page.hits) for page in pages] == [4, 2, 0]
    assert {page.total for page in pages} == {6}
    assert len({hit.id for page in pages for hit in page.hits}) == 6


def test_it_finds_nothing_of_other_people(cast: Cast) -> None:
    remember(cast.alice, new_conversation(cast.alice), "我不吃香菜。")
    assert found(cast.bob, "香菜") == []
    assert found(cast.charlie, "香菜") == []


def test_it_leaves_out_what_tools_said(alice: Person) -> None:
    conversation = new_conversation(alice)
    remember(alice, conversation, '{"results": ["香菜"]}', role="tool", tool_call_id="a")
    assert found(alice, "香菜") == []


def test_it_finds_no_deleted_chat_until_it_is_brought_back(alice: Person) -> None:
    conversation = new_conversation(alice)
    remember(alice, conversation, "我不吃香菜。")
    with alice.scope():
        recall.delete(conversation.id)
    remember(alice, conversation, "香菜 came late, from a turn that was running.", role="assistant")
    assert found(alice, "香菜") == []
    with alice.scope():
        recall.delete(conversation.id, deleted=False)
    assert len(found(alice, "香菜")) == 2


def test_it_leaves_nothing_in_search_of_a_chat_deleted_while_it_was_written(alice: Person) -> None:
    conversation = new_conversation(alice)

    def write(number: int) -> None:
        try:
            remember(alice, conversation, f"香菜 {number}", placed=False)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        written = [pool.submit(write, number) for number in range(12)]
        with alice.scope():
            recall.delete(conversation.id)
        for each in written:
            each.result()
    with alice.scope():
        assert IndexEntry.objects.filter(container_id=conversation.id).count() == 12
    assert found(alice, "香菜") == []


def test_it_filters_by_time_before_it_ranks(alice: Person) -> None:
    for day in (1, 2, 3):
        when = datetime(2026, 11, day, 12, tzinfo=UTC)
        remember(alice, new_conversation(alice), f"tea on day {day}", created_at=when)
    assert set(found(alice, "tea", since=datetime(2026, 11, 2, 12, tzinfo=UTC))) == {
        "tea on day 3",
        "tea on day 2",
    }
    assert found(alice, "tea", until=datetime(2026, 11, 1, 23, tzinfo=UTC)) == ["tea on day 1"]


@pytest.mark.parametrize("kind", ["han", "words", "one run", "identifiers"])
def test_it_stores_a_megabyte_of_anything_and_finds_its_beginning(alice: Person, kind: str) -> None:
    chance = random.Random(7)
    text = (
        "needle 香菜 "
        + {
            "han": lambda: "".join(chr(chance.randrange(0x4E00, 0x9FA5)) for _ in range(990_000)),
            "words": lambda: " ".join(f"{chance.randrange(16**7):x}" for _ in range(120_000)),
            "one run": lambda: "x" * 990_000,
            "identifiers": lambda: " ".join(
                f"a{chance.randrange(10**6)}-b.{number}" for number in range(70_000)
            ),
        }[kind]()
    )
    message = remember(alice, new_conversation(alice), text)
    assert found(alice, "needle") == [text]
    with alice.scope():
        assert Message.objects.get(id=message.id).content == text
