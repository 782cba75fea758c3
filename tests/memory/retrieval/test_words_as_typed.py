"""Words are found as people type them: one character of Chinese, other widths and accents, days."""

from __future__ import annotations

import importlib
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from django.db import connections

from memory import retrieval
from memory.models import IndexEntry, Message
from memory.retrieval import Filters
from memory.retrieval.why_not import why_not_each
from tests.cast import Person
from tests.memory.remembering import new_conversation, remember
from tests.memory.searching import found

SHANGHAI = ZoneInfo("Asia/Shanghai")


def say(person: Person, *texts: str) -> list[Message]:
    """Messages of one conversation each, so that none is beside another."""
    return [remember(person, new_conversation(person), text) for text in texts]


def worded(person: Person, query: str) -> list[str]:
    """The texts that have words of a query."""
    with person.scope():
        hits = retrieval.search(query, Filters(), limit=50).hits
    return [hit.text for hit in hits if hit.parts.words]


@pytest.mark.parametrize("character", ["王", "老", "虎", "滩", "作"])
def test_one_character_finds_the_words_that_have_it(alice: Person, character: str) -> None:
    say(alice, "王小明在老虎滩工作。", "今天下雨了。")

    assert worded(alice, character) == ["王小明在老虎滩工作。"]
    assert worded(alice, f" {character} Berlin") == ["王小明在老虎滩工作。"]


def test_a_character_in_a_question_stands_for_itself(alice: Person) -> None:
    """Between other characters it is a word or a part of one, as before."""
    say(alice, "码头很热闹。", "密码本在抽屉里。")

    assert worded(alice, "密码本在哪里") == ["密码本在抽屉里。"]
    assert set(worded(alice, "码")) == {"码头很热闹。", "密码本在抽屉里。"}


def test_kana_and_hangul_are_found_by_a_character_too(alice: Person) -> None:
    say(alice, "カタカナ", "서울")

    assert worded(alice, "タ") == ["カタカナ"]
    assert worded(alice, "울") == ["서울"]


def test_why_not_says_that_a_character_is_there(alice: Person) -> None:
    message, other = say(alice, "我爱老虎。", "今天下雨了。")

    with alice.scope():
        told = why_not_each("虎", Filters(), [message.id, other.id])

    assert told[message.id].words == ("虎",)
    assert told[other.id].missing == ("虎",)


@pytest.mark.parametrize(
    ("stored", "typed"),
    [
        ("We met at the cafe\u0301 Luna.", "caf\u00e9"),
        ("The part is ＡＢＣ１２３.", "ABC123"),
        ("Room №42 it is.", "no42"),
        ("ｶﾀｶﾅで書く。", "カタカナ"),
    ],
)
def test_what_reads_the_same_is_the_same_word(alice: Person, stored: str, typed: str) -> None:
    say(alice, stored, "今天下雨了。")

    assert worded(alice, typed) == [stored]
    assert worded(alice, stored) == [stored]


@pytest.mark.parametrize("day", ["3 May 2023", "2023年5月3日", "2023-05-03", "二〇二三年五月三日"])
def test_a_day_mutes_no_word_however_it_is_written(alice: Person, day: str) -> None:
    panda, stocks, *_ = say(alice, "我们去看了熊猫。", "我们聊聊股票吧。", "今天下雨了。")
    with alice.scope():
        IndexEntry.objects.filter(record_id__in=[panda.id, stocks.id]).update(
            occurred_at=datetime(2023, 5, 3, 12, tzinfo=SHANGHAI)
        )
        hits = retrieval.search(f"{day} 熊猫", Filters(), limit=10).hits

    assert hits[0].text == "我们去看了熊猫。"
    assert hits[0].parts.lexical is not None
    assert hits[0].parts.lexical > 0.3


def test_a_day_that_stands_in_a_text_finds_it(alice: Person) -> None:
    say(alice, "酒席订在5月17号。", "酒席的菜单定了。")

    assert found(alice, "5月17号")[0] == "酒席订在5月17号。"


def test_what_was_cut_in_the_first_way_is_cut_anew(alice: Person) -> None:
    chinese, english = say(alice, "我爱老虎。", "I like tigers.")
    with alice.scope():
        IndexEntry.objects.all().update(format=1, embedded_by="some model")
    migration = importlib.import_module("memory.migrations.0012_large_sights")
    with connections["owner"].cursor() as cursor:
        cursor.execute(migration.CUT_ANEW)

    with alice.scope():
        waits = set(IndexEntry.objects.filter(embedded_by="").values_list("record_id", flat=True))
        assert chinese.id in waits
        assert english.id not in waits


def typed(person: Person, query: str) -> list[retrieval.Hit]:
    """What is found for a query while somebody types it: what has words of it."""
    with person.scope():
        return [
            hit for hit in retrieval.search(query, Filters(), limit=50, is_typed=True).hits if hit.parts.words
        ]


@pytest.mark.parametrize(
    ("query", "stored"),
    [
        ("harb", "The harbour is closed."),
        ("kuberne", "Kubernetes was updated."),
        ("camelcase", "It is called CamelCaseFunctionName."),
        ("e_conn_40", "It stopped with E_CONN_4021."),
        ("closed harbou", "The harbour is closed."),
    ],
)
def test_a_word_is_found_while_it_is_being_typed(alice: Person, query: str, stored: str) -> None:
    say(alice, "The harbour is closed.", "Kubernetes was updated.", "It is called CamelCaseFunctionName.")
    say(alice, "It stopped with E_CONN_4021.")

    first, *others = typed(alice, query)

    assert first.text == stored
    assert others == []
    assert query.split()[-1] in first.parts.words


def test_what_nobody_is_typing_has_whole_words(alice: Person) -> None:
    say(alice, "The harbour is closed.", "It rains.")

    assert [hit.text for hit in typed(alice, "harb")] == ["The harbour is closed."]
    assert worded(alice, "harb") == []


def test_the_whole_word_comes_before_what_begins_with_it(alice: Person) -> None:
    say(alice, "The category is new.", "My cat is new.", "It rains.")

    assert [hit.text for hit in typed(alice, "cat")] == ["My cat is new.", "The category is new."]
    assert worded(alice, "cat") == ["My cat is new."]


def test_a_beginning_that_nothing_has_takes_nothing_from_the_other_words(alice: Person) -> None:
    say(alice, "The harbour is closed.", "It rains.")

    (whole,) = typed(alice, "harbour ")
    (begun,) = typed(alice, "harbour")
    assert whole.parts.lexical == begun.parts.lexical


def test_a_query_that_ends_in_a_word_that_tells_nothing_is_found_by_the_others(alice: Person) -> None:
    say(alice, "The harbour is closed.", "It is about the theatre.")

    assert [hit.text for hit in typed(alice, "which harbour is it about")] == ["The harbour is closed."]
    assert len(typed(alice, "harbour theat")) == 2
