"""An organisation keeps an owner: in the domain, in the database, and where two owners go at once."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable

import pytest
from django.db import IntegrityError, connection, connections

from tenants import people
from tenants.models import Membership
from tests.cast import Cast, Person
from tests.tenants.governing import give, join, seat


def owners(cast: Cast) -> list[uuid.UUID]:
    """The owners that are left, past every lock."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            "SELECT user_id FROM tenants_membership WHERE tenant_id = %s AND role = 'owner' AND is_active",
            [cast.alice.identity.tenant_id],
        )
        return [user_id for (user_id,) in cursor.fetchall()]


def test_the_last_owner_neither_leaves_nor_steps_down(cast: Cast) -> None:
    mine = seat(cast.alice, cast.alice).id
    acts: list[Callable[[], object]] = [
        people.leave_tenant,
        lambda: people.remove_person(membership_id=mine),
        lambda: people.change_role(membership_id=mine, role="admin"),
        lambda: people.change_role(membership_id=mine, role="auditor"),
    ]
    for act in acts:
        with pytest.raises(people.LastOwner), cast.alice.scope():
            act()
    with cast.alice.scope():
        assert people.preview_leaving(membership_id=mine).is_last_owner
    give(cast, cast.bob, "owner")
    with cast.alice.scope():
        assert not people.preview_leaving(membership_id=mine).is_last_owner
        people.leave_tenant()
    with pytest.raises(people.LastOwner), cast.bob.scope():
        people.leave_tenant()


@pytest.mark.parametrize(
    "change", ["role = 'member'", "is_active = false"], ids=["another role", "no seat any more"]
)
def test_the_database_refuses_it_to_who_passes_the_domain(cast: Cast, change: str) -> None:
    with pytest.raises(IntegrityError, match="keeps an owner"), cast.alice.scope():
        _sql(f"UPDATE tenants_membership SET {change} WHERE user_id = %s", cast.alice.user.id)
    with pytest.raises(IntegrityError, match="keeps an owner"):
        _delete(cast.alice)
    assert seat(cast.alice, cast.alice).role == "owner"
    with cast.alice.scope():  # in whichever order, as long as there is one in the end
        _sql("UPDATE tenants_membership SET role = 'member' WHERE user_id = %s", cast.alice.user.id)
        _sql("UPDATE tenants_membership SET role = 'owner' WHERE user_id = %s", cast.bob.user.id)
    assert seat(cast.bob, cast.bob).role == "owner"


def _delete(person: Person) -> None:
    with person.scope():
        for table in ("tenants_workspacemember", "tenants_membership"):
            _sql(f"DELETE FROM {table} WHERE user_id = %s", person.user.id)


def _sql(statement: str, *values: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        assert cursor.rowcount >= 1


def together(*acts: Callable[[], None]) -> list[type[BaseException] | None]:
    """Acts in threads of their own that meet before they begin; how each ended."""
    start = threading.Barrier(len(acts))
    ended: list[type[BaseException] | None] = [None] * len(acts)

    def run(place: int, act: Callable[[], None]) -> None:
        try:
            start.wait(timeout=60)
            act()
        except (people.LastOwner, IntegrityError) as error:
            ended[place] = type(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
        assert not thread.is_alive()
    return ended


@pytest.mark.parametrize("_round", range(5))
def test_of_two_owners_who_leave_at_once_one_stays(cast: Cast, _round: int) -> None:
    give(cast, cast.bob, "owner")

    def leave(person: Person) -> None:
        with person.scope():
            people.leave_tenant()

    ended = together(lambda: leave(cast.alice), lambda: leave(cast.bob))
    assert sorted(map(str, ended)) == sorted(map(str, [None, people.LastOwner]))
    assert len(owners(cast)) == 1


def test_two_owners_who_remove_each_other_do_not_both_go(cast: Cast) -> None:
    give(cast, cast.bob, "owner")
    seats = {person.name: seat(cast.alice, person).id for person in (cast.alice, cast.bob)}

    def remove(person: Person, whom: str) -> None:
        try:
            with person.scope():
                people.remove_person(membership_id=seats[whom])
        except Membership.DoesNotExist:  # they are nobody here any more
            raise people.LastOwner from None

    ended = together(lambda: remove(cast.alice, "Bob"), lambda: remove(cast.bob, "Alice"))
    assert ended.count(None) == 1
    assert len(owners(cast)) == 1


def test_the_database_holds_it_also_where_both_pass_the_domain_at_once(cast: Cast) -> None:
    give(cast, cast.bob, "owner")
    meet = threading.Barrier(2)

    def step_down(person: Person) -> None:
        with person.scope():
            _sql("UPDATE tenants_membership SET role = 'member' WHERE user_id = %s", person.user.id)
            meet.wait(timeout=60)  # both have changed their row, and neither sees the other's change

    ended = together(lambda: step_down(cast.alice), lambda: step_down(cast.bob))
    assert sorted(map(str, ended)) == sorted(map(str, [None, IntegrityError]))
    assert len(owners(cast)) == 1


def test_an_owner_among_several_goes_freely(cast: Cast) -> None:
    other = join(cast, "Olga", "owner")
    with cast.alice.scope():
        people.leave_tenant()
    assert seat(other, other).role == "owner"
    assert not seat(other, cast.alice).is_active
