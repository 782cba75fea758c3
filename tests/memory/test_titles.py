"""A chat gets a title of its first words, until a person gives it one."""

import pytest

from memory import recall
from memory.models import Conversation
from tests.cast import Person
from tests.memory.remembering import new_conversation


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("Plan the trip", "Plan the trip"),
        ("\n  \n  Plan the trip  \nwith details", "Plan the trip"),
        ("word " * 30, "word word word word word word word word word word word word…"),
        ("香" * 61, "香" * 60 + "…"),
        ("x" * 60, "x" * 60),
        ("", ""),
    ],
)
def test_it_makes_a_title_of_the_first_line(words: str, title: str) -> None:
    assert recall.title_from(words) == title


def test_it_keeps_the_first_title_and_the_persons_own(alice: Person) -> None:
    conversation = new_conversation(alice)
    with alice.scope():
        recall.note_activity(conversation, "First words")
        recall.note_activity(conversation, "Second words")
        assert Conversation.objects.get(id=conversation.id).title == "First words"
        recall.rename(conversation.id, "  Mine  ")
        for seen in (conversation, Conversation.objects.get(id=conversation.id)):
            recall.note_activity(seen, "Third words")
            assert Conversation.objects.get(id=conversation.id).title == "Mine"


def test_it_pins_and_unpins(alice: Person) -> None:
    conversation = new_conversation(alice)
    with alice.scope():
        assert recall.pin(conversation.id, pinned=True).pinned_at is not None
        assert recall.pin(conversation.id, pinned=False).pinned_at is None
