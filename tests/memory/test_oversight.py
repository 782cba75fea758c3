"""Owners and admins read members' chats where the organisation allows it, and never without an event."""

from __future__ import annotations

import uuid

import pytest
from django.db import DatabaseError, connection

from agents.models import MainContext
from memory import oversight, recall
from memory.models import Conversation
from memory.oversight import ReadingIsOff, chats_of_member, read_member_chat
from tenants import people, services
from tenants.audit import Origin, origin
from tenants.authentication import find_key
from tenants.models import Membership
from tenants.permissions import NotAllowed
from tenants.scope import scope
from tests.cast import Cast, Person, new_agent, new_chat, send
from tests.tenants.governing import give, join, seat, told


def allow(cast: Cast, allowed: bool = True) -> None:
    with cast.alice.scope():
        services.update_tenant(admins_read_chats=allowed)


def chat_of(person: Person, *words: str, home: uuid.UUID | None = None) -> MainContext:
    """A chat with these messages, each in its place."""
    chat = new_chat(person, new_agent(person, home), home)
    turns = [send(person, chat, text) for text in words]
    with person.scope():
        recall.place(chat.conversation_id, [turn.message_id for turn in turns])
        recall.rename(chat.conversation_id, "A secret title")
    return chat


def read(by: Person, chat: MainContext) -> list[str]:
    with by.scope():
        part = read_member_chat(user_id=chat.conversation.owner_id, conversation_id=chat.conversation_id)
        return [each.content for each in part.messages]


def test_an_admin_reads_a_members_chats_where_that_is_allowed(cast: Cast) -> None:
    admin = join(cast, "Ada", "admin")
    chat = chat_of(cast.bob, "first", "second")
    allow(cast)
    for reader in (cast.alice, admin):
        with reader.scope():
            (listed,) = chats_of_member(user_id=cast.bob.user.id)
            assert (listed.conversation_id, listed.title) == (chat.conversation_id, "A secret title")
            assert not Conversation.objects.filter(id=chat.conversation_id).exists(), "in no other way"
        assert read(reader, chat) == ["first", "second"]


def test_nobody_reads_where_it_is_off(cast: Cast) -> None:
    chat = chat_of(cast.bob, "private")
    allow(cast)
    assert read(cast.alice, chat) == ["private"]
    allow(cast, allowed=False)
    before = len(told(cast.alice))
    with cast.alice.scope():
        with pytest.raises(ReadingIsOff, match="does not let"):
            chats_of_member(user_id=cast.bob.user.id)
        with pytest.raises(ReadingIsOff):
            read_member_chat(user_id=cast.bob.user.id, conversation_id=chat.conversation_id)
    assert len(told(cast.alice)) == before


@pytest.mark.parametrize("role", ["member", "auditor"])
def test_who_does_not_govern_reads_nothing(cast: Cast, role: str) -> None:
    allow(cast)
    chat = chat_of(cast.alice, "private")
    other = join(cast, "Otto", role)
    for person in (other, cast.bob, cast.charlie):
        with person.scope():
            for act in (
                lambda: chats_of_member(user_id=cast.alice.user.id),
                lambda: read_member_chat(user_id=cast.alice.user.id, conversation_id=chat.conversation_id),
            ):
                with pytest.raises(NotAllowed):  # Charlie's organisation does not let him
                    act()
    assert told(cast.alice, "chat") == []


def test_each_reading_is_an_event_that_the_member_sees(cast: Cast) -> None:
    chat = chat_of(cast.bob, "private")
    allow(cast)
    token = origin.set(Origin("192.0.2.9", "request-9"))
    try:
        with cast.alice.scope():
            chats_of_member(user_id=cast.bob.user.id)
        read(cast.alice, chat)
        read(cast.alice, chat)
    finally:
        origin.reset(token)
    seen = told(cast.bob, "chat")
    assert [event.action for event in seen] == ["chat.read", "chat.read", "chats.listed"]
    for event in seen:
        assert (event.actor_kind, event.actor_name, event.actor_id) == ("person", "Alice", cast.alice.user.id)
        assert (event.subject_id, event.workspace_id) == (cast.bob.user.id, cast.bob.personal)
        assert (event.address, event.request_id) == ("192.0.2.9", "request-9")
        assert event.object_name == "", "a title is made of what was said"
    assert seen[0].object_id == chat.conversation_id
    assert {event.action for event in seen} == set(oversight.ACTIONS)


