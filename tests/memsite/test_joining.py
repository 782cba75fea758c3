"""What an invited person sees before they join, who may, and where it leads."""

from __future__ import annotations

import html
import threading
import time
import uuid
from typing import Any

import pytest
from django.db import connection, transaction

from tenants import invitations, people, services
from tenants.models import Membership, User
from tests.cast import Cast, Client, Person

ACCOUNT = {"name": "Dora", "password": "a long enough one", "time_zone": "UTC"}


def link_for(person: Person, email: str, **fields: Any) -> str:
    with person.scope():
        return f"/join/{invitations.invite(**({'email': email, 'role': 'member'} | fields))}/"


def somebody() -> str:
    return f"dora-{uuid.uuid4().hex[:8]}@example.com"


def seen(link: str, browser: Client | None = None) -> str:
    return html.unescape((browser or Client()).get(link).content.decode())


def test_it_says_who_invites_into_what_as_what_and_what_others_see(alice: Person) -> None:
    text = seen(link_for(alice, somebody(), role="admin"))
    for words in (
        "Alice",
        "Join acme-",
        "admin",
        "Invites and removes people",
        "Everybody there: the name that you choose",
        "owners and admins do not read them",
    ):
        assert words in text


def test_it_says_where_admins_read_chats(alice: Person) -> None:
    link = link_for(alice, somebody())
    assert "Owners and admins may read your chats." not in seen(link)
    with alice.scope():
        services.update_tenant(admins_read_chats=True)
    assert "Owners and admins may read your chats." in seen(link)


def test_a_person_who_has_an_account_signs_in_to_join_with_it(cast: Cast) -> None:
    link = link_for(cast.alice, cast.charlie.user.email)
    text = seen(link)
    assert "Sign in to join" in text
    assert 'name="password"' not in text
    assert f"next={link.replace('/', '%2F')}" in text or f"next={link}" in text
    answer = cast.charlie.browser.post(link, {"name": "Charles"})
    assert answer.status_code == 302
    assert "/first-steps/" in answer["Location"]
    seats = {seat.tenant_id: seat.display_name for seat in services.seats_of(cast.charlie.user.id)}
    assert seats[cast.alice.identity.tenant_id] == "Charles"
    assert len(seats) == 2


def test_a_link_is_for_nobody_else(cast: Cast) -> None:
    link = link_for(cast.alice, somebody())
    text = html.unescape(cast.charlie.browser.post(link, {"name": "Charlie"}).content.decode())
    assert "the invitation is for somebody else" in text
    assert len(services.seats_of(cast.charlie.user.id)) == 1


def test_an_account_that_is_not_made_leaves_the_link_good(alice: Person) -> None:
    email = somebody()
    link = link_for(alice, email)
    answer = Client().post(link, ACCOUNT | {"password": "short"})
    assert answer.status_code == 422
    assert "Dora" in answer.content.decode()
    assert not User.objects.filter(email=email).exists()
    assert Client().post(link, ACCOUNT).status_code == 302


def test_a_used_link_says_so(alice: Person) -> None:
    link = link_for(alice, somebody())
    assert Client().post(link, ACCOUNT).status_code == 302
    answer = Client().get(link)
    assert answer.status_code == 404
    assert "It was accepted already." in answer.content.decode()


def test_a_link_dies_with_the_right_of_its_maker(cast: Cast) -> None:
    def make_bob(role: str) -> None:
        with cast.alice.scope():
            seat = Membership.objects.get(user=cast.bob.user)
            people.change_role(membership_id=seat.id, role=role)

    make_bob("admin")
    link = link_for(cast.bob, somebody())
    assert Client().get(link).status_code == 200
    make_bob("member")
    assert Client().get(link).status_code == 404
    assert Client().post(link, ACCOUNT).status_code == 404


@pytest.mark.parametrize("token", ["nonsense", "a:b:c", "%00", "x" * 600])
def test_a_made_up_link_is_not_found(database: None, token: str) -> None:
    assert Client().get(f"/join/{token}/").status_code == 404


def test_who_was_removed_comes_back_to_what_was_theirs(cast: Cast) -> None:
    with cast.alice.scope():
        seat = Membership.objects.get(user=cast.bob.user)
        people.remove_person(membership_id=seat.id)
    assert cast.bob.browser.get(f"/w/{cast.bob.personal}/").status_code in {302, 404}
    link = link_for(cast.alice, cast.bob.user.email)
    answer = cast.bob.browser.post(link, {"name": "Bob again"})
    assert str(cast.bob.personal) in answer["Location"]


def test_an_auditor_is_led_to_the_log(cast: Cast) -> None:
    guest = Client()
    answer = guest.post(link_for(cast.alice, somebody(), role="auditor"), ACCOUNT)
    text = guest.get(answer["Location"]).content.decode()
    assert "Read the audit log" in text
    assert guest.get("/")["Location"].endswith("/audit/")


def test_a_form_sent_twice_at_once_makes_one_account_and_no_fault(alice: Person) -> None:
    email = somebody()
    link = link_for(alice, email)
    answers: list[Any] = []

    def press() -> None:
        try:
            answers.append(Client().post(link, ACCOUNT))
        finally:
            connection.close()

    second = threading.Thread(target=press)
    with transaction.atomic():
        User.objects.create_user(email, ACCOUNT["password"])  # the first press, which is not done yet
        second.start()
        await_a_wait_for_me()
    second.join()
    assert (answers[0].status_code, answers[0]["Location"]) == (302, link)
    assert User.objects.filter(email=email).count() == 1


def await_a_wait_for_me() -> None:
    """Until somebody waits for what the present transaction holds."""
    for _try in range(1200):
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))"
            )
            if cursor.fetchone()[0]:
                return
        time.sleep(0.05)
    raise AssertionError("nobody waits")
