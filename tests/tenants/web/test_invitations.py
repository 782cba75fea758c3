"""Invitations: a link that is shown once, sent where that is wanted, renewed, revoked; who joins by it."""

from __future__ import annotations

import html
import re
import uuid
from typing import Any

import pytest
from django.core import mail

from tenants import services
from tenants.models import Invitation, User, WorkspaceMember
from tests.cast import NOBODY, Cast, Client, Person
from tests.tenants.web.pages import page, toast

NEW = {"role": "member", "workspace": "", "workspace_role": "member", "days": "7"}


def invitations_of(person: Person) -> str:
    return f"/w/{person.personal}/settings/invitations/"


def somebody() -> str:
    return f"dora-{uuid.uuid4().hex[:8]}@example.com"


def link_in(answer: Any) -> str:
    """The link that a page shows, as a path."""
    text = html.unescape(answer.content.decode())
    found = re.search(r'id="invitation">http://testserver([^<]+)<', text)
    assert found, text
    return found.group(1)


def invite(person: Person, email: str, **fields: Any) -> str:
    return link_in(person.browser.post(invitations_of(person), NEW | {"email": email} | fields))


def of(person: Person, email: str, verb: str) -> str:
    with person.scope():
        found = Invitation.objects.get(email=email)
    return f"{invitations_of(person)}{found.id}/{verb}/"


def test_an_invited_person_makes_an_account_and_is_in(alice: Person) -> None:
    email = somebody()
    link = invite(alice, email)
    guest = Client()
    assert guest.get(link).status_code == 200
    answer = guest.post(link, {"name": "Dora", "password": "a long enough one", "time_zone": "UTC"})
    assert answer.status_code == 302
    text = guest.get(answer["Location"]).content.decode()
    assert "First steps" in text
    assert "Dora" in text
    seats = services.seats_of(User.objects.get(email=email).id)
    assert [(seat.tenant_id, seat.role) for seat in seats] == [(alice.identity.tenant_id, "member")]
    assert email in page(alice, f"{invitations_of(alice)}?state=joined", fragment=True)
    assert email not in page(alice, invitations_of(alice), fragment=True)


def test_an_invitation_leads_into_a_workspace_with_its_role(cast: Cast) -> None:
    email = somebody()
    link = invite(cast.alice, email, workspace=str(cast.team), workspace_role="editor")
    text = html.unescape(Client().get(link).content.decode())
    assert "Research, editor" in text
    Client().post(link, {"name": "Dora", "password": "a long enough one", "time_zone": "UTC"})
    with cast.alice.scope():
        member = WorkspaceMember.objects.get(workspace_id=cast.team, membership__name="Dora")
    assert member.role == "editor"


def test_only_admins_invite(cast: Cast) -> None:
    address = invitations_of(cast.bob)
    assert cast.bob.browser.get(address).status_code == 403
    assert cast.bob.browser.post(address, NEW | {"email": somebody()}).status_code == 403
    assert cast.alice.browser.get(invitations_of(cast.alice)).status_code == 200


@pytest.mark.parametrize(
    ("field", "value"),
    [("email", "no address"), ("role", "owner"), ("days", "365"), ("workspace", NOBODY)],
)
def test_a_refused_form_keeps_what_was_typed(alice: Person, field: str, value: str) -> None:
    typed = NEW | {"email": "kept@example.com", field: value}
    answer = alice.browser.post(invitations_of(alice), typed)
    assert answer.status_code == 422
    assert typed["email"] in answer.content.decode()
    with alice.scope():
        assert not Invitation.objects.exists()


def test_who_is_in_already_is_not_invited(cast: Cast) -> None:
    answer = cast.alice.browser.post(invitations_of(cast.alice), NEW | {"email": cast.bob.user.email})
    assert answer.status_code == 422
    assert "This person is in the organisation already." in answer.content.decode()


def test_a_workspace_that_is_not_mine_to_fill_is_not_offered(cast: Cast) -> None:
    with cast.bob.scope():
        garden = services.open_workspace(name="Garden")
    body = NEW | {"email": somebody(), "workspace": str(garden.id)}
    assert cast.alice.browser.post(invitations_of(cast.alice), body).status_code == 422


