"""Journey 7: a member's fact lands in the inbox, an editor approves with a key, a viewer is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from agents import blocks
from memory.models import Block, BlockVersion, Proposal
from memory.operations import Replace
from tenants.models import AuditEvent
from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.llm.stub_server import StubServer
from tests.agents.stubbed import stub_model
from tests.browser.conftest import PHONE, Watched
from tests.cast import Cast, Person, new_agent
from tests.live import Live
from tests.memory.web.pages import new_block, propose, value_of, write

WORDS = {
    "en-GB": {
        "fact": "We ship in May.",
        "proposed": "Proposed",
        "approved": "Approved: team_goals is at v2.",
        "after": "Approved team_goals v2",
        "bob": "in a chat with Bob",
        "sheet": "In the inbox: approve",
    },
    "zh-CN": {
        "fact": "五月发布。",
        "proposed": "已提议",
        "approved": "已批准：team_goals 现为 v2。",
        "after": "已批准 team_goals v2",
        "bob": "与 Bob 的会话",
        "sheet": "在收件箱中：批准",
    },
}


@pytest.fixture
def agent(cast: Cast, stub: StubServer) -> Any:
    return new_agent(cast.alice, cast.team, model_id=stub_model(cast.alice, stub.url).id, name="Planner")


@pytest.fixture
def block(cast: Cast) -> Block:
    return new_block(cast.alice, cast.team, label="team_goals", value="Be lossless.", governance="propose")


@pytest.mark.parametrize("locale", WORDS)
def test_a_members_fact_is_approved_by_key_and_a_viewer_is_refused(
    watch: Callable[..., Watched],
    live: Live,
    cast: Cast,
    stub: StubServer,
    agent: Any,
    block: Block,
    locale: str,
) -> None:
    words = WORDS[locale]
    cast.let_bob_in("member")
    with cast.alice.scope():
        blocks.attach(agent.id, block.id)
    note = {"label": "team_goals", "content": words["fact"]}
    stub.queue(calls(("core_memory_append", note)), text("OK."))

    member = watch(live, locale=locale)
    member.enter(cast.bob)
    his = member.open(f"/w/{cast.team}/c/new/?agent={agent.id}&shared=1")
    member.say(words["fact"])
    chip = his.locator(".chip.proposed")
    expect(chip).to_contain_text(words["proposed"])
    expect(chip.locator("ins")).to_have_text(words["fact"])
    member.await_answer()
    assert member.faults() == []
    assert value_of(cast.alice, block) == "Be lossless."

    editor = watch(live, locale=locale)
    editor.enter(cast.alice)
    hers = editor.open(f"/w/{cast.team}/memory/")
    badge = hers.locator("#inbox-count")
    expect(badge).to_contain_text("1")
    badge.click()
    proposal = hers.locator("[data-proposal]")
    expect(proposal).to_contain_text(words["bob"])
    editor.press("?")
    expect(hers.get_by_role("dialog")).to_contain_text(words["sheet"])
    editor.press("Escape")
    expect(hers.get_by_role("dialog")).to_be_hidden()
    editor.press("j")
    expect(proposal).to_be_focused()
    editor.press("a")
    expect(hers.locator(".toast")).to_contain_text(words["approved"])
    expect(badge).to_be_hidden()
    assert editor.faults() == []
    assert value_of(cast.alice, block) == f"Be lossless.\n{words['fact']}"
    member.page.reload()
    expect(member.page.locator(".chip.proposed")).to_contain_text(words["after"])

    cast.let_bob_in("viewer")
    assert refused_over_the_api(member, cast, block)
    viewer = member.open(f"/w/{cast.team}/memory/{block.id}/")
    expect(viewer.locator("form.block textarea")).to_be_disabled()
    with cast.alice.scope():
        told = list(AuditEvent.objects.filter(object_name="team_goals").values_list("action", "actor_kind"))
        refusals = AuditEvent.objects.filter(action="access.refused", actor_id=cast.bob.user.id)
        assert {("block.proposed", "agent"), ("proposal.approved", "person")} <= set(told)
        assert refusals.exists()


def refused_over_the_api(session: Watched, cast: Cast, block: Block) -> bool:
    """Whether Bob reads the block there, and may neither write to it nor decide about what is proposed."""
    made = propose(cast.alice, block, "Ask Han.")
    api, key = session.context.request, {"Authorization": f"Bearer {cast.bob.key}"}
    address = f"{session.site.url}/api/v1/"
    assert api.get(f"{address}blocks/{block.id}/", headers=key).status == 200
    asked = {"operation": "append", "content": "Mine."}
    answers = [
        api.post(f"{address}blocks/{block.id}/operations/", data=asked, headers=key),
        api.post(f"{address}proposals/{made.id}/approve/", data={}, headers=key),
    ]
    return [answer.status for answer in answers] == [403, 403]


def open_inbox(session: Watched, person: Person, block: Block) -> Page:
    session.enter(person)
    return session.open(f"/w/{block.workspace_id}/memory/inbox/")


def statuses(person: Person, block: Block) -> list[str]:
    with person.scope():
        return [str(each.status) for each in Proposal.objects.filter(block=block).order_by("id")]


@pytest.mark.parametrize("locale", WORDS)
def test_the_whole_inbox_needs_no_mouse(
    watch: Callable[..., Watched], live: Live, cast: Cast, block: Block, locale: str
) -> None:
    for line in ("一 one", "二 two", "三 three"):
        propose(cast.alice, block, line)
    session = watch(live, locale=locale)
    page = open_inbox(session, cast.alice, block)
    first, second, third = page.locator("[data-proposal]").all()
    session.press("a")  # decides nothing: it only goes to the first
    expect(first).to_be_focused()
    session.press("j", "j")
    expect(third).to_be_focused()
    session.press("k")
    expect(second).to_be_focused()

    session.press("x")
    note = second.locator("input[name=note]")
    expect(note).to_be_focused()
    session.press("Escape")
    expect(second).to_be_focused()
    session.press("x")
    session.type("Not ours.")
    session.press("Enter")
    expect(third).to_be_focused()  # what waits next
    expect(second).to_contain_text("Not ours.")

    session.press("e")
    field = third.locator("textarea")
    expect(field).to_be_focused()
    session.press("Escape")
    expect(third).to_be_focused()
    session.press("e")
    expect(field).to_be_focused()
    session.press("ControlOrMeta+End")
    session.type(" 3")
    expect(third.locator("[data-used]")).to_have_text(str(len("Be lossless.\n三 three 3")))
    session.press("Tab", "Enter")
    expect(first).to_be_focused()
    assert value_of(cast.alice, block) == "Be lossless.\n三 three 3"

    session.press("a")
    expect(first).not_to_have_attribute("data-open", "")
    expect(first).to_be_focused()
    assert value_of(cast.alice, block) == "Be lossless.\n三 three 3\n一 one"
    session.press("u")
    expect(first.locator("[data-undo]")).to_have_count(0)
    assert value_of(cast.alice, block) == "Be lossless.\n三 three 3"
    assert statuses(cast.alice, block) == ["approved", "rejected", "approved"]
    assert session.faults() == []


def test_a_moved_base_is_merged_by_hand_on_a_phone(
    watch: Callable[..., Watched], live: Live, cast: Cast, block: Block
) -> None:
    propose(cast.alice, block, Replace("lossless", "fast"))
    write(cast.alice, block, "Be small.")
    session = watch(live, viewport=PHONE, has_touch=True)
    page = open_inbox(session, cast.alice, block)
    proposal = page.locator("[data-proposal]")
    expect(proposal).to_contain_text("in the same place. Edit it to decide")
    expect(proposal.get_by_role("button", name="Approve")).to_be_disabled()
    proposal.get_by_role("link", name="Edit").click()
    expect(proposal.get_by_label("Text")).to_have_value("Be small.\nBe fast.")
    expect(proposal.locator(".columns del").first).to_have_text("lossless")
    assert session.faults() == []
    proposal.get_by_label("Text").fill("Be small and fast.")
    proposal.get_by_role("button", name="Save and approve").click()
    expect(page.locator(".toast")).to_contain_text("Approved")
    assert value_of(cast.alice, block) == "Be small and fast."
    with cast.alice.scope():
        assert BlockVersion.objects.get(block=block, number=3).approved_by == cast.alice.user.id


def test_a_member_proposes_with_a_reason_from_the_side_panel(
    watch: Callable[..., Watched], live: Live, cast: Cast, stub: StubServer, agent: Any, block: Block
) -> None:
    cast.let_bob_in("member")
    with cast.alice.scope():
        blocks.attach(agent.id, block.id)
    stub.queue(text("Hello."))
    session = watch(live)
    session.enter(cast.bob)
    session.open(f"/w/{cast.team}/c/new/?agent={agent.id}")
    session.say("hello")
    page = session.page
    session.await_answer()
    card = page.locator(f"#panel #block-{block.id}")
    card.get_by_role("link", name="Propose a change").click()
    form = page.locator("#panel form.block")
    expect(form).to_contain_text("You propose here")
    expect(form.get_by_label("Text")).to_be_focused()
    form.get_by_label("Text").fill("Be lossless and fast.")
    form.get_by_label("Why").fill("Speed matters.")
    assert session.faults() == []
    form.get_by_role("button", name="Propose").click()
    expect(page.locator(".toast")).to_contain_text("Proposed. An editor decides.")
    expect(card).to_contain_text("Be lossless.")
    with cast.alice.scope():
        made = Proposal.objects.get(block=block)
        assert (made.value, made.reason) == ("Be lossless and fast.", "Speed matters.")
