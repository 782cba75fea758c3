"""What an operator does about people goes through the domain: its rules hold, and the log has it."""

import logging
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tenants import services
from tenants.models import Membership, User
from tenants.permissions import NotAllowed
from tests.cast import PASSWORD, Cast, Person
from tests.memsite.operators.staff import Staff, appointed, events


@pytest.fixture(autouse=True)
def _refusals_are_expected(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, "django.request")


def seat(asker: Person, person: Person) -> Membership:
    with asker.scope():
        return Membership.objects.get(user_id=person.user.id)


def test_a_person_is_removed_as_an_owner_would(inside: Staff, cast: Cast) -> None:
    answer = inside.act("tenants_membership", "remove", seat(cast.alice, cast.bob).id)
    assert "1 person removed" in answer.content.decode()
    assert not seat(cast.alice, cast.bob).is_active
    (event,) = events(cast.alice, "person.removed")
    assert (event.actor_kind, event.subject_id) == ("staff", cast.bob.user.id)
    assert cast.bob.api.get("/api/v1/agents/").status_code == 401


def test_the_last_owner_stays_and_the_list_says_why(inside: Staff, cast: Cast) -> None:
    answer = inside.act("tenants_membership", "remove", seat(cast.alice, cast.alice).id)
    assert "keeps an owner" in answer.content.decode()
    assert seat(cast.alice, cast.alice).is_active
    changed = inside.post("tenants_membership_change", seat(cast.alice, cast.alice).id, role="member")
    assert changed.status_code == 200
    assert "keeps an owner" in changed.content.decode()
    assert seat(cast.alice, cast.alice).role == "owner"


def test_a_role_is_changed(inside: Staff, cast: Cast) -> None:
    bob = seat(cast.alice, cast.bob)
    assert inside.post("tenants_membership_change", bob.id, role="admin").status_code == 302
    assert seat(cast.alice, cast.bob).role == "admin"
    (event,) = events(cast.alice, "person.role_changed")
    assert (event.actor_kind, event.details["role"]) == ("staff", "admin")


def test_a_role_that_is_none_is_refused_in_the_form(inside: Staff, cast: Cast) -> None:
    bob = seat(cast.alice, cast.bob)
    assert inside.post("tenants_membership_change", bob.id, role="emperor").status_code == 200
    assert inside.post("tenants_membership_change", bob.id).status_code == 200
    assert seat(cast.alice, cast.bob).role == "member"


def test_staff_cannot_give_itself_leave_to_read(inside: Staff, cast: Cast) -> None:
    with inside.scope(cast.alice), pytest.raises(NotAllowed):
        services.update_tenant(operators_read=True)


def test_a_shut_account_is_out_and_each_of_its_tenants_knows(staff: Staff, cast: Cast) -> None:
    assert cast.bob.browser.get("/me/").status_code == 200
    staff.act("tenants_user", "deactivate", cast.bob.user.id)
    assert cast.bob.browser.get("/me/").status_code == 302
    assert cast.bob.api.get("/api/v1/agents/").status_code == 401
    (event,) = events(cast.alice, "account.deactivated")
    assert (event.actor_kind, event.actor_id) == ("staff", staff.user.id)
    assert (event.subject_id, event.object_name) == (cast.bob.user.id, "Bob")
    assert events(cast.charlie, "account.deactivated") == []
    staff.act("tenants_user", "reactivate", cast.bob.user.id)
    assert cast.bob.api.get("/api/v1/agents/").status_code == 200
    assert len(events(cast.alice, "account.reactivated")) == 1


def test_ones_own_account_stays_open(staff: Staff) -> None:
    answer = staff.act("tenants_user", "deactivate", staff.user.id)
    assert "Your own account stays active" in answer.content.decode()
    assert User.objects.get(id=staff.user.id).is_active


def test_accounts_cannot_be_edited(staff: Staff, cast: Cast) -> None:
    taken: dict[str, Any] = {"email": "taken@example.com", "is_staff": "on"}
    assert staff.post("tenants_user_change", cast.bob.user.id, **taken).status_code == 403
    assert not User.objects.get(id=cast.bob.user.id).is_staff


def test_too_many_at_once_are_refused(inside: Staff, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tenants.admin.section.AT_ONCE", 1)
    both = [seat(cast.alice, each).id for each in (cast.alice, cast.bob)]
    answer = inside.act("tenants_membership", "remove", *both)
    assert "Choose fewer" in answer.content.decode()
    assert seat(cast.alice, cast.bob).is_active


def told(*arguments: str) -> str:
    said = StringIO()
    call_command("staff", *arguments, stdout=said)
    return said.getvalue()


def test_the_command_appoints_and_dismisses(database: None) -> None:
    person = appointed(is_staff=False)
    assert person.get("index").status_code == 404
    assert "is staff of the site" in told(person.user.email.upper())
    assert person.get("index").status_code == 200
    assert "is no staff" in told(person.user.email, "--remove")
    assert person.get("index").status_code == 404


def test_the_command_makes_an_account_where_there_is_none(database: None) -> None:
    email = f"new-{appointed().user.id.hex}@example.com"
    with pytest.raises(CommandError, match="no account"):
        told(email)
    with pytest.raises(CommandError):
        told(email, "--password", "short")
    told(email, "--password", PASSWORD)
    made = User.objects.get(email=email)
    assert made.is_staff
    assert made.check_password(PASSWORD)
