"""Links that give a seat: to one person, for a time, once, and as long as their maker may give it."""

from __future__ import annotations

import threading
import uuid
from datetime import timedelta

import pytest
from django.core import mail
from django.db import connection, connections
from django.utils import timezone

from tenants import invitations, members, people, services
from tenants.invitations import BadInvitation, CannotInvite
from tenants.models import Invitation, Membership, User
from tenants.permissions import NotAllowed
from tenants.scope import scope
from tests.cast import Cast, Person
from tests.tenants.governing import actions, give, join, newcomer, seat, told


def invite(by: Person, user: User, role: str = "member", **more: object) -> str:
    with by.scope():
        return invitations.invite(email=user.email, role=role, **more)  # type: ignore[arg-type]


def the_invitation(by: Person) -> Invitation:
    with by.scope():
        return Invitation.objects.order_by("-id")[0]


def refused(token: str) -> str:
    """Why a link is not good."""
    with pytest.raises(BadInvitation) as caught:
        invitations.read(token)
    return caught.value.reason


def refuses(token: str, user: User) -> str:
    """Why nobody gets in with it."""
    with pytest.raises(BadInvitation) as caught:
        invitations.accept(token, user, name="x")
    assert not _sits(user)
    return caught.value.reason


def _sits(user: User) -> bool:
    return bool(services.seats_of(user.id))


def test_it_says_what_it_offers_and_seats_whom_it_names(cast: Cast) -> None:
    user = newcomer()
    token = invite(cast.alice, user, "admin", workspace_id=cast.team, workspace_role="editor")
    offer = invitations.read(token)
    assert (offer.inviter_name, offer.email, offer.role) == ("Alice", user.email, "admin")
    assert (offer.workspace_name, offer.workspace_role) == ("Research", "editor")
    assert (offer.tenant_id, offer.admins_read_chats) == (cast.alice.identity.tenant_id, False)
    identity = invitations.accept(token, user, name=" Dora ")
    with scope(identity) as entered:
        assert services.my_membership().name == "Dora"
        assert services.my_membership().role == "admin"
        assert entered.workspaces[cast.team].role == "editor"
        assert entered.workspaces[cast.organisation].role == "admin"
    (event,) = told(cast.alice, "invitation.accepted")
    assert (event.actor_id, event.subject_id) == (user.id, user.id)


def test_only_a_hash_of_the_token_is_kept(cast: Cast) -> None:
    token = invite(cast.alice, newcomer())
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT to_jsonb(i)::text FROM tenants_invitation i ORDER BY id DESC LIMIT 1")
        assert token not in cursor.fetchone()[0]
        cursor.execute("SELECT to_jsonb(e)::text FROM tenants_auditevent e ORDER BY id DESC LIMIT 5")
        assert all(token not in text for (text,) in cursor.fetchall())


@pytest.mark.parametrize("token", ["", "nonsense", "a" * 43, "\x00", "%", "密"])
def test_a_made_up_token_is_unknown(database: None, token: str) -> None:
    assert refused(token) == "unknown"


def test_it_is_for_nobody_else(cast: Cast) -> None:
    token = invite(cast.alice, newcomer())
    other = newcomer("other")
    assert refuses(token, other) == "unknown"
    assert invitations.read(token), "it waits for whom it names"


def test_an_e_mail_is_one_in_whatever_case(cast: Cast) -> None:
    user = newcomer()
    with cast.alice.scope():
        token = invitations.invite(email=f"  {user.email.upper()} ", role="member")
    assert invitations.accept(token, user, name="x").user_id == user.id


def test_it_expires(cast: Cast) -> None:
    user = newcomer()
    token = invite(cast.alice, user)
    with cast.alice.scope():
        Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert refused(token) == refuses(token, user) == "expired"


def test_a_revoked_link_is_dead_and_a_renewed_one_replaces_it(cast: Cast) -> None:
    user = newcomer()
    first = invite(cast.alice, user)
    made = the_invitation(cast.alice)
    with cast.alice.scope():
        invitations.revoke(invitation_id=made.id)
        assert not invitations.pending().exists()
    assert refused(first) == refuses(first, user) == "revoked"
    with cast.alice.scope():
        second = invitations.renew(invitation_id=made.id)
        assert [each.id for each in invitations.pending()] == [made.id]
    assert refused(first) == "unknown"
    assert invitations.accept(second, user, name="x")
    assert actions(cast.alice, action="invitation.") == [
        "invitation.accepted",
        "invitation.renewed",
        "invitation.revoked",
        "invitation.made",
    ]


def test_a_used_link_is_used(cast: Cast) -> None:
    user = newcomer()
    token = invite(cast.alice, user)
    identity = invitations.accept(token, user, name="x")
    assert refused(token) == "accepted"
    assert invitations.accept(token, user, name="y") == identity, "a second use changes nothing"
    assert actions(cast.alice, action="invitation.accepted") == ["invitation.accepted"]
    assert refuses(token, newcomer("other")) == "accepted"
    with cast.alice.scope():
        made = Invitation.objects.get(accepted_by=user)
        for act in (invitations.revoke, invitations.renew):
            with pytest.raises(Invitation.DoesNotExist):
                act(invitation_id=made.id)


def test_a_used_link_does_not_bring_back_who_was_removed(cast: Cast) -> None:
    user = newcomer()
    token = invite(cast.alice, user)
    invitations.accept(token, user, name="x")
    with cast.alice.scope():
        people.remove_person(membership_id=Membership.objects.get(user_id=user.id).id)
    assert refuses(token, user) == "accepted"


