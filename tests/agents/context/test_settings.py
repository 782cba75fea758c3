"""How an agent keeps its window is data on the agent: checked when it is saved, and only what differs."""

from typing import Any

import pytest

from agents.context.clear_tool_uses import ClearToolUses
from agents.context.settings import BadSettings, ContextSettings, as_data, checked, settings_of
from agents.models import Agent

CLEARING = {
    "trigger": {"type": "tool_uses", "value": 5},
    "keep": {"type": "tool_uses", "value": 1},
    "clear_at_least": {"type": "input_tokens", "value": 0},
    "exclude_tools": ["skill_load"],
    "clear_tool_inputs": True,
}


def made(data: dict[str, Any]) -> ContextSettings:
    return settings_of(Agent(context=checked(data)))


def test_an_agent_without_settings_has_those_of_everywhere() -> None:
    assert made({}) == ContextSettings()
    assert made({"warn_at": None}) == ContextSettings()


def test_it_keeps_what_differs_and_nothing_else() -> None:
    assert checked({"warn_at": 60, "flush_at": 95}) == {"warn_at": 60}
    assert checked(as_data(ContextSettings())) == {}
    assert made({"warn_at": 60}).warn_at == 60


def test_what_is_saved_comes_back_as_it_was() -> None:
    data = {"warn_at": 60, "clip_at": 10, "tokens_max": 50_000, "clear_tool_uses": CLEARING}
    assert checked(checked(data)) == checked(data) == data
    assert made(data).clear_tool_uses == ClearToolUses(
        trigger=5,
        counts_uses=True,
        keep=1,
        clear_at_least=0,
        exclude_tools=("skill_load",),
        clear_tool_inputs=True,
    )


def test_clearing_is_turned_off_by_null() -> None:
    assert checked({"clear_tool_uses": None}) == {"clear_tool_uses": None}
    assert made({"clear_tool_uses": None}).clear_tool_uses is None
    assert made({"clear_tool_uses": {}}).clear_tool_uses == ClearToolUses()


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"no_such": 1}, "no_such"),
        ({"warn_at": 9}, "warn_at"),
        ({"warn_at": 70.5}, "warn_at"),
        ({"warn_at": "70"}, "warn_at"),
        ({"warn_at": True}, "warn_at"),
        ({"clip_at": 51}, "clip_at"),
        ({"warn_at": 80}, "summarise_at"),
        ({"summarise_at": 95}, "flush_at"),
        ({"flush_to": 70}, "flush_to"),
        ({"steps_max": 0}, "steps_max"),
        ({"clear_tool_uses": []}, "clear_tool_uses"),
        ({"clear_tool_uses": {"keep": 3}}, "clear_tool_uses"),
        ({"clear_tool_uses": {"keep": {"type": "input_tokens", "value": 3}}}, "clear_tool_uses"),
        ({"clear_tool_uses": {"keep": {"type": "tool_uses", "value": -1}}}, "clear_tool_uses"),
        ({"clear_tool_uses": {"trigger": {"type": "tool_uses"}}}, "clear_tool_uses"),
        ({"clear_tool_uses": {"no_such": 1}}, "clear_tool_uses"),
        ({"clear_tool_uses": {"exclude_tools": "skill_load"}}, "clear_tool_uses"),
        ({"clear_tool_uses": {"clear_tool_inputs": 1}}, "clear_tool_uses"),
    ],
)
def test_it_refuses_what_cannot_be_and_names_the_setting(data: dict[str, Any], field: str) -> None:
    with pytest.raises(BadSettings) as refused:
        checked(data)
    assert refused.value.field == field
    assert str(refused.value)


def test_a_summary_takes_a_tenth_of_the_window_and_never_more_than_a_quarter() -> None:
    assert ContextSettings().summary_most(8_000) == 800
    assert ContextSettings().summary_most(200_000) == 2_000
    assert ContextSettings(summary_tokens=500).summary_most(8_000) == 500
    assert ContextSettings(summary_tokens=50_000).summary_most(8_000) == 2_000
