"""Branches of a chat: one path through the tree of its messages, and what search says of the others."""

from __future__ import annotations

import uuid

import pytest

from memory import branches, index, recall, retrieval
from memory.actors import person as by
from memory.branches import OnLeftBranch
from memory.models import Conversation, IndexEntry, Message
from memory.retrieval import Filters
from tests.cast import Cast, Person

EVERY = {"states": ["current", "abandoned"]}


def start(alice: Person, *words: str) -> Conversation:
    with alice.scope():
        chat = recall.start_conversation(workspace_id=alice.personal)
    for each in words:
        say(alice, chat, each)
    return chat


def say(alice: Person, chat: Conversation, words: str) -> Message:
    with alice.scope():
        return recall.add_message(chat, role="user", content=words, actor=by(alice.user.id))


def leave(alice: Person, chat: Conversation, words: str) -> branches.Moved:
    with alice.scope():
        recall.hold(chat.id)
        return branches.leave(Message.objects.get(conversation=chat, content=words, is_abandoned=False).id)


def take(alice: Person, chat: Conversation, words: str) -> branches.Moved:
    with alice.scope():
        recall.hold(chat.id)
        return branches.take(Message.objects.get(conversation=chat, content=words).id)


def path(alice: Person, chat: Conversation) -> list[str]:
    with alice.scope():
        return list(branches.path(chat.id).order_by("position").values_list("content", flat=True))


def hits(alice: Person, query: str, **filters: object) -> list[tuple[str, str]]:
    with alice.scope():
        page = retrieval.search(query, Filters(**filters), limit=50)  # type: ignore[arg-type]
        return [(hit.text, hit.state) for hit in page.hits]


def named(alice: Person, mark: str, **filters: object) -> list[tuple[str, str]]:
    """The hits that have the word themselves."""
    return [hit for hit in hits(alice, mark, **filters) if mark in hit[0]]


def test_positions_grow_along_every_branch_and_are_given_out_once(alice: Person) -> None:
    chat = start(alice, "one", "two", "three")
    moved = leave(alice, chat, "two")
    assert (len(moved.left), moved.common) == (2, 1)
    say(alice, chat, "four")
    assert path(alice, chat) == ["one", "four"]
    take(alice, chat, "two")
    say(alice, chat, "five")
    assert path(alice, chat) == ["one", "two", "three", "five"]
    with alice.scope():
        rows = list(Message.objects.filter(conversation=chat).order_by("position"))
    assert [each.position for each in rows] == [1, 2, 3, 4, 5]
    parents = {each.content: each.parent_id for each in rows}
    ids = {each.content: each.id for each in rows}
    assert (parents["four"], parents["five"]) == (ids["one"], ids["three"])


def test_what_is_taken_comes_with_its_newest_line(alice: Person) -> None:
    chat = start(alice, "one", "two", "three")
    leave(alice, chat, "three")
    say(alice, chat, "four")
    leave(alice, chat, "two")
    say(alice, chat, "five")
    assert path(alice, chat) == ["one", "five"]
    moved = take(alice, chat, "two")
    assert path(alice, chat) == ["one", "two", "four"]
    assert (len(moved.left), len(moved.taken), moved.common) == (1, 2, 1)
    take(alice, chat, "three")
    assert path(alice, chat) == ["one", "two", "three"]


def test_the_first_message_has_siblings_too(alice: Person) -> None:
    chat = start(alice, "one", "two")
    leave(alice, chat, "one")
    assert path(alice, chat) == []
    last = say(alice, chat, "three")
    assert (last.position, last.parent_id) == (3, None)
    with alice.scope():
        assert [each.content for each in branches.siblings(last)] == ["one", "three"]
    take(alice, chat, "two")
    assert path(alice, chat) == ["one", "two"]