def test_open_links_die_with_the_seat_of_whom_they_name(cast: Cast) -> None:
    """Two links to one person; one is used, the person is removed: the other is no way back."""
    user = newcomer()
    first, second = invite(cast.alice, user), invite(cast.alice, user)
    invitations.accept(first, user, name="x")
    with cast.alice.scope():
        people.remove_person(membership_id=Membership.objects.get(user_id=user.id).id)
    assert refuses(second, user) == "revoked"


@pytest.mark.parametrize("role", ["member", "auditor"])
def test_it_dies_with_the_right_of_its_maker(cast: Cast, role: str) -> None:
    give(cast, cast.bob, "admin")
    user = newcomer()
    token = invite(cast.bob, user)
    assert invitations.read(token).inviter_name == "Bob"
    give(cast, cast.bob, role)
    assert refused(token) == refuses(token, user) == "unknown"
    give(cast, cast.bob, "admin")
    assert invitations.read(token)
    with cast.alice.scope():
        people.remove_person(membership_id=seat(cast.alice, cast.bob).id)
    assert refuses(token, user) == "revoked"


def test_a_link_to_a_workspace_dies_with_its_makers_place_there(cast: Cast) -> None:
    give(cast, cast.bob, "admin")
    cast.let_bob_in("admin")
    user = newcomer()
    token = invite(cast.bob, user, workspace_id=cast.team)
    assert invitations.read(token).workspace_name == "Research"
    cast.let_bob_in("editor")
    assert refuses(token, user) == "unknown"
    cast.let_bob_in("admin")
    with cast.alice.scope():
        services.close_workspace(workspace_id=cast.team)
    assert refused(token) == refuses(token, user) == "closed"


def test_only_who_governs_invites_and_sees_invitations(cast: Cast) -> None:
    admin, auditor = join(cast, "Ada", "admin"), join(cast, "Otto", "auditor")
    invite(admin, newcomer())
    made = the_invitation(admin)
    for person in (cast.bob, auditor):
        with person.scope():
            assert not Invitation.objects.exists()
            for act in (
                lambda: invitations.invite(email="x@example.com", role="member"),
                lambda: invitations.revoke(invitation_id=made.id),
                lambda: invitations.renew(invitation_id=made.id),
            ):
                with pytest.raises(NotAllowed):
                    act()
    with cast.alice.scope():
        assert Invitation.objects.count() == 1, "the owner sees what another has made"
        invitations.revoke(invitation_id=made.id)
    with cast.charlie.scope(), pytest.raises(Invitation.DoesNotExist):
        invitations.revoke(invitation_id=made.id)


def test_the_database_hides_them_from_members_by_itself(cast: Cast, locks: str) -> None:
    invite(cast.alice, newcomer())
    with cast.alice.scope():
        assert Invitation.objects.count() == 1
        key = Invitation.objects.get().id
    with cast.bob.scope():
        assert not Invitation.objects.filter(id=key).exists()
        assert Invitation.objects.filter(id=key).update(role="admin") == 0


def test_it_gives_only_what_a_link_may_give(cast: Cast) -> None:
    user = newcomer()
    wrong = [
        ({"email": "no address"}, "email"),
        ({"role": "owner"}, "role"),
        ({"role": "king"}, "role"),
        ({"workspace_role": "owner"}, "workspace_role"),
        ({"days": 0}, "days"),
        ({"days": 91}, "days"),
        ({"role": "auditor", "workspace_id": cast.team}, "workspace"),
    ]
    for change, field in wrong:
        with cast.alice.scope(), pytest.raises(CannotInvite) as caught:
            invitations.invite(**({"email": user.email, "role": "member"} | change))  # type: ignore[arg-type]
        assert caught.value.field == field
    with cast.alice.scope():
        with pytest.raises(services.NotShared):
            invitations.invite(email=user.email, role="member", workspace_id=cast.alice.personal)
        with pytest.raises(people.AlreadySeated):
            invitations.invite(email=cast.bob.user.email, role="member")
        with pytest.raises(NotAllowed):
            invitations.invite(email=user.email, role="member", workspace_id=uuid.uuid4())


def test_who_was_seated_meanwhile_gets_the_workspace_and_keeps_their_role(cast: Cast) -> None:
    user = newcomer()
    token = invite(cast.alice, user, "admin", workspace_id=cast.team, workspace_role="admin")
    with cast.alice.scope():
        people.add_person(user=user, name="Dora")
        members.add_member(workspace_id=cast.team, user_id=user.id, role="viewer")
    identity = invitations.accept(token, user, name="x")
    with scope(identity) as entered:
        assert services.my_membership().role == "member"
        assert entered.workspaces[cast.team].role == "viewer"


def test_a_link_that_is_used_twice_at_once_gives_one_seat(cast: Cast) -> None:
    user = newcomer()
    token = invite(cast.alice, user)
    start = threading.Barrier(4)

    def use() -> None:
        start.wait(timeout=60)
        try:
            invitations.accept(token, user, name="x")
        finally:
            connection.close()

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    assert len(services.seats_of(user.id)) == 1
    assert actions(cast.alice, action="invitation.accepted") == ["invitation.accepted"]


def test_it_goes_out_by_e_mail_where_that_is_asked(cast: Cast) -> None:
    user = newcomer()
    with cast.alice.scope():
        services.update_tenant(name="Acme\r\nBcc: everybody@example.com")
        token = invitations.invite(email=user.email, role="member")
        assert mail.outbox == []
        invitations.send(invitations.read(token), f"https://example.com/join/{token}/")
    (sent,) = mail.outbox
    assert (sent.to, sent.bcc) == ([user.email], [])
    assert "\n" not in sent.subject
    assert token in sent.body
    assert actions(cast.alice, action="invitation.sent") == ["invitation.sent"]
