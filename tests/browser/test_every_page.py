"""Every page a person opens: in two languages, sizes and appearances without a serious fault of access."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memory.models import Block
from tests.agents.stubbed import stub_model
from tests.browser.conftest import DESK, PHONE, Watched
from tests.cast import Cast, ask, new_agent, new_chat
from tests.live import Live

WAYS: dict[str, dict[str, Any]] = {
    "english": {"locale": "en-GB", "viewport": DESK, "color_scheme": "light"},
    "chinese": {"locale": "zh-CN", "viewport": PHONE, "color_scheme": "dark", "has_touch": True},
}


@pytest.fixture
def addresses(cast: Cast) -> list[str]:
    """Pages with something on each."""
    alice = cast.alice
    agent = new_agent(alice, description="Plans quarters. " * 4, name="季度计划助手 Quarterly planner")
    chat = new_chat(alice, agent)
    ask(alice, chat, "My name is Li Lei, and I don't eat coriander.")
    ask(alice, chat, "Where does my sister live?")
    model = stub_model(alice, "http://127.0.0.1:9/v1/a/rather/long/base/url/of/a/provider")
    with alice.scope():
        block = Block.objects.get(label="human")
    home = f"/w/{alice.personal}"
    return [
        "/me/",
        "/nothing/here/",
        *(
            f"{home}/{rest}"
            for rest in (
                "",
                "c/new/",
                f"c/{chat.conversation_id}/",
                f"c/{chat.conversation_id}/panel/",
                "agents/",
                "agents/new/",
                f"agents/{agent.id}/",
                f"agents/{agent.id}/settings/",
                f"agents/{agent.id}/blocks/new/",
                "memory/",
                "memory/new/",
                f"memory/{block.id}/",
                f"memory/{block.id}/versions/",
                f"memory/{block.id}/versions/1..{block.version}/",
                "settings/models/",
                "settings/models/new/",
                f"settings/models/{model.id}/",
            )
        ),
    ]


@pytest.mark.parametrize("way", WAYS)
def test_no_page_has_a_serious_fault(
    watch: Callable[..., Watched], live: Live, cast: Cast, addresses: list[str], way: str
) -> None:
    session = watch(live, **WAYS[way])
    found: dict[str, list[str]] = {}
    session.open("/accounts/login/")
    found["login"] = session.faults()
    session.enter(cast.alice)
    for address in addresses:
        session.open(address)
        found[address] = session.faults()
    assert {address: faults for address, faults in found.items() if faults} == {}


def test_a_page_that_is_not_for_everyone_says_so(at_desk: Watched, cast: Cast) -> None:
    at_desk.enter(cast.bob)
    page = at_desk.open(f"/w/{cast.bob.personal}/settings/people/")
    assert "That is not allowed" in page.locator("main").inner_text()
    assert at_desk.faults() == []
