"""Journey 2: it remembers and shows it; undo makes a new version; the next prompt has the restored text."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from agents.models import AgentBlock
from memory.models import Block, BlockVersion
from tests.agents.llm.stub_behaviours import calls, once, text
from tests.agents.llm.stub_server import StubServer
from tests.browser.conftest import Watched
from tests.cast import Person, new_agent
from tests.live import Live

WORDS = {
    "en-GB": {
        "said": "I don't eat coriander.",
        "kept": "coriander",
        "versions": "Versions",
        "whole": "The whole text",
        "message": "Message",
        "undo": "Undo",
        "undone": "Taken back",
        "asked": "Do you remember what I don't eat?",
        "quoted": "My core memory says",
        "you": "you",
        "taken": "taken back",
    },
    "zh-CN": {
        "said": "我不吃香菜。",
        "kept": "香菜",
        "versions": "版本",
        "whole": "全文",
        "message": "消息",
        "undo": "撤销",
        "undone": "已撤销",
        "asked": "你记得我不吃什么吗？",
        "quoted": "我的核心记忆里写着",
        "you": "你",
        "taken": "已撤销",
    },
}


def human_of(person: Person, agent: Any) -> Block:
    with person.scope():
        return AgentBlock.objects.select_related("block").get(agent=agent, label="human").block


def history(person: Person, block: Block) -> list[tuple[int, str, str, str]]:
    """(number, operation, whose hand, text) of every version."""
    with person.scope():
        rows = BlockVersion.objects.filter(block=block).order_by("number")
        return [(row.number, str(row.operation), str(row.actor_kind), row.value) for row in rows]


@pytest.mark.parametrize("locale", WORDS)
def test_a_preference_is_shown_undone_and_stays_in_the_history(
    watch: Callable[..., Watched], live: Live, alice: Person, locale: str
) -> None:
    words = WORDS[locale]
    session = watch(live, locale=locale)
    agent = new_agent(alice)
    page = session.begin(alice, agent, words["said"])
    chip = page.locator(".chip")
    expect(chip).to_contain_text("human")
    expect(chip.locator("ins")).to_contain_text(words["kept"])
    session.await_answer()
    human = human_of(alice, agent)
    before = history(alice, human)

    chip.get_by_role("link", name=words["versions"]).click()
    expect(page.locator(".versions > li")).to_have_count(len(before))
    page.go_back()
    chip.get_by_role("link", name=f"v{len(before)}", exact=True).click()
    expect(page.locator("#version")).to_contain_text(words["whole"])
    expect(page.locator("#version ins").first).to_contain_text(words["kept"])
    assert session.faults() == []
    page.get_by_role("link", name=words["message"], exact=True).click()
    expect(page.locator(".message .box")).to_contain_text(words["said"])
    chip.get_by_role("button", name=words["undo"]).click()
    expect(page.locator(".chip.undone")).to_contain_text(words["undone"])

    after = history(alice, human)
    assert after[: len(before)] == before
    number, operation, hand, value = after[-1]
    assert (number, operation, hand) == (len(before) + 1, "undo", "user")
    assert words["kept"] not in value
    assert words["kept"] in after[-2][3]

    session.say(words["asked"])
    session.await_answer()
    expect(page.locator(".turn .prose").last).not_to_contain_text(words["quoted"])
    session.open(f"/w/{alice.personal}/memory/{human.id}/versions/")
    expect(page.locator(".versions > li").first).to_contain_text(f"v{number}")
    expect(page.locator(".versions > li").first).to_contain_text(words["you"])
    expect(page.locator(".versions > li").nth(1)).to_contain_text(words["taken"])
    assert session.faults() == []


def test_the_next_prompt_has_the_text_that_an_undo_brought_back(
    at_desk: Watched, alice: Person, stub: StubServer, stub_agent: Any
) -> None:
    note = {"label": "human", "content": "Likes durian."}
    stub.queue(calls(("core_memory_append", note)), text("Noted."), text("I see."))
    page = at_desk.begin(alice, stub_agent, "I like durian.")
    at_desk.await_answer()
    assert "Likes durian." in stub.requests[1].json["messages"][0]["content"]
    page.locator(".chip").get_by_role("button", name="Undo").click()
    expect(page.locator(".chip.undone")).to_be_visible()
    expect(page.locator("#panel .block").last).not_to_contain_text("durian")
    at_desk.say("And now?")
    at_desk.await_answer()
    assert "Likes durian." not in stub.requests[2].json["messages"][0]["content"]


def test_only_the_newest_change_offers_to_be_undone_while_the_turn_still_runs(
    at_desk: Watched, alice: Person, stub: StubServer, stub_agent: Any
) -> None:
    first = ("core_memory_append", {"label": "human", "content": "Likes tea."})
    second = ("core_memory_append", {"label": "human", "content": "Lives in Xi'an."})
    may_end = threading.Event()
    stub.queue(calls(first, second), once(may_end, text("I noted both, one after the other.")))
    page = at_desk.begin(alice, stub_agent, "Remember two things.")
    chips = page.locator(".chip")
    expect(chips).to_have_count(2)
    expect(page.locator(".turn[data-live]")).to_have_count(1)
    expect(chips.first.get_by_role("button", name="Undo")).to_have_count(0)
    expect(page.locator("#panel .block").last).to_contain_text("Lives in Xi'an.")
    chips.last.get_by_role("button", name="Undo").click()
    expect(chips.last).to_contain_text("Taken back")
    expect(page.locator(".turn[data-live]")).to_have_count(1)
    may_end.set()
    at_desk.await_answer()
    expect(chips.first).to_contain_text("Memory updated")
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)


def test_an_undo_that_comes_too_late_says_why(
    watch: Callable[..., Watched], live: Live, alice: Person, stub: StubServer, stub_agent: Any
) -> None:
    stub.queue(calls(("core_memory_append", {"label": "human", "content": "Likes tea."})), text("Noted."))
    here = watch(live)
    page = here.begin(alice, stub_agent, "I like tea.")
    here.await_answer()
    elsewhere = watch(live)
    elsewhere.enter(alice)
    human = human_of(alice, stub_agent)
    other = elsewhere.open(f"/w/{alice.personal}/memory/{human.id}/")
    other.get_by_label("Text").fill("Likes coffee.")
    other.get_by_role("button", name="Save").click()
    expect(other.locator(".toast")).to_contain_text("Saved.")
    page.locator(".chip").get_by_role("button", name="Undo").click()
    expect(page.locator(".toast")).to_contain_text("changed again since")
    expect(page.locator("#panel .block").last).to_contain_text("Likes coffee.")
    assert history(alice, human)[-1][3] == "Likes coffee."
