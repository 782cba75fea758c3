"""Any message can be read by its id, whole, in pieces."""

import uuid

import pytest

from memory import recall
from memory.models import Message
from tests.cast import Cast, Person
from tests.memory.remembering import new_conversation, remember


def read_whole(person: Person, message: Message, size: int = recall.PIECE) -> str:
    found, offset = "", 0
    with person.scope():
        while True:
            piece = recall.read_message(message.id, offset, size)
            assert piece.offset == len(found)
            found += piece.text
            if piece.next_offset is None:
                return found
            offset = piece.next_offset


@pytest.mark.parametrize("text", ["short", "香菜" * 5000, "x" * 8000, "👩‍🚀" * 3000])
def test_it_gives_a_message_back_in_pieces(alice: Person, text: str) -> None:
    message = remember(alice, new_conversation(alice), text)
    assert read_whole(alice, message) == text


def test_it_gives_a_megabyte_back(alice: Person) -> None:
    text = "我不吃香菜，李雷说。\n" * 90_000
    message = remember(alice, new_conversation(alice), text)
    assert read_whole(alice, message, 100_000) == text


@pytest.mark.parametrize(("offset", "read"), [(-5, "abc"), (1, "bc"), (3, ""), (10**12, "")])
def test_it_takes_any_offset(alice: Person, offset: int, read: str) -> None:
    message = remember(alice, new_conversation(alice), "abc")
    with alice.scope():
        piece = recall.read_message(message.id, offset)
    assert (piece.text, piece.length, piece.next_offset) == (read, 3, None)


def test_it_knows_no_message_of_a_stranger_of_a_deleted_chat_or_of_nobody(cast: Cast) -> None:
    conversation = new_conversation(cast.alice)
    message = remember(cast.alice, conversation, "I drink tea.")
    for person in (cast.bob, cast.charlie):
        with person.scope(), pytest.raises(Message.DoesNotExist):
            recall.read_message(message.id)
    with cast.alice.scope():
        recall.delete(conversation.id)
        with pytest.raises(Message.DoesNotExist):
            recall.read_message(message.id)
        recall.delete(conversation.id, deleted=False)
        assert recall.read_message(message.id).text == "I drink tea."
        with pytest.raises(Message.DoesNotExist):
            recall.read_message(uuid.uuid4())


def test_it_places_messages_in_order_and_links_each_to_the_one_before(alice: Person) -> None:
    conversation = new_conversation(alice)
    waiting = remember(alice, conversation, "waits", placed=False)
    first, second = (remember(alice, conversation, words) for words in ("first", "second"))
    assert (waiting.position, first.position, second.position) == (None, 1, 2)
    with alice.scope():
        recall.place(conversation.id, [waiting.id])
        placed = Message.objects.get(id=waiting.id)
    assert (placed.position, placed.parent_id) == (3, second.id)
    assert (second.parent_id, first.parent_id) == (first.id, None)
