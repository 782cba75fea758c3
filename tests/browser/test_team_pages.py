"""Teams in the browser: joining by a link, keys that work as copied, removing, the audit log."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from tenants import audit, keys, services
from tenants.models import Membership
from tests.browser.conftest import DESK, PHONE, Watched
from tests.cast import Cast, ask, new_agent, new_chat
from tests.live import Live

ENGLISH: dict[str, Any] = {"viewport": DESK, "locale": "en-GB"}
CHINESE: dict[str, Any] = {"viewport": PHONE, "locale": "zh-CN", "color_scheme": "dark", "has_touch": True}
WORDS = {
    "english": {
        "seen": "What others will see of you",
        "start": "Start a chat",
        "look": "Look into Research",
    },
    "chinese": {"seen": "别人会看到你的什么", "start": "开始会话", "look": "看看 Research"},
}


@pytest.mark.parametrize(("language", "way"), [("english", ENGLISH), ("chinese", CHINESE)])
def test_who_is_invited_sees_into_what_and_then_the_team(
    watch: Callable[..., Watched], live: Live, cast: Cast, language: str, way: dict[str, Any]
) -> None:
    new_agent(cast.alice, cast.team, name="Librarian")
    owner = watch(live)
    owner.enter(cast.alice)
    page = owner.open(f"/w/{cast.team}/settings/invitations/")
    page.get_by_text("Invite somebody").click()
    page.get_by_label("Email", exact=True).fill(f"dora-{cast.alice.user.email}")
    expect(page.get_by_label("Workspace", exact=True)).to_have_value(str(cast.team))
    page.get_by_label("Role in the workspace").select_option("editor")
    assert owner.faults() == []
    page.get_by_role("button", name="Make a link").click()
    link = page.locator("#invitation").inner_text()
    guest = watch(live, **way)
    page = guest.page
    page.goto(link)
    for told in ("Alice", "Research", WORDS[language]["seen"]):
        expect(page.locator("main")).to_contain_text(told)
    assert guest.faults() == []
    page.locator("input[name=name]").fill("朵拉 Dora")
    page.locator("input[name=password]").fill("一个很长的密码 9")
    page.get_by_role("main").get_by_role("button").click()
    page.wait_for_url("**/first-steps/")
    expect(page.get_by_role("heading", name=WORDS[language]["look"])).to_be_visible()
    assert guest.faults() == []
    page.get_by_role("link", name="Research").last.click()
    page.wait_for_url(f"**/w/{cast.team}-**")
    expect(page.locator("body")).to_contain_text("Librarian")
    page.go_back()
    page.get_by_role("link", name=WORDS[language]["start"]).click()
    expect(page.locator("#composer")).to_be_visible()


def run(*arguments: str) -> str:
    return subprocess.run(arguments, capture_output=True, text=True, timeout=120, check=False).stdout


def in_a_terminal(command: str) -> str:
    """What a command with curl prints; where there is no curl, its request is made all the same."""
    if shutil.which("curl"):
        return run("sh", "-c", command)
    _curl, _silent, address, _header, header = shlex.split(command)
    return httpx.get(address, headers=[header.split(": ", 1)]).text


def test_a_keys_snippets_work_as_copied_and_a_revoked_key_is_refused(at_desk: Watched, cast: Cast) -> None:
    agent = new_agent(cast.alice, name="季度计划助手")
    at_desk.enter(cast.alice)
    page = at_desk.open(f"/w/{cast.alice.personal}/settings/keys/")
    page.get_by_role("link", name="New key").click()
    page.get_by_label("Name").fill("Importer")
    page.get_by_label("Only read").check()
    assert at_desk.faults() == []
    page.get_by_role("button", name="Make the key").click()
    secret = page.locator("#key").inner_text()
    assert at_desk.copied("Copy the command").count(secret) == 1
    assert at_desk.faults() == []
    command, program = at_desk.copied("Copy the command"), at_desk.copied("Copy the program")

    assert str(agent.id) in in_a_terminal(command)
    assert f"{agent.id} 季度计划助手" in run(sys.executable, "-X", "utf8", "-c", program)
    page.get_by_role("link", name="I have kept it").click()
    expect(page.locator("main")).not_to_contain_text(secret)
    page.get_by_role("link", name="Revoke the key Importer").click()
    expect(page.get_by_text("There is no undo")).to_be_visible()
    assert at_desk.faults() == []
    page.get_by_role("button", name="Revoke the key").click()
    expect(page.locator(".toast")).to_contain_text("The key Importer no longer works.")
    assert json.loads(in_a_terminal(command))["status"] == 401


def test_removing_somebody_says_first_what_happens(
    watch: Callable[..., Watched], live: Live, cast: Cast
) -> None:
    cast.let_bob_in("editor")
    with cast.bob.scope():
        services.open_workspace(name="Garden")
        keys.create_key(name="another")
        seat = Membership.objects.get(user=cast.bob.user)
    theirs = watch(live)
    theirs.enter(cast.bob)
    expect(theirs.open(f"/w/{cast.team}/settings/").get_by_role("heading", name="Research")).to_be_visible()
    owner = watch(live, viewport=PHONE)
    owner.enter(cast.alice)
    page = owner.open(f"/w/{cast.alice.personal}/settings/people/")
    page.get_by_role("link", name="Bob").click()
    page.get_by_role("link", name="Remove…").click()
    for told in ("closed for everybody and kept", "Research", "becomes admin of Garden", "2 API keys"):
        expect(page.locator(".happens")).to_contain_text(told)
    assert owner.faults() == []
    page.get_by_role("button", name="Remove Bob").click()
    expect(page.locator(".toast")).to_contain_text("Bob is removed.")
    expect(page.get_by_role("link", name="Bob")).to_have_count(0)
    theirs.page.reload()
    expect(theirs.page.get_by_text("you are in no organisation")).to_be_visible()
    page.goto(f"{live.url}/w/{cast.alice.personal}/settings/people/{seat.id}/")
    expect(page.get_by_text("There is nothing here")).to_be_visible()


def test_a_role_is_taken_back_from_the_note_by_keyboard(at_desk: Watched, cast: Cast) -> None:
    cast.let_bob_in("viewer")
    at_desk.enter(cast.alice)
    page = at_desk.open(f"/w/{cast.team}/settings/")
    chosen = page.get_by_label("Role of Bob", exact=True)
    chosen.focus()
    at_desk.press("ArrowDown", "Tab", "Enter")
    expect(page.locator(".toast")).to_contain_text("Bob is member here now.")
    expect(chosen).to_have_value("member")
    page.locator(".toast").get_by_role("button", name="Undo").focus()
    at_desk.press("Enter")
    expect(chosen).to_have_value("viewer")


def test_the_audit_log_is_filtered_and_exported(at_desk: Watched, cast: Cast, tmp_path: Path) -> None:
    with cast.alice.scope():
        for number in range(70):
            audit.record("block.edited", kind="block", name=f"plan {number}.", version=number)
        audit.record("block.deleted", kind="block", name="目标")
    at_desk.enter(cast.alice)
    page = at_desk.open(f"/w/{cast.alice.personal}/")
    page.get_by_role("link", name="Audit log").click()
    page.get_by_label("Name", exact=True).fill("plan")
    page.get_by_role("button", name="Filter").click()
    expect(page.locator("#events > .events > li")).to_have_count(50)
    expect(page.locator("#events")).not_to_contain_text("目标")
    page.get_by_role("link", name="Earlier").click()
    expect(page.locator("#events > .events > li")).to_have_count(20)
    expect(page).to_have_url(re.compile("text=plan"))
    page.locator("#events details summary").first.click()
    expect(page.locator("#events details[open]")).to_contain_text("block.edited")
    assert at_desk.faults() == []
    for name, ending in (("CSV", "csv"), ("JSON Lines", "jsonl")):
        page.locator("summary", has_text="Export").click()
        with page.expect_download() as download:
            page.get_by_role("link", name=name).click()
        kept = tmp_path / download.value.suggested_filename
        download.value.save_as(kept)
        lines = kept.read_text(encoding="utf-8-sig").splitlines()
        assert kept.suffix == f".{ending}"
        assert len(lines) == 70 + (ending == "csv")
        assert "plan 0." in lines[ending == "csv"]


def test_a_member_sees_who_has_read_their_chat(watch: Callable[..., Watched], live: Live, cast: Cast) -> None:
    ask(cast.bob, new_chat(cast.bob, new_agent(cast.bob)), "My cat is called Miso.")
    owner = watch(live)
    owner.enter(cast.alice)
    page = owner.open(f"/w/{cast.alice.personal}/settings/organisation/")
    page.get_by_label("Owners and admins may read members' chats").check()
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".toast")).to_contain_text("Saved.")
    page.get_by_role("link", name="People").click()
    page.get_by_role("link", name="Bob").click()
    page.get_by_role("link", name="Read their chats…").click()
    expect(page.get_by_role("note")).to_contain_text("It is recorded that you did")
    page.locator("main .list a").click()
    expect(page.get_by_role("note")).to_contain_text("It is recorded that you did")
    expect(page.locator(".overseen")).to_contain_text("My cat is called Miso.")
    assert owner.faults() == []
    theirs = watch(live, **CHINESE)
    theirs.enter(cast.bob)
    page = theirs.open("/me/")
    expect(page.locator("main")).to_contain_text("所有者和管理员可以阅读成员的会话")
    expect(page.locator("main .events")).to_contain_text("Alice 阅读了你的一个会话")
    page.get_by_role("link", name="查看会话").click()
    expect(page.locator(".turn .prose").first).to_be_visible()


def test_an_auditor_sees_the_log_and_no_dead_links(
    watch: Callable[..., Watched], live: Live, cast: Cast
) -> None:
    ask(cast.alice, new_chat(cast.alice, new_agent(cast.alice)), "My cat is called Miso.")
    with cast.alice.scope():
        Membership.objects.filter(user=cast.bob.user).update(role="auditor")
    session = watch(live, **CHINESE)
    session.enter(cast.bob)
    page = session.open("/")
    expect(page.get_by_role("heading", name="审计日志")).to_be_visible()
    expect(page.locator("#events")).to_contain_text("Alice")
    expect(page.locator("#events")).not_to_contain_text("Miso")
    assert session.faults() == []
    hrefs = page.locator("nav a[href], main a[href]").evaluate_all("links => links.map(each => each.href)")
    for href in sorted({each for each in hrefs if "/export/" not in each}):
        assert page.request.get(href).status == 200, href


def test_a_workspace_is_opened_closed_and_opened_again(at_desk: Watched, cast: Cast) -> None:
    at_desk.enter(cast.bob)
    page = at_desk.open("/")
    page.locator("nav .workspace").click()
    page.get_by_role("link", name="New workspace").click()
    page.get_by_label("Name").fill("花园 Garden")
    page.get_by_role("button", name="Open the workspace").click()
    expect(page.locator(".toast")).to_contain_text("You are its admin")
    page.get_by_text("Let somebody in").click()
    page.get_by_label("Person", exact=True).select_option(label="Alice")
    page.get_by_role("button", name="Let in").click()
    expect(page.locator(".toast")).to_contain_text("Alice is in now: member.")
    page.get_by_role("button", name="Close the workspace").click()
    expect(page.locator(".toast")).to_contain_text("花园 Garden is closed.")
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", name="花园 Garden")).to_be_visible()
    expect(page.locator("#members")).to_contain_text("Alice")
