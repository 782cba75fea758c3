"""How much of a limit a text takes, counted by the server while somebody types."""

from __future__ import annotations

import re

import pytest

from agents import blocks, core_memory
from tests.cast import Person, new_agent
from tests.memory.web.pages import FRAGMENT, address, new_block, typed, write


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({"value": "hello world", "unit": "tokens", "limit": "10"}, "<span data-used>2</span>"),
        ({"value": "你好，世界", "unit": "characters", "limit": "10"}, "<span data-used>5</span>"),
        (
            {"section:A": "x", "section:B": "", "unit": "characters", "limit": "50"},
            "<span data-used>12</span>",
        ),
        ({"value": "x", "unit": "stones", "limit": "many"}, "<span data-used>1</span>"),
        ({}, "<span data-used>0</span>"),
    ],
)
def test_it_counts_what_is_typed(alice: Person, sent: dict[str, str], told: str) -> None:
    answer = alice.browser.post(f"/w/{alice.personal}/memory/measure/", sent, headers=FRAGMENT)
    assert told in answer.content.decode()


def test_a_limit_in_tokens_is_told_in_tokens(alice: Person) -> None:
    block = new_block(alice, unit="tokens", limit=3)
    page = alice.browser.get(address(block, "card/")).content.decode()
    assert "1 / 3 tokens" in page
    answer = alice.browser.post(address(block), typed(block, "one two three four five", unit="tokens"))
    assert answer.status_code == 422
    assert "2 tokens over the limit of 3" in answer.content.decode()


@pytest.mark.parametrize(
    ("length", "state", "told"),
    [
        (8, "", ""),
        (9, "near", "nearly full"),
        (10, "near", "nearly full"),
        (12, "over", "over by <span data-over-by>2</span>"),
    ],
)
def test_the_counter_says_when_little_room_is_left(alice: Person, length: int, state: str, told: str) -> None:
    sent = {"value": "x" * length, "unit": "characters", "limit": "10"}
    page = alice.browser.post(f"/w/{alice.personal}/memory/measure/", sent, headers=FRAGMENT).content.decode()
    assert page.count(f'data-room="{state}"') == 2  # the line and the meter
    shown = re.sub(r"<span [^>]* hidden>.*?</span>(</span>)?", "", page)
    assert told in shown
    assert ("nearly full" in shown, "over by" in shown) == (state == "near", state == "over")


def test_a_limit_that_is_none_is_never_reached(alice: Person) -> None:
    sent = {"value": "x", "unit": "characters", "limit": "many"}
    page = alice.browser.post(f"/w/{alice.personal}/memory/measure/", sent, headers=FRAGMENT).content.decode()
    assert page.count('data-room=""') == 2


def test_form_card_and_list_say_it_from_where_on_models_are_told(alice: Person) -> None:
    block = new_block(alice, value="x" * 89, limit=100)
    agent = new_agent(alice)
    with alice.scope():
        blocks.attach(agent.id, block.id)
    pages = [address(block), address(block, "card/"), f"/w/{alice.personal}/memory/?q=goals"]

    def told() -> list[bool]:
        with alice.scope():
            (seen,) = (each for each in core_memory.agent_blocks(agent) if each.label == "goals")
        shown = ['data-room="near"' in alice.browser.get(page).content.decode() for page in pages]
        return [seen.is_near_limit, *shown]

    assert told() == [False] * 4
    write(alice, block, "x" * 90)
    assert told() == [True] * 4
