"""What is saved as tool rules: nine kinds by Letta's names, and no set by which a turn could not end."""

from typing import Any

import pytest

from agents.tools import catalog
from agents.tools.rules import KINDS, BadRule, checked

APPEND, SEARCH, INSERT = "core_memory_append", "conversation_search", "archival_memory_insert"
SEND = "send_message"

EACH: list[dict[str, Any]] = [
    {"type": "run_first", "tool_name": SEARCH},
    {"type": "exit_loop", "tool_name": INSERT},
    {"type": "continue_loop", "tool_name": APPEND},
    {
        "type": "conditional",
        "tool_name": SEARCH,
        "child_output_mapping": {"0": "archival_memory_search"},
        "default_child": SEND,
        "require_output_mapping": False,
    },
    {"type": "constrain_child_tools", "tool_name": APPEND, "children": [SEND]},
    {"type": "max_count_per_step", "tool_name": SEARCH, "max_count_limit": 3},
    {"type": "parent_last_tool", "tool_name": "skill_load", "children": [INSERT, SEND]},
    {"type": "required_before_exit", "tool_name": APPEND},
    {"type": "requires_approval", "tool_name": INSERT},
]


def save(*rules: Any) -> list[dict[str, Any]]:
    return checked(list(rules), catalog.TOOLS, catalog.OF_SKILLS)


def refusal(*rules: Any) -> str:
    with pytest.raises(BadRule) as refused:
        save(*rules)
    return str(refused.value)


@pytest.mark.parametrize("rule", EACH, ids=lambda rule: rule["type"])
def test_each_kind_is_kept_with_its_fields(rule: dict[str, Any]) -> None:
    assert save(rule) == [rule]


def test_there_are_nine_kinds_and_each_is_explained() -> None:
    assert [kind.type for kind in KINDS] == [rule["type"] for rule in EACH]
    for kind, rule in zip(KINDS, EACH, strict=True):
        assert str(kind.explanation).endswith(".")
        assert {"type", "tool_name", *kind.fields} == set(rule)


def test_what_lettas_clients_send_along_unset_is_dropped() -> None:
    rule = EACH[0] | {"prompt_template": None, "args": None}
    assert save(rule) == [EACH[0]]


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ({"type": "run_last", "tool_name": SEARCH}, "run_last"),
        ({"type": "run_first"}, "tool_name"),
        ({"type": "run_first", "tool_name": "launch"}, "There is no tool launch."),
        ({"type": "run_first", "tool_name": SEARCH, "args": {"query": "x"}}, "args"),
        ({"type": "constrain_child_tools", "tool_name": APPEND, "children": []}, "children"),
        ({"type": "constrain_child_tools", "tool_name": APPEND, "children": ["launch"]}, "no tool launch"),
        ({"type": "conditional", "tool_name": SEARCH, "child_output_mapping": {}}, "child_output_mapping"),
        ({"type": "max_count_per_step", "tool_name": SEARCH, "max_count_limit": -1}, "max_count_limit"),
        ({"type": "max_count_per_step", "tool_name": SEARCH, "max_count_limit": True}, "max_count_limit"),
        (EACH[3] | {"child_output_mapping": {" ": SEND}}, "child_output_mapping"),
        (EACH[3] | {"child_output_mapping": {"0\nfailed": SEND}}, "child_output_mapping"),
        ({"type": "parent_last_tool", "children": [SEND]}, "tool_name"),
        ({"type": "parent_last_tool", "tool_name": APPEND, "children": [APPEND]}, "wait for itself"),
        ({"type": "requires_approval", "tool_name": SEND}, "cannot wait for a yes"),
        ("run_first", "is an object"),
    ],
)
def test_a_rule_that_is_wrong_is_named_by_its_place(rule: Any, said: str) -> None:
    with pytest.raises(BadRule) as refused:
        save(EACH[0], rule)
    assert said in str(refused.value)
    assert refused.value.index == 1


def test_rules_are_a_list() -> None:
    with pytest.raises(BadRule):
        checked({"type": "run_first"}, catalog.TOOLS, catalog.OF_SKILLS)


def test_the_same_rule_is_not_given_twice() -> None:
    assert "two rules" in refusal(EACH[5], EACH[5] | {"max_count_limit": 4})


