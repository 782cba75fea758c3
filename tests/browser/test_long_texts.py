"""Texts that try a page: Markdown and markup, no spaces, ten thousand characters, a long chat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.llm.stub_server import StubServer
from tests.browser.conftest import DESK, PHONE, Watched
from tests.cast import Person, ask, new_agent, new_chat
from tests.live import Live

MARKDOWN = """# A plan

1. First, **boldly**
   - with a `part`

| Name | 数量 |
|:-----|-----:|
| alpha | 1,200 |
| a much longer cell that makes this table wider than any phone is | 3 |

```python
def greet(name: str) -> str:
    return f"Hello, {name}, in a line of code that is much too long for the width of a phone"
```

> 上次（10 月 8 日）确定的目标是 **留存率从 41% 提到 48%**。
"""
MARKUP = f"""<script>document.title = "gone"</script><img src="http://evil.example/x.png" onerror="alert(1)">
[a](javascript:alert(1)) ![i](http://evil.example/i.png) <hx-partial hx-target="body">gone</hx-partial>

http://example.com/{"a" * 300} {"w" * 400}

{"长" * 300}
"""


LINES = """each => {
  const all = document.createRange();
  all.selectNodeContents(each);
  return all.getClientRects().length;
}"""


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_markdown_streams_into_what_it_is_after_a_reload(
    watch: Callable[..., Watched], live: Live, alice: Person, stub: StubServer, stub_agent: Any, size: Any
) -> None:
    session = watch(live, viewport=size)
    stub.queue(text(MARKDOWN, chunks=60, pause=0.01))
    page = session.begin(alice, stub_agent, "A plan, please.")
    session.await_answer()
    prose = page.locator(".turn .prose")
    streamed = prose.inner_html()
    for part in ("h3", "ol ul code", "table th", ".code pre", "blockquote strong"):
        expect(prose.locator(part).first).to_be_visible()
    assert session.faults() == []
    page.reload()
    assert prose.inner_html() == streamed
    copied = session.copied("Copy the answer")
    assert "return f" in copied
    assert "Copy" not in copied


def test_markup_of_a_model_stays_text_and_long_words_wrap(
    watch: Callable[..., Watched], live: Live, alice: Person, stub: StubServer, stub_agent: Any
) -> None:
    session = watch(live, viewport=PHONE)
    stub.queue(text(MARKUP, chunks=50))
    page = session.begin(alice, stub_agent, f"{'x' * 500} {MARKUP}")
    session.await_answer()
    for place in (".turn .prose", ".message .box"):
        expect(page.locator(place)).to_contain_text("<script>")
        expect(page.locator(f"{place} :is(script, img, hx-partial, [href^=javascript])")).to_have_count(0)
    assert page.title() != "gone"
    assert session.faults() == []


def test_ten_thousand_characters_are_sent_and_shown(
    at_desk: Watched, alice: Person, stub: StubServer, stub_agent: Any
) -> None:
    stub.queue(text("Long."))
    words = ("words and 中文 " * 1000)[:10_000].strip()
    page = at_desk.begin(alice, stub_agent, words)
    at_desk.await_answer()
    assert page.locator(".message .box").inner_text() == words
    sent = stub.requests[0].json["messages"]
    assert any(words in str(message["content"]) for message in sent)
    expect(page.locator(".turn")).to_be_in_viewport()


def test_earlier_messages_come_in_above_what_is_being_read(at_desk: Watched, alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    for number in range(26):
        ask(alice, chat, f"This is message {number:02}.")
    at_desk.enter(alice)
    page = at_desk.open(f"/w/{alice.personal}/c/{chat.conversation_id}/")
    expect(page.locator(".message")).to_have_count(20)
    expect(page.locator(".turn").last).to_be_in_viewport()
    log = page.locator("#log")
    log.evaluate("log => { log.scrollTop = 0; }")
    first = page.locator(".message").first
    expect(first).to_contain_text("message 06")
    before = first.bounding_box()
    page.get_by_role("link", name="Earlier messages").click()
    expect(page.locator(".message")).to_have_count(26)
    kept = page.locator(".message").filter(has_text="message 06")
    expect(kept).to_be_in_viewport()
    after = kept.bounding_box()
    assert before
    assert after
    assert abs(before["y"] - after["y"]) < 80  # the link itself is gone
    expect(page.get_by_role("link", name="Earlier messages")).to_have_count(0)


def test_the_name_of_a_tool_is_not_broken_on_a_phone_however_much_it_was_given(
    watch: Callable[..., Watched], live: Live, alice: Person, stub: StubServer, stub_agent: Any
) -> None:
    chat = new_chat(alice, stub_agent)
    stub.queue(calls(("archival_memory_search", {"query": "tea in the blue tin " * 9})), text("Nothing."))
    ask(alice, chat, "Where is the tea?")
    session = watch(live, viewport=PHONE)
    session.enter(alice)
    page = session.open(f"/w/{alice.personal}/c/{chat.conversation_id}/")
    name = page.locator(".tool .name")
    expect(name).to_have_text("archival_memory_search")
    assert name.evaluate(LINES) == 1
    assert session.faults() == []
