"""Owners and admins read a member's chats where the organisation allows it; the member sees each look."""

from __future__ import annotations

from typing import Any

import pytest

from memory.models import Conversation
from tenants import people, services
from tenants.models import AuditEvent, Membership
from tests.cast import Cast, Person, ask, new_agent, new_chat
from tests.tenants.web.pages import page


def allow(cast: Cast, *, allowed: bool = True) -> None:
    with cast.alice.scope():
        services.update_tenant(admins_read_chats=allowed)


def make(cast: Cast, role: str) -> None:
    with cast.alice.scope():
        people.change_role(membership_id=Membership.objects.get(user=cast.bob.user).id, role=role)


def chats_of(asker: Person, person: Person) -> str:
    with person.scope():
        seat = Membership.objects.get(user=person.user)
    return f"/w/{asker.personal}/settings/people/{seat.id}/chats/"


@pytest.fixture
def said(cast: Cast) -> Any:
    """A chat of Bob's own, in which he said something."""
    chat = new_chat(cast.bob, new_agent(cast.bob))
    ask(cast.bob, chat, "My cat is called Miso.")
    with cast.bob.scope():
        Conversation.objects.filter(id=chat.conversation_id).update(title="About cats")
    return chat.conversation_id


def looks(cast: Cast) -> list[str]:
    """What Bob finds in the log about himself being read."""
    with cast.bob.scope():
        rows = AuditEvent.objects.filter(subject_id=cast.bob.user.id, action__startswith="chat")
        return list(rows.order_by("id").values_list("action", flat=True))


def test_an_admin_reads_a_members_chat_and_the_member_sees_it(cast: Cast, said: Any) -> None:
    allow(cast)
    text = page(cast.alice, chats_of(cast.alice, cast.bob))
    assert "About cats" in text
    assert "It is recorded that you did" in text
    text = page(cast.alice, f"{chats_of(cast.alice, cast.bob)}{said}/")
    assert "My cat is called Miso." in text
    assert "It is recorded that you did" in text
    assert looks(cast) == ["chats.listed", "chat.read"]
    assert "Alice" in page(cast.bob, "/me/").split("Who has looked into what is mine")[1]


def test_nobody_reads_where_the_organisation_does_not_allow_it(cast: Cast, said: Any) -> None:
    allow(cast)
    assert cast.alice.browser.get(chats_of(cast.alice, cast.bob)).status_code == 200
    allow(cast, allowed=False)
    for rest in ("", f"{said}/"):
        assert cast.alice.browser.get(f"{chats_of(cast.alice, cast.bob)}{rest}").status_code == 403
    assert looks(cast) == ["chats.listed"]


@pytest.mark.parametrize("role", ["member", "auditor"])
def test_members_and_auditors_read_nobodys(cast: Cast, role: str) -> None:
    allow(cast)
    chat = new_chat(cast.alice, new_agent(cast.alice))
    ask(cast.alice, chat, "My dog is called Taro.")
    make(cast, role)
    for rest in ("", f"{chat.conversation_id}/"):
        answer = cast.bob.browser.get(f"{chats_of(cast.bob, cast.alice)}{rest}")
        assert answer.status_code == 403
        assert "Taro" not in answer.content.decode()
    make(cast, "admin")
    assert "Taro" in page(cast.bob, f"{chats_of(cast.bob, cast.alice)}{chat.conversation_id}/")


def test_a_chat_of_somebody_else_is_not_found_under_a_members_name(cast: Cast, said: Any) -> None:
    allow(cast)
    assert cast.alice.browser.get(f"{chats_of(cast.alice, cast.alice)}{said}/").status_code == 404
    there = f"{chats_of(cast.alice, cast.bob)}{said}/"
    assert cast.alice.browser.get(there).status_code == 200
    assert cast.charlie.browser.get(there).status_code == 404
    theirs = there.replace(str(cast.alice.personal), str(cast.charlie.personal))
    assert cast.charlie.browser.get(theirs).status_code == 404


def test_lists_and_chats_go_page_by_page(cast: Cast, said: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory.oversight.CHATS", 1)
    monkeypatch.setattr("memory.oversight.MESSAGES", 2)
    newer = new_chat(cast.bob, new_agent(cast.bob))
    for number in range(4):
        ask(cast.bob, newer, f"This is number {number}.")
    allow(cast)
    first = page(cast.alice, chats_of(cast.alice, cast.bob))
    assert "About cats" not in first
    assert "About cats" in page(cast.alice, f"{chats_of(cast.alice, cast.bob)}?skipped=1")
    address = f"{chats_of(cast.alice, cast.bob)}{newer.conversation_id}/"
    last = page(cast.alice, address)
    assert "number 0" not in last.split("overseen")[1]
    seen, before = [last], last
    assert "To the newest" not in last
    while "?before=" in before:
        before = page(cast.alice, f"{address}?before={before.split('?before=')[1].split(chr(34))[0]}")
        seen.append(before)
    assert all(any(f"number {number}" in text for text in seen) for number in range(4))


def test_a_list_of_chats_that_ends_before_says_so(cast: Cast, said: Any) -> None:
    allow(cast)
    assert "About cats" in page(cast.alice, chats_of(cast.alice, cast.bob))
    behind = page(cast.alice, f"{chats_of(cast.alice, cast.bob)}?skipped=9")
    assert "The list ends before this." in behind
    assert "has no chats" not in behind


@pytest.mark.parametrize("query", ["skipped=nonsense", "skipped=-1", f"skipped={'9' * 19}", "skipped=%00"])
def test_a_number_that_is_none_breaks_nothing(cast: Cast, said: Any, query: str) -> None:
    allow(cast)
    for rest in ("", f"{said}/"):
        address = f"{chats_of(cast.alice, cast.bob)}{rest}?{query}&{query.replace('skipped', 'before')}"
        assert cast.alice.browser.get(address).status_code in {200, 404}


def test_the_way_there_is_shown_only_where_it_leads_somewhere(cast: Cast) -> None:
    person = chats_of(cast.alice, cast.bob).removesuffix("chats/")
    assert "Read their chats" not in page(cast.alice, person)
    assert "the organisation does not allow it" in page(cast.alice, person)
    allow(cast)
    assert "Read their chats" in page(cast.alice, person)