def test_a_tool_does_not_both_end_the_turn_and_go_on() -> None:
    said = refusal(*({"type": kind, "tool_name": APPEND} for kind in ("exit_loop", "continue_loop")))
    assert said == "core_memory_append cannot both end the turn and go on."


def test_something_has_to_end_a_turn() -> None:
    every = [{"type": "continue_loop", "tool_name": tool} for tool in catalog.TOOLS]
    assert "Nothing ends a turn" in refusal(*every)
    speaking_goes_on = {"type": "continue_loop", "tool_name": SEND}
    assert "Nothing ends a turn" in refusal(speaking_goes_on)
    assert save(speaking_goes_on, {"type": "exit_loop", "tool_name": "memory_finish_edits"})


def test_what_is_required_is_not_switched_off() -> None:
    off = {"type": "max_count_per_step", "tool_name": APPEND, "max_count_limit": 0}
    assert save(off)
    assert "core_memory_append has to run" in refusal(
        off, {"type": "required_before_exit", "tool_name": APPEND}
    )
    assert "begins with core_memory_append" in refusal(off, {"type": "run_first", "tool_name": APPEND})


def test_what_is_required_can_be_called() -> None:
    after_what_is_off = [
        {"type": "required_before_exit", "tool_name": APPEND},
        {"type": "parent_last_tool", "tool_name": SEARCH, "children": [APPEND]},
        {"type": "max_count_per_step", "tool_name": SEARCH, "max_count_limit": 0},
    ]
    said = refusal(*after_what_is_off)
    assert said == "A turn could never end: core_memory_append is required, and cannot be called."
    assert save(*after_what_is_off[:2])


def test_tools_that_only_lead_to_each_other_never_end() -> None:
    circle = [
        {"type": "run_first", "tool_name": SEARCH},
        {"type": "constrain_child_tools", "tool_name": SEARCH, "children": [INSERT]},
        {"type": "constrain_child_tools", "tool_name": INSERT, "children": [SEARCH]},
    ]
    assert "none of the tools that end it can be called" in refusal(*circle)
    assert "Once archival_memory_insert has run, the turn can never end: only" in refusal(*circle[1:])
    assert save(*circle[:2], circle[2] | {"children": [SEARCH, SEND]})


def test_a_trap_that_a_turn_need_not_enter_is_refused_too() -> None:
    trap = {"type": "constrain_child_tools", "tool_name": SEARCH, "children": [SEARCH]}
    said = refusal(trap)
    assert said == (
        "Once conversation_search has run, the turn can never end: only conversation_search may follow."
    )


def test_a_case_that_is_not_named_must_not_leave_something_owed() -> None:
    strict = EACH[3] | {"require_output_mapping": True}
    owed = {"type": "required_before_exit", "tool_name": APPEND}
    assert save(strict)
    assert "After conversation_search nothing may be called" in refusal(strict, owed)


def test_all_tools_can_be_required_at_once() -> None:
    every = [{"type": "required_before_exit", "tool_name": tool} for tool in list(catalog.TOOLS)[:10]]
    assert len(save(*every)) == 10


def test_what_cannot_be_walked_through_is_refused_with_the_reason() -> None:
    every = [{"type": "required_before_exit", "tool_name": tool} for tool in catalog.TOOLS if tool != SEND]
    limits = [
        {"type": "max_count_per_step", "tool_name": tool, "max_count_limit": 2} for tool in catalog.TOOLS
    ]
    assert "too many to be checked together" in refusal(*every, *limits)


def test_a_turn_ends_also_while_the_agent_has_no_skills() -> None:
    """Then skill_load is not offered, and what leads to it alone leads nowhere."""
    leads_there = {"type": "constrain_child_tools", "tool_name": APPEND, "children": ["skill_load"]}
    assert save(leads_there)
    required = {"type": "required_before_exit", "tool_name": INSERT}
    said = refusal(leads_there, required)
    assert said.startswith("While the agent has no skills: After core_memory_append nothing may be called")
    assert save(leads_there | {"children": ["skill_load", INSERT]}, required)
    assert "While the agent has no skills" in refusal(
        {"type": "continue_loop", "tool_name": SEND}, {"type": "exit_loop", "tool_name": "skill_load"}
    )
