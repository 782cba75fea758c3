"""On a phone what can be touched in archives, documents, search and skills is large enough for a finger."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memory import core, skills
from tests.browser.conftest import PHONE, Watched
from tests.cast import Person
from tests.live import Live
from tests.memory.documents.uploading import uploaded
from tests.memory.web.filed import file, new_archive

# What can be touched and is less than 24 px high or wide (WCAG 2.2, 2.5.8), but for links within running
# text; and what a list leads to by, where that is less than 44 px high.
SMALL = """() => [...document.querySelectorAll("a, button, summary, input:not([type=hidden]), select")]
  .filter((each) => each.checkVisibility() && each.closest("main") && !each.closest("p, .visually-hidden"))
  .filter((each) => !each.matches(".visually-hidden, [type=file]"))
  .map((each) => [each, each.getBoundingClientRect()])
  .filter(([each, box]) => box.height < (each.matches(".list > li > .grow > a") ? 44 : 24) || box.width < 24)
  .filter(([each, box]) => box.width && box.height)
  .map(([each, box]) => `${each.outerHTML.slice(0, 90)}: ${box.width} x ${box.height}`)"""
# Headings and links of one word that are as high as two lines.
BROKEN = """() => [...document.querySelectorAll("main h1:not(.ellipsis), main .facts-line > *")]
  .filter((each) => each.checkVisibility() && /^\\s*\\S{1,20}\\s*$/.test(each.textContent))
  .filter((each) => each.getBoundingClientRect().height >= 2 * parseFloat(getComputedStyle(each).lineHeight))
  .map((each) => each.outerHTML.slice(0, 120))"""


@pytest.fixture
def on_phone(watch: Callable[..., Watched], live: Live) -> Watched:
    return watch(live, viewport=PHONE, has_touch=True, is_mobile=True)


def test_everything_is_large_enough_for_a_finger(on_phone: Watched, alice: Person) -> None:
    archive = new_archive(alice, "Notes about a house with a rather long name")
    dated = "The deadline of the roof is {} December."
    (one, _) = file(alice, archive, dated.format(3), dated.format(5), tags=["roof"])
    document = uploaded(alice, archive, b"# Roof\n\nThe roof leaks.\n", "a-handbook-with-a-long-name.md")
    with alice.scope():
        skill = skills.create_skill(
            workspace_id=alice.personal,
            name="weekly-report",
            description="When a week ends.",
            content="Ask about the roof.",
            actor=core.by_me(),
        )
    on_phone.enter(alice)
    wrongs: list[str] = []
    for rest, shows in {
        "archive/?q=roof": "The deadline",
        "archive/": "The deadline",
        f"archive/passages/{one.id}/": "The deadline",
        "documents/": document.name,
        f"documents/{document.id}/": "The roof leaks.",
        "search/?q=roof": "The deadline",
        "skills/": skill.name,
        f"skills/{skill.id}/": "Ask about the roof.",
    }.items():
        page = on_phone.open(f"/w/{alice.personal}/{rest}")
        page.get_by_text(shows).first.wait_for()
        assert page.locator("main a, main button").count()
        wrongs += [f"{rest}: {each}" for each in page.evaluate(SMALL) + page.evaluate(BROKEN)]
    assert wrongs == []