def test_a_reading_by_a_key_names_it(cast: Cast) -> None:
    chat = chat_of(cast.bob, "private")
    allow(cast)
    found = find_key(cast.alice.key)
    assert found
    with scope(found[0]):
        read_member_chat(user_id=cast.bob.user.id, conversation_id=chat.conversation_id)
    with pytest.raises(NotAllowed), scope(found[0].narrowed([cast.team])):
        read_member_chat(user_id=cast.bob.user.id, conversation_id=chat.conversation_id)
    (event,) = told(cast.bob, "chat.read")
    assert (event.actor_kind, event.key_id) == ("key", found[0].key_id)


def test_the_database_decides_by_itself(cast: Cast) -> None:
    """Whoever calls the functions past the domain reads nothing more, and leaves the same event."""
    chat = chat_of(cast.bob, "private")

    def call(person: Person, sql: str, *values: object) -> list[object]:
        with person.scope(), connection.cursor() as cursor:
            cursor.execute(sql, [*values, uuid.uuid4()])
            return list(cursor.fetchall())

    listing = "SELECT * FROM chats_of_member(%s, 10, 0, %s, NULL, '', '')"
    reading = "SELECT * FROM read_member_chat(%s, %s, 100, 10, %s, NULL, '', '')"
    bobs = (cast.bob.user.id, chat.conversation_id)
    for person in (cast.alice, cast.bob, cast.charlie):
        assert call(person, reading, *bobs) == []
        with pytest.raises(DatabaseError, match="not yours to read"):
            call(person, listing, cast.bob.user.id)
    assert told(cast.alice, "chat") == []
    allow(cast)
    assert call(cast.alice, reading, *bobs)
    assert call(cast.alice, listing, cast.bob.user.id)
    assert len(told(cast.bob, "chat")) == 2
    for person in (cast.bob, cast.charlie):
        assert call(person, reading, *bobs) == []
        with pytest.raises(DatabaseError, match="not yours to read"):
            call(person, listing, cast.bob.user.id)
    with pytest.raises(DatabaseError, match="permission denied"), cast.alice.scope():
        connection.cursor().execute("SELECT * FROM own_chats_of(%s)", [cast.bob.user.id])


def test_what_is_a_teams_or_deleted_or_of_who_has_left_is_not_read(cast: Cast) -> None:
    allow(cast)
    cast.let_bob_in("editor")
    own, deleted = chat_of(cast.bob, "own"), chat_of(cast.bob, "deleted")
    with cast.bob.scope():
        hidden = services.open_workspace(name="Bob's team").id
        recall.delete(deleted.conversation_id)
    teams = chat_of(cast.bob, "the team's", home=hidden)
    with cast.alice.scope():
        assert [each.conversation_id for each in chats_of_member(user_id=cast.bob.user.id)] == [
            own.conversation_id
        ]
        for chat in (teams, deleted):
            with pytest.raises(Conversation.DoesNotExist):
                read_member_chat(user_id=cast.bob.user.id, conversation_id=chat.conversation_id)
        people.remove_person(membership_id=seat(cast.alice, cast.bob).id)
        with pytest.raises(Membership.DoesNotExist):
            chats_of_member(user_id=cast.bob.user.id)
        with pytest.raises(Conversation.DoesNotExist):
            read_member_chat(user_id=cast.bob.user.id, conversation_id=own.conversation_id)
    assert len(told(cast.alice, "chat")) == 1


def test_a_long_chat_comes_in_parts(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    chat = chat_of(cast.bob, *map(str, range(1, 8)))
    allow(cast)
    monkeypatch.setattr(oversight, "MESSAGES", 3)
    parts, before = [], None
    while True:
        with cast.alice.scope():
            part = read_member_chat(
                user_id=cast.bob.user.id, conversation_id=chat.conversation_id, before=before
            )
        parts.append([each.content for each in part.messages])
        before = part.earlier
        if before is None:
            break
    assert parts == [["5", "6", "7"], ["2", "3", "4"], ["1"]]


def test_a_chat_is_read_under_its_own_members_name(cast: Cast) -> None:
    """Else the event would be shown to somebody else."""
    other = join(cast, "Otto")
    chat = chat_of(cast.bob, "private")
    allow(cast)
    with cast.alice.scope(), pytest.raises(Conversation.DoesNotExist):
        read_member_chat(user_id=other.user.id, conversation_id=chat.conversation_id)
    assert told(cast.alice, "chat.read") == []


def test_an_empty_chat_is_read_too(cast: Cast) -> None:
    chat = chat_of(cast.bob)
    allow(cast)
    assert read(cast.alice, chat) == []
    assert len(told(cast.bob, "chat.read")) == 1


def test_who_loses_the_role_reads_no_more(cast: Cast) -> None:
    give(cast, cast.bob, "admin")
    chat = chat_of(cast.alice, "private")
    allow(cast)
    assert read(cast.bob, chat) == ["private"]
    give(cast, cast.bob, "member")
    with pytest.raises(NotAllowed):
        read(cast.bob, chat)
