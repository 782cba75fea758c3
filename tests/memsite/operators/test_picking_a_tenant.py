"""An operator works in one tenant at a time; before, nothing of any is read."""

import logging
import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from memory.models import Block
from tenants.models import Tenant, Workspace
from tenants.scope import NoScope, _scoped_tables
from tests.cast import Cast
from tests.memsite.operators.staff import Staff, appointed, block_of, events
from tests.tenants.locks import LOCKS, turned
from tests.tenants.walk import routes


@pytest.fixture(autouse=True)
def _refusals_are_expected(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, "django.request")


def test_without_a_tenant_the_lists_of_tenants_and_accounts_are_all_there_is(
    staff: Staff, cast: Cast
) -> None:
    seen = {}
    for route in routes("admin"):
        if not route.values and route.name not in {"admin:jsi18n", "admin:leave"}:
            with CaptureQueriesContext(connection) as asked:
                seen[route.name] = staff.browser.get(reverse(route.name)).status_code
            tables = {name for query in asked for name in _scoped_tables().findall(query["sql"])}
            assert tables == set(), route
    shown = {name for name, status in seen.items() if status == 200}
    assert shown == {"admin:index", "admin:tenants_user_changelist"}
    assert {status for name, status in seen.items() if name not in shown} == {302}


def test_pages_of_rows_lead_to_the_list_of_tenants_too(staff: Staff, cast: Cast) -> None:
    block = block_of(cast.alice, cast.team)
    answer = staff.get("memory_block_change", block.id)
    assert (answer.status_code, answer.headers["Location"]) == (302, reverse("admin:index"))
    changed = staff.post("memory_block_change", block.id, value="taken over")
    assert changed.status_code == 302
    with cast.alice.scope():
        assert Block.objects.get(id=block.id).value == "Something."


def test_the_list_finds_tenants_by_name(staff: Staff, cast: Cast) -> None:
    with cast.alice.scope():
        tenant = Tenant.objects.get()
    there = reverse("admin:pick", args=[tenant.id])
    assert there in staff.text("index", q=tenant.name.upper())
    assert there not in staff.text("index", q=f"not {tenant.name}")
    assert staff.get("index", q="\x00%_'\"", p="-1").status_code == 200
    assert staff.get("index", p="99999999999999999999").status_code == 200


def test_entering_and_leaving_stand_in_the_tenants_log(staff: Staff, cast: Cast) -> None:
    staff.enter(cast.alice)
    (entered,) = events(cast.alice, "tenant.entered")
    assert (entered.actor_kind, entered.actor_id, entered.actor_name) == (
        "staff",
        staff.user.id,
        staff.user.email,
    )
    assert (entered.object_id, entered.address) == (cast.alice.identity.tenant_id, "127.0.0.1")
    assert staff.get("tenant").status_code == 200
    staff.post("leave")
    assert [event.actor_id for event in events(cast.alice, "tenant.left")] == [staff.user.id]
    assert staff.get("tenant").status_code == 302


def test_entering_another_leaves_the_first(staff: Staff, cast: Cast) -> None:
    mine, theirs = block_of(cast.alice, cast.team), block_of(cast.charlie, cast.charlie.personal)
    staff.enter(cast.alice)
    assert staff.get("memory_block_change", mine.id).status_code == 200
    staff.enter(cast.charlie)
    assert len(events(cast.alice, "tenant.left")) == 1
    assert len(events(cast.charlie, "tenant.entered")) == 1
    assert staff.get("memory_block_change", theirs.id).status_code == 200
    assert staff.get("memory_block_change", mine.id).status_code == 404


def test_the_same_again_is_not_written_twice(inside: Staff, cast: Cast) -> None:
    inside.enter(cast.alice)
    assert len(events(cast.alice, "tenant.entered")) == 1


def test_a_tenant_that_is_not_there_is_not_entered(staff: Staff) -> None:
    assert staff.post("pick", uuid.uuid4()).status_code == 404


def test_looking_at_an_address_enters_nothing(staff: Staff, cast: Cast) -> None:
    assert staff.get("pick", cast.alice.identity.tenant_id).status_code == 405
    assert events(cast.alice, "tenant.entered") == []


def test_one_operators_tenant_is_not_anothers(inside: Staff, cast: Cast) -> None:
    other = appointed()
    assert other.get("memory_block_changelist").status_code == 302


@pytest.mark.parametrize("lock", LOCKS)
def test_each_lock_alone_holds_staff_to_the_tenant(staff: Staff, cast: Cast, lock: str) -> None:
    hers, his = block_of(cast.alice, cast.team), block_of(cast.charlie, cast.charlie.personal)
    for asker, sees in ((staff, True), (appointed(is_staff=False), False)):
        with turned(lock), asker.scope(cast.alice):
            assert Block.objects.filter(id=hers.id).exists() is sees
            assert not Block.objects.filter(id=his.id).exists()
            assert Block.objects.filter(id=his.id).update(value="taken") == 0


def test_the_database_lets_staff_into_the_tenant_and_no_further(staff: Staff, cast: Cast) -> None:
    block_of(cast.alice, cast.team)
    block_of(cast.charlie, cast.charlie.personal)
    with staff.scope(cast.alice) as reach:
        assert {cast.team, cast.organisation, cast.alice.personal, cast.bob.personal} <= set(reach.workspaces)
        assert {row.tenant_id for row in Workspace.objects.all()} == {cast.alice.identity.tenant_id}
        with connection.cursor() as cursor:
            cursor.execute("SELECT DISTINCT tenant_id FROM memory_block")
            assert cursor.fetchall() == [(cast.alice.identity.tenant_id,)]


def test_the_database_lets_nobody_in_who_is_no_staff(cast: Cast) -> None:
    for other in (appointed(is_staff=False), appointed(is_active=False)):
        with other.scope(cast.alice) as reach:
            assert reach.workspaces == {}
            assert not Tenant.objects.exists()
            with connection.cursor() as cursor:
                cursor.execute("SELECT count(*) FROM tenants_tenant")
                assert cursor.fetchone() == (0,)
                cursor.execute("SELECT count(*) FROM tenants_for_staff(%s, '', 50, 0)", [other.user.id])
                assert cursor.fetchone() == (0,)


def test_what_staff_was_ends_with_the_scope(staff: Staff, cast: Cast) -> None:
    with cast.charlie.scope():
        with staff.scope(cast.alice):
            assert Tenant.objects.get().id == cast.alice.identity.tenant_id
        assert Tenant.objects.get().id == cast.charlie.identity.tenant_id
        with connection.cursor() as cursor:
            cursor.execute("SELECT my_staff(), my_role()")
            assert cursor.fetchone() == (None, "owner")
    with pytest.raises(NoScope):
        Tenant.objects.exists()