def test_an_auditor_is_in_no_shared_workspace(cast: Cast) -> None:
    made = {}
    for role in ("member", "auditor"):  # the form names the workspace that it was opened in by itself
        made[role] = somebody()
        assert invite(cast.alice, made[role], role=role, workspace=str(cast.team))
    with cast.alice.scope():
        places = dict(Invitation.objects.values_list("email", "workspace_id"))
    assert (places[made["member"]], places[made["auditor"]]) == (cast.team, None)


def test_the_link_is_sent_where_that_is_wanted(alice: Person) -> None:
    mail.outbox = []
    silent = somebody()
    invite(alice, silent)
    assert mail.outbox == []
    email = somebody()
    link = invite(alice, email, send="on")
    assert [message.to for message in mail.outbox] == [[email]]
    assert link in str(mail.outbox[0].body)


def test_a_site_that_sends_no_email_says_so(alice: Person, settings: Any) -> None:
    assert 'name="send"' in page(alice, invitations_of(alice))
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    text = page(alice, invitations_of(alice))
    assert 'name="send"' not in text
    assert "This site sends no email" in text


def test_an_email_that_fails_leaves_the_link(alice: Person, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    answer = alice.browser.post(invitations_of(alice), NEW | {"email": somebody(), "send": "on"})
    assert "The email could not be sent." in answer.content.decode()
    assert Client().get(link_in(answer)).status_code == 200


def test_a_new_link_kills_the_old_one(alice: Person) -> None:
    email = somebody()
    old = invite(alice, email)
    assert Client().get(old).status_code == 200
    new = link_in(alice.browser.post(of(alice, email, "renew")))
    assert Client().get(old).status_code == 404
    assert Client().get(new).status_code == 200


def test_a_revoked_link_is_dead_and_says_what_to_do(alice: Person) -> None:
    email = somebody()
    link = invite(alice, email)
    answer = alice.browser.post(of(alice, email, "revoke"), follow=True)
    assert f"The link for {email} no longer works." in toast(answer.content.decode())
    gone = Client().get(link)
    assert gone.status_code == 404
    assert "It was taken back" in gone.content.decode()
    assert email in page(alice, f"{invitations_of(alice)}?state=ended", fragment=True)


def test_a_member_and_a_stranger_renew_and_revoke_nothing(cast: Cast) -> None:
    email = somebody()
    link = invite(cast.alice, email)
    for person, status in ((cast.bob, 403), (cast.charlie, 404)):
        for verb in ("renew", "revoke"):
            path = of(cast.alice, email, verb).replace(str(cast.alice.personal), str(person.personal))
            assert person.browser.post(path).status_code == status
    assert Client().get(link).status_code == 200


def test_an_address_is_found(alice: Person) -> None:
    first, second = somebody(), somebody()
    invite(alice, first)
    invite(alice, second)
    text = page(alice, f"{invitations_of(alice)}?q={first[:10]}", fragment=True)
    assert first in text
    assert second not in text
    assert "No invitation is like this." in page(alice, f"{invitations_of(alice)}?q=zzzz")


def test_a_forged_form_invites_nobody(alice: Person, forged: Any) -> None:
    forged(alice, invitations_of(alice), NEW | {"email": somebody()})
    with alice.scope():
        assert not Invitation.objects.exists()


def test_a_form_that_was_sent_again_leaves_the_link_alive(alice: Person) -> None:
    email = somebody()
    this = {"once": re.findall(r'name="once" value="(\w+)"', page(alice, invitations_of(alice)))[0]}
    invite(alice, email, **this)
    again = alice.browser.post(invitations_of(alice), NEW | {"email": email} | this, follow=True)
    assert "That link was shown when it was made." in toast(again.content.decode())
    with alice.scope():
        assert Invitation.objects.filter(email=email).count() == 1
    renew, this = of(alice, email, "renew"), {"once": "of the row"}
    link = link_in(alice.browser.post(renew, this))
    assert 'id="invitation"' not in alice.browser.post(renew, this, follow=True).content.decode()
    assert Client().get(link).status_code == 200
