"""In a conversation the right message comes first: by rare words, neighbours, its speaker and its day."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from memory import retrieval
from memory.models import IndexEntry, Message
from memory.retrieval import Filters
from tests.cast import Person
from tests.memory.remembering import new_conversation, remember
from tests.memory.searching import found


def say(person: Person, *texts: str, name: str = "") -> list[Message]:
    """Messages of one conversation, in this order."""
    conversation = new_conversation(person)
    return [remember(person, conversation, text, name=name) for text in texts]


def date_back(person: Person, message: Message, when: datetime) -> None:
    """The entry of a message as if it had been said then."""
    with person.scope():
        IndexEntry.objects.filter(record_id=message.id).update(occurred_at=when)


def test_a_rare_word_weighs_more_than_several_common_ones(alice: Person) -> None:
    for number in range(8):
        say(alice, f"The project meeting about the budget is moved, number {number}.")
    say(alice, "Biscuit likes carrots very much indeed.")

    first, *others = found(alice, "project meeting budget Biscuit")

    assert first == "Biscuit likes carrots very much indeed."
    assert len(others) == 8


def test_any_of_the_words_finds(alice: Person) -> None:
    say(alice, "We went hiking near the lake.")

    assert found(alice, "Which mountains did you see when you went hiking with your nephew?")


@pytest.mark.parametrize(
    ("question", "answer", "asked"),
    [
        ("Which colour did you paint the kitchen?", "A deep green, and I like it.", "kitchen paint colour"),
        ("厨房刷了什么颜色？", "墨绿，我挺喜欢的。", "厨房 颜色"),
    ],
)
def test_an_answer_is_found_by_the_words_of_its_question(
    alice: Person, question: str, answer: str, asked: str
) -> None:
    say(alice, "It rained all day.", "Indeed it did.", question, answer, "Good night then.", "Sleep well.")

    assert answer in found(alice, asked)[:2]


def test_words_of_a_message_count_more_than_those_around_it(alice: Person) -> None:
    texts = ["My dog is called Biscuit.", "It rains in the town.", "We had soup and bread in the evening."]
    say(alice, *texts)

    assert found(alice, "Biscuit dog")[0] == texts[0]
    assert found(alice, "soup")[0] == texts[2]


def test_a_named_speaker_is_found_before_others_who_say_the_same(alice: Person) -> None:
    conversation = new_conversation(alice)
    for name in ("Anna", "Ben", "Carla"):
        remember(alice, conversation, f"I like green tea, every morning. {len(name)}", name=name)

    assert found(alice, "Does Ben like green tea?")[0].endswith("3")
    assert found(alice, "Does Carla like green tea?")[0].endswith("5")


@pytest.mark.parametrize("query", ["What did we buy at the market in March 2024?", "2024年3月 market buy"])
def test_a_named_month_is_found_before_other_months(alice: Person, query: str) -> None:
    months = [datetime(2024, month, 9, 12, tzinfo=timezone.get_current_timezone()) for month in (2, 3, 6)]
    for when in months:
        (message,) = say(alice, f"We did buy {when.month} kilos of pears at the market.")
        date_back(alice, message, when)

    assert found(alice, query)[0] == "We did buy 3 kilos of pears at the market."


def test_yesterday_is_a_day(alice: Person) -> None:
    for days in (40, 1, 20):
        (message,) = say(alice, f"We talked about the roof, {days}.")
        date_back(alice, message, timezone.now() - timedelta(days=days))

    assert found(alice, "昨天 roof")[0] == "We talked about the roof, 1."


def test_a_statement_is_found_before_a_question_with_the_same_words(alice: Person) -> None:
    say(alice, "Which printer has its password on the lid?")
    say(alice, "Our printer has the password 4711 on the lid.")

    assert found(alice, "printer password lid") == [
        "Our printer has the password 4711 on the lid.",
        "Which printer has its password on the lid?",
    ]


@pytest.mark.parametrize(
    ("query", "words"),
    [("red brick house garden", ("brick", "garden")), ("花园 房子 砖头", ("花园", "砖头"))],
)
def test_it_tells_which_of_the_words_a_message_has(alice: Person, query: str, words: tuple[str, ...]) -> None:
    say(alice, "The brick is in the garden. 砖头在花园里。")

    with alice.scope():
        (hit,) = retrieval.search(query, Filters()).hits

    assert set(words) <= set(hit.parts.words)
    assert not {"red", "hous", "房子"} & set(hit.parts.words)
