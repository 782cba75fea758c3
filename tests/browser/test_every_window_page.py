"""Every page about context windows in two languages and sizes: no serious fault, and large for a finger."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agents import archives, keeping
from agents.keeping import Keeping
from agents.models import Step
from memory.models import Block, Message
from tests.agents.sharing import edit
from tests.browser.conftest import PHONE, Watched
from tests.browser.test_every_page import WAYS
from tests.browser.test_touch_targets import SMALL
from tests.cast import Cast, ask, new_agent, new_chat
from tests.live import Live
from tests.memory.web.filed import file, new_archive

LONG = "A rather long line about a leaking roof that has no end in sight, and goes on. " * 6
OPEN = "all => all.forEach((each) => { each.open = true; })"
RULES = [
    {"type": "requires_approval", "tool_name": "core_memory_append"},
    {
        "type": "conditional",
        "tool_name": "archival_memory_search",
        "child_output_mapping": {"0": "archival_memory_insert"},
        "default_child": "send_message",
        "require_output_mapping": True,
    },
]


@pytest.fixture
def addresses(cast: Cast) -> list[str]:
    """A small window that was filled, emptied and summarised; an empty chat; rules; texts without spaces."""
    alice = cast.alice
    agent = new_agent(alice, name="季度计划助手 Quarterly planner", window=4000)
    notes = new_archive(alice, "Notes about a house")
    file(alice, notes, "The roof was mended in May.", "x" * 300)
    with alice.scope():
        archives.attach(agent.id, notes.id)
    chat = new_chat(alice, agent)
    for words in ("我不吃香菜。", "What do you know about the roof?", "y" * 900, *[LONG] * 5):
        ask(alice, chat, words)
    empty = new_chat(alice, agent)
    with alice.scope():
        keeping.keep(agent.id, Keeping(tool_rules=RULES))
        steps = list(Step.objects.filter(turn__conversation_id=chat.conversation_id).order_by("id"))
        said = Message.objects.filter(conversation_id=chat.conversation_id, role="user").earliest("position")
        persona = Block.objects.get(attachments__agent=agent, label="persona")
    edit(alice, persona, value="You know of roofs. " * 600, limit=20_000)  # too long for the window
    assert any(step.window["evicted"] for step in steps)
    home = f"/w/{alice.personal}"
    window = f"{home}/c/{chat.conversation_id}/context"
    return [
        f"{window}/",
        f"{window}/?message={said.id}",
        *(f"{window}/?step={step.id}" for step in (steps[1], steps[-1])),
        f"{window}/timeline/",
        f"{window}/timeline/?step={steps[3].id}",
        f"{window}/compare/",
        f"{window}/compare/?from={steps[0].id}&to=now",
        f"{window}/why/",
        f"{window}/why/?q=roof&record=mended",
        f"{window}/why/?q=roof&record=nothing",
        *(f"{home}/c/{empty.conversation_id}/context/{rest}" for rest in ("", "timeline/", "compare/")),
        f"{window}/why/?q=mended&record=roofs",
        f"{home}/agents/{agent.id}/",
        f"{home}/agents/{agent.id}/window/",
        f"{home}/agents/{agent.id}/tools/",
    ]


@pytest.mark.parametrize("way", WAYS)
def test_no_page_of_a_window_has_a_serious_fault(
    watch: Callable[..., Watched], live: Live, cast: Cast, addresses: list[str], way: str
) -> None:
    session = watch(live, **WAYS[way])
    session.enter(cast.alice)
    found: dict[str, list[str]] = {}
    for address in addresses:
        session.open(address)
        session.page.locator("main details").evaluate_all(
            "all => all.forEach((each) => { each.open = true; })"
        )
        found[address] = session.faults()
    assert {address: faults for address, faults in found.items() if faults} == {}


def test_everything_of_a_window_is_large_enough_for_a_finger(
    watch: Callable[..., Watched], live: Live, cast: Cast, addresses: list[str]
) -> None:
    phone = watch(live, viewport=PHONE, has_touch=True, is_mobile=True)
    phone.enter(cast.alice)
    wrongs: list[str] = []
    for address in addresses:
        phone.open(address)
        page = phone.await_scripts()
        page.locator("main details").evaluate_all(OPEN)
        assert page.locator("main a").count()
        wrongs += [f"{address}: {each}" for each in page.evaluate(SMALL)]
    assert wrongs == []
