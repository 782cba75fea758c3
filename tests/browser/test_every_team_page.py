"""Every page about workspaces, people and keys, as `test_every_page` looks at the others."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from tenants import audit, invitations, keys, people, services
from tenants.models import ApiKey, Invitation, Membership
from tests.browser.conftest import Watched
from tests.browser.test_every_page import WAYS
from tests.cast import Cast, ask, new_agent, new_chat
from tests.live import Live

LONG = "季度计划与跨部门协调工作小组 Quarterly planning and coordination"


@pytest.fixture
def addresses(cast: Cast) -> list[str]:
    """Pages with something on each, long names among it."""
    alice = cast.alice
    cast.let_bob_in("editor")
    chat = new_chat(cast.bob, new_agent(cast.bob))
    ask(cast.bob, chat, "I keep a list:\n\n- 不吃香菜\n- `" + "x" * 200 + "`")
    with cast.bob.scope():
        services.open_workspace(name="Garden")
    with alice.scope():
        bob = Membership.objects.get(user=cast.bob.user)
        mine = Membership.objects.get(user=alice.user)
        services.update_tenant(name=LONG, admins_read_chats=True)
        services.rename_workspace(workspace_id=cast.team, name=LONG)
        shed = services.open_workspace(name="Shed")
        people.change_role(membership_id=bob.id, role="admin")
        address = f"{'a' * 50}@{'b' * 40}.example.com"
        token = invitations.invite(email=address, role="member", workspace_id=cast.team)
        invitations.invite(email=f"dora-{alice.user.email}", role="auditor")
        soon = timezone.now() + timedelta(days=3)
        keys.create_key(name=LONG, workspace_ids=[cast.team], scopes=["read", "manage"], expires_at=soon)
        key = ApiKey.objects.get(name=LONG)
        audit.record("chat.read", kind="conversation", subject_id=alice.user.id)
        audit.record("chats.listed", kind="conversation", subject_id=alice.user.id)
        audit.record(
            "block.edited", kind="block", object_id=uuid.uuid4(), name="x" * 200, fields=["value"] * 40
        )
        Invitation.objects.filter(role="auditor").update(expires_at=timezone.now())
    with alice.scope():
        services.close_workspace(workspace_id=shed.id)
    home, team = f"/w/{alice.personal}", f"/w/{cast.team}"
    return [
        "/me/",
        "/me/readings/",
        f"/join/{token}/",
        "/join/nothing/",
        f"{team}/settings/",
        f"{team}/settings/leave/",
        *(
            f"{home}/{rest}"
            for rest in (
                "settings/",
                "workspaces/",
                "workspaces/?closed=1",
                "workspaces/new/",
                "settings/people/",
                "settings/people/?q=nobody",
                f"settings/people/{bob.id}/",
                f"settings/people/{mine.id}/",
                f"settings/people/{bob.id}/chats/",
                f"settings/people/{bob.id}/chats/{chat.conversation_id}/",
                f"settings/people/{bob.id}/remove/",
                f"settings/people/{bob.id}/transfer/",
                "settings/invitations/",
                "settings/invitations/?state=ended",
                "settings/keys/",
                "settings/keys/?state=ended",
                "settings/keys/new/",
                f"settings/keys/{key.id}/revoke/",
                "settings/organisation/",
                "settings/organisation/leave/",
                "audit/",
                "audit/?text=nothing",
                "first-steps/",
            )
        ),
    ]


@pytest.mark.parametrize("way", WAYS)
def test_no_page_of_a_team_has_a_serious_fault(
    watch: Callable[..., Watched], live: Live, cast: Cast, addresses: list[str], way: str
) -> None:
    session = watch(live, **WAYS[way])
    session.enter(cast.alice)
    found: dict[str, list[str]] = {}
    for address in addresses:
        session.open(address)
        found[address] = session.faults()
        _open_everything(session)
        found[f"{address} unfolded"] = session.faults()
    assert {address: faults for address, faults in found.items() if faults} == {}


def _open_everything(session: Watched) -> None:
    """What is folded away may be wide, too."""
    session.page.locator("main details").evaluate_all("all => { for (const each of all) each.open = true; }")


def test_what_a_plain_member_opens_has_no_serious_fault(
    watch: Callable[..., Watched], live: Live, cast: Cast
) -> None:
    cast.let_bob_in("viewer")
    session = watch(live, **WAYS["chinese"])
    session.enter(cast.bob)
    home = f"/w/{cast.bob.personal}"
    pages = ("settings/", "settings/organisation/", "first-steps/", "workspaces/")
    for address in (f"/w/{cast.team}/settings/", "/me/", *(f"{home}/{page}" for page in pages)):
        session.open(address)
        assert session.faults() == [], address