def test_nothing_moves_where_it_is_already_and_nothing_is_left_twice(alice: Person) -> None:
    chat = start(alice, "one", "two")
    assert take(alice, chat, "one") == branches.Moved([], [], 2)
    with alice.scope():
        two = Message.objects.get(conversation=chat, content="two")
    leave(alice, chat, "two")
    with pytest.raises(OnLeftBranch), alice.scope():
        branches.leave(two.id)


def test_search_finds_what_was_left_below_what_stands_and_says_so(alice: Person) -> None:
    mark = f"zebra{uuid.uuid4().hex[:8]}"
    chat = start(alice, "Hello.", f"The {mark} is called Tom.")
    assert named(alice, mark, **EVERY) == [(f"The {mark} is called Tom.", "current")]
    leave(alice, chat, f"The {mark} is called Tom.")
    say(alice, chat, f"The {mark} is called Ann.")
    tom, ann = (f"The {mark} is called {name}." for name in ("Tom", "Ann"))
    assert named(alice, mark, **EVERY) == [(ann, "current"), (tom, "abandoned")]
    assert named(alice, mark) == [(ann, "current")]
    assert named(alice, mark, states=["abandoned"]) == [(tom, "abandoned")]
    take(alice, chat, tom)
    assert named(alice, mark, **EVERY) == [(tom, "current"), (ann, "abandoned")]


def test_a_deleted_chat_comes_back_with_its_branches_told_apart(alice: Person) -> None:
    mark = f"zebra{uuid.uuid4().hex[:8]}"
    chat = start(alice, "Hello.", f"{mark} one")
    leave(alice, chat, f"{mark} one")
    say(alice, chat, f"{mark} two")
    with alice.scope():
        recall.delete(chat.id)
    assert named(alice, mark, **EVERY) == []
    with alice.scope():
        recall.delete(chat.id, deleted=False)
    assert sorted(named(alice, mark, **EVERY)) == [(f"{mark} one", "abandoned"), (f"{mark} two", "current")]


def test_a_message_is_found_by_what_follows_it_on_the_live_branch_alone(alice: Person) -> None:
    left, live = (f"zebra{uuid.uuid4().hex[:8]}" for _ in range(2))
    chat = start(alice, "What is it called?", f"It is {left}.")

    def beside(word: str) -> bool:
        return any(text == "What is it called?" for text, _ in hits(alice, word))

    assert beside(left)
    leave(alice, chat, f"It is {left}.")
    say(alice, chat, f"It is {live}.")
    assert beside(live)
    assert not beside(left)
    take(alice, chat, f"It is {left}.")
    assert beside(left)


def test_rows_that_are_made_anew_keep_their_branch_and_their_neighbours(alice: Person) -> None:
    left = f"zebra{uuid.uuid4().hex[:8]}"
    chat = start(alice, "What is it called?", f"It is {left}.", "I see.")
    leave(alice, chat, f"It is {left}.")
    say(alice, chat, "It is Ann.")
    with alice.scope():
        index.reindex(list(IndexEntry.objects.filter(container_id=chat.id)))
        states = dict(IndexEntry.objects.filter(container_id=chat.id).values_list("record_id", "state"))
        rows = {each.id: each.is_abandoned for each in Message.objects.filter(conversation=chat)}
    assert {key: state == "abandoned" for key, state in states.items()} == rows
    assert not any(text == "What is it called?" for text, _ in hits(alice, left))
    assert ("I see.", "abandoned") in hits(alice, left, **EVERY)


def test_a_strangers_branches_are_not_there(cast: Cast) -> None:
    chat = start(cast.alice, "one", "two")
    with cast.alice.scope():
        two = Message.objects.get(conversation=chat, content="two")
        assert branches.turns_below([two.id]) == {}
    for verb in (branches.leave, branches.take):
        with pytest.raises(Message.DoesNotExist), cast.charlie.scope():
            verb(two.id)
    with cast.charlie.scope():
        assert branches.children(chat.id, [None]) == {}
    with cast.alice.scope():
        assert len(branches.children(chat.id, [None])) == 1
