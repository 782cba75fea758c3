"""Journey 6: two people edit a block; the second gets base, theirs and mine, and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from memory import core
from memory.actors import Actor, ActorKind
from memory.models import Block, BlockVersion
from memory.operations import Append
from tests.browser.conftest import PHONE, Watched
from tests.cast import Cast, Person
from tests.live import Live
from tests.memory.web.pages import new_block

TEXT = "周报：段落\nDeadline: May\nOwner: Han"
WORDS = {
    "en-GB": {
        "changed": "Somebody changed this block while you wrote.",
        "fits": "Both changes fit together",
        "choose": "Where you both changed the same",
        "text": "Text",
        "save": "Save",
        "saved": "Saved.",
        "mine": "Your text as you wrote it",
    },
    "zh-CN": {
        "changed": "在你编辑时，有人改动了这个记忆块。",
        "fits": "两处修改互不冲突",
        "choose": "两人改了同一处时",
        "text": "内容",
        "save": "保存",
        "saved": "已保存。",
        "mine": "你原来写的文本",
    },
}


@pytest.fixture
def block(cast: Cast) -> Block:
    cast.let_bob_in("editor")
    return new_block(cast.alice, cast.team, value=TEXT)


def open_form(session: Watched, person: Person, block: Block) -> Locator:
    session.enter(person)
    page = session.open(f"/w/{block.workspace_id}/memory/{block.id}/")
    return page.locator("form.block")


def save(form: Locator, text: str, words: dict[str, str]) -> None:
    form.get_by_label(words["text"], exact=True).fill(text)
    form.get_by_role("button", name=words["save"], exact=True).click()


def history(person: Person, block: Block) -> list[tuple[str, str]]:
    with person.scope():
        rows = BlockVersion.objects.filter(block=block).order_by("number")
        return [(str(row.actor_kind), row.value) for row in rows]


@pytest.mark.parametrize("locale", WORDS)
def test_changes_of_different_lines_fit_together(
    watch: Callable[..., Watched], live: Live, cast: Cast, block: Block, locale: str
) -> None:
    words = WORDS[locale]
    first, second = (watch(live, locale=locale) for _each in range(2))
    hers, his = open_form(first, cast.alice, block), open_form(second, cast.bob, block)
    save(hers, TEXT.replace("段落", "要点"), words)
    expect(first.page.locator(".toast")).to_contain_text(words["saved"])

    save(his, TEXT.replace("Han", "Li Lei"), words)
    alert = his.get_by_role("alert")
    expect(alert).to_contain_text(words["changed"])
    expect(alert).to_contain_text(words["fits"])
    expect(alert.locator("ins").first).to_have_text("要点")
    both = "周报：要点\nDeadline: May\nOwner: Li Lei"
    expect(his.get_by_label(words["text"], exact=True)).to_have_value(both)
    assert second.faults() == []
    his.get_by_role("button", name=words["save"], exact=True).click()
    expect(second.page.locator(".toast")).to_contain_text(words["saved"])
    assert [value for _hand, value in history(cast.alice, block)][-1] == both


@pytest.mark.parametrize("locale", WORDS)
def test_changes_of_one_line_are_chosen_between_and_nothing_is_lost(
    watch: Callable[..., Watched], live: Live, cast: Cast, block: Block, locale: str
) -> None:
    words = WORDS[locale]
    first, second = watch(live, locale=locale), watch(live, locale=locale, viewport=PHONE, has_touch=True)
    hers, his = open_form(first, cast.alice, block), open_form(second, cast.bob, block)
    save(hers, TEXT.replace("段落", "要点"), words)
    expect(first.page.locator(".toast")).to_contain_text(words["saved"])
    # An agent writes in between: that is a version of its own.
    with cast.alice.scope():
        core.operate(block.id, Append("Channel: #plan"), actor=Actor(ActorKind.AGENT, cast.team))

    mine = TEXT.replace("段落", "表格")
    save(his, mine, words)
    alert = his.get_by_role("alert")
    expect(alert).to_contain_text(words["choose"])
    theirs, own = alert.locator(".diff").all()
    expect(theirs.locator("del").first).to_have_text("段落")
    expect(theirs.locator("ins").first).to_have_text("要点")
    expect(theirs).to_contain_text("Channel: #plan")
    expect(own.locator("ins")).to_have_text("表格")
    field = his.get_by_label(words["text"], exact=True)
    merged = "周报：要点\n周报：表格\nDeadline: May\nOwner: Han\nChannel: #plan"
    expect(field).to_have_value(merged)
    alert.get_by_text(words["mine"]).click()
    expect(alert.get_by_label(words["mine"])).to_have_value(mine)
    assert second.faults() == []

    save(his, merged.replace("周报：要点\n", ""), words)
    expect(second.page.locator(".toast")).to_contain_text(words["saved"])
    assert history(cast.alice, block) == [
        ("user", TEXT),
        ("user", TEXT.replace("段落", "要点")),
        ("agent", TEXT.replace("段落", "要点") + "\nChannel: #plan"),
        ("user", "周报：表格\nDeadline: May\nOwner: Han\nChannel: #plan"),
    ]


def test_a_third_writer_in_between_is_merged_again(
    watch: Callable[..., Watched], live: Live, cast: Cast, block: Block
) -> None:
    words = WORDS["en-GB"]
    session = watch(live)
    form = open_form(session, cast.bob, block)
    text, merged = form.get_by_label("Text", exact=True), f"Mine\n{TEXT}"
    text.fill(merged)
    for line in ("First", "Second"):
        with cast.alice.scope():
            core.operate(block.id, Append(line), actor=core.by_me())
        form.get_by_role("button", name="Save", exact=True).click()
        merged = f"{merged}\n{line}"
        expect(text).to_have_value(merged)  # of this alert, not of the one before it
        expect(form.get_by_role("alert")).to_contain_text(words["fits"])
    form.get_by_role("button", name="Save", exact=True).click()
    expect(session.page.locator(".toast")).to_contain_text("Saved.")
    assert history(cast.alice, block)[-1] == ("user", f"Mine\n{TEXT}\nFirst\nSecond")
