"""How an agent keeps its window and which tools it may call when: set on its pages, with a way back."""

from __future__ import annotations

import re
from typing import Any

import pytest

from agents.context.settings import ContextSettings, settings_of
from agents.models import Agent
from agents.roster import AgentFields, update_agent
from memory.models import Block
from tests.agents.sharing import edit
from tests.agents.stubbed import stub_model
from tests.agents.web.test_equipment_page import address
from tests.agents.web.test_skill_pages import undo_in
from tests.cast import Person, new_agent

TYPED = {
    **{"warn_at": "60", "summarise_at": "75", "flush_at": "90", "flush_to": "40", "clip_at": "10"},
    **{"summary_tokens": "500", "steps_max": "6", "tokens_max": "50000", "approval_hours": "24"},
    **{"clears": "on", "counted": "tool_uses", "trigger": "9", "keep": "2", "clear_at_least": "100"},
    **{"exclude_tools": ["message_read"], "clear_tool_inputs": "on"},
}


def fresh(person: Person, agent: Agent) -> Agent:
    with person.scope():
        return Agent.objects.get(id=agent.id)


def test_every_number_is_explained_and_kept(alice: Person) -> None:
    agent, model = new_agent(alice), stub_model(alice, "http://127.0.0.1:9/v1", name="cheap")
    page = alice.browser.get(address(agent, "window/")).content.decode()
    assert "The hard limit: here a turn moves the oldest messages out itself" in page
    assert "Room is made at once</td><td>95 %</td>" in page
    typed = TYPED | {"summary_model": str(model.id)}
    page = alice.browser.post(address(agent, "window/"), typed, follow=True).content.decode()
    held = fresh(alice, agent)
    kept = settings_of(held)
    assert (kept.warn_at, kept.summarise_at, kept.flush_at, kept.flush_to) == (60, 75, 90, 40)
    assert (kept.clip_at, kept.summary_tokens, kept.steps_max, kept.tokens_max) == (10, 500, 6, 50_000)
    assert kept.approval_hours == 24
    assert held.summary_model_id == model.id
    clearing = kept.clear_tool_uses
    assert clearing is not None
    assert (clearing.trigger, clearing.counts_uses, clearing.keep, clearing.clear_at_least) == (
        9,
        True,
        2,
        100,
    )
    assert (clearing.exclude_tools, clearing.clear_tool_inputs) == (("message_read",), True)
    for value in ('value="60"', 'value="500"', f'<option value="{model.id}" selected'):
        assert value in page
    alice.browser.post(undo_in(page))
    held = fresh(alice, agent)
    assert (held.context, held.summary_model_id) == ({}, None)


def test_clearing_is_switched_off_and_everything_taken_as_everywhere(alice: Person) -> None:
    agent = new_agent(alice)
    typed = {name: value for name, value in TYPED.items() if name != "clears"}
    alice.browser.post(address(agent, "window/"), typed)
    assert settings_of(fresh(alice, agent)).clear_tool_uses is None
    page = alice.browser.post(address(agent, "window/"), {"usual": "1"}, follow=True).content.decode()
    assert settings_of(fresh(alice, agent)) == ContextSettings()
    alice.browser.post(undo_in(page))
    assert settings_of(fresh(alice, agent)).warn_at == 60


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"summarise_at": "60"}, "the warning comes first"),
        ({"flush_at": "70"}, "that comes before it hurts"),
        ({"flush_to": "60"}, "the warning goes with it"),
        ({"trigger": ""}, "A number of tool calls is missing"),
        ({"warn_at": "0"}, "greater than or equal to 10"),
        ({"warn_at": ""}, "required"),
    ],
)
def test_what_cannot_be_is_said_at_its_field_and_nothing_is_lost(
    alice: Person, wrong: dict[str, str], words: str
) -> None:
    agent = new_agent(alice)
    answer = alice.browser.post(address(agent, "window/"), TYPED | wrong)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert words in page
    assert 'value="50000"' in page
    assert fresh(alice, agent).context == {}


def test_a_block_that_the_window_has_no_room_for_is_told_with_how_to_mend_it(alice: Person) -> None:
    agent = new_agent(alice, window=4000)
    with alice.scope():
        block = Block.objects.get(attachments__agent=agent, label="persona")
    words = "The window has no room for all of its memory blocks"
    pages = [address(agent, rest) for rest in ("", "window/")]
    shown = [alice.browser.get(page).content.decode() for page in pages]
    assert ["persona" in shown[0], *(words in page for page in shown)] == [True, False, False]
    edit(alice, block, value="You know a lot about crates. " * 600, limit=20_000)
    for page in (alice.browser.get(page).content.decode() for page in pages):
        told = page.split(words)[1].split("</div>")[0]
        assert re.search(r"only the first [1-9][\d,]* of 17,400 characters", told)
        assert f'href="/w/{alice.personal}/memory/{block.id}/"' in told
        assert f'/agents/{agent.id}/settings/"' in told
    with alice.scope():
        update_agent(agent.id, AgentFields(window=0))
    for page in pages:
        assert words not in alice.browser.get(page).content.decode()


def rules_of(person: Person, agent: Agent) -> list[dict[str, Any]]:
    return list(fresh(person, agent).tool_rules)


def test_rules_are_added_kept_removed_and_brought_back(alice: Person) -> None:
    agent = new_agent(alice)
    tools = address(agent, "tools/")
    page = alice.browser.get(tools).content.decode()
    assert "No rules yet" in page
    assert "Each call waits until a person has said yes" in page
    page = alice.browser.post(tools, {"add": "max_count_per_step"}).content.decode()
    assert 'name="r0-max_count_limit"' in page
    assert rules_of(alice, agent) == []
    first = {
        "r0-type": "max_count_per_step",
        "r0-tool_name": "conversation_search",
        "r0-max_count_limit": "2",
    }
    page = alice.browser.post(tools, first | {"add": "conditional"}).content.decode()
    assert 'value="2"' in page, "what was typed stays"
    second = {
        "r1-type": "conditional",
        "r1-tool_name": "archival_memory_search",
        "r1-child_output_mapping": "0 = archival_memory_insert\n",
        "r1-default_child": "send_message",
    }
    page = alice.browser.post(tools, first | second, follow=True).content.decode()
    both = [
        {"type": "max_count_per_step", "tool_name": "conversation_search", "max_count_limit": 2},
        {
            "type": "conditional",
            "tool_name": "archival_memory_search",
            "child_output_mapping": {"0": "archival_memory_insert"},
            "default_child": "send_message",
            "require_output_mapping": False,
        },
    ]
    assert rules_of(alice, agent) == both
    assert "0 = archival_memory_insert" in page
    page = alice.browser.post(tools, first | second | {"r0-remove": "on"}, follow=True).content.decode()
    assert rules_of(alice, agent) == both[1:]
    alice.browser.post(undo_in(page))
    assert rules_of(alice, agent) == both


def test_rules_that_never_end_a_turn_are_refused_in_words(alice: Person) -> None:
    agent = new_agent(alice)
    sent = {"r0-type": "continue_loop", "r0-tool_name": "send_message"}
    answer = alice.browser.post(address(agent, "tools/"), sent)
    assert answer.status_code == 422
    assert "Nothing ends a turn" in answer.content.decode()
    assert rules_of(alice, agent) == []


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"r0-type": "max_count_per_step", "r0-tool_name": "send_message"}, "required"),
        ({"r0-type": "exit_loop", "r0-tool_name": "no_such_tool"}, "no_such_tool"),
        (
            {"r0-type": "conditional", "r0-tool_name": "message_read", "r0-child_output_mapping": "yes"},
            "Each line is an answer",
        ),
        ({"r0-type": "requires_approval", "r0-tool_name": "send_message"}, "cannot wait for a yes"),
    ],
)
def test_a_wrong_rule_says_what_is_wrong(alice: Person, sent: dict[str, str], words: str) -> None:
    answer = alice.browser.post(address(new_agent(alice), "tools/"), sent)
    assert answer.status_code == 422
    assert words in answer.content.decode()


def test_programs_set_the_same(alice: Person) -> None:
    agent = new_agent(alice)
    where = f"/api/v1/agents/{agent.id}/"
    rule = {"type": "requires_approval", "tool_name": "core_memory_append"}
    wanted = {"context": {"warn_at": 55}, "tool_rules": [rule], "summary_model": str(agent.model_id)}
    said = alice.api.patch(where, wanted, content_type="application/json").json()
    assert said["context"]["warn_at"] == 55
    assert said["context"]["flush_at"] == ContextSettings().flush_at
    assert (said["tool_rules"], said["summary_model"]) == ([rule], str(agent.model_id))
    said = alice.api.patch(where, {"name": "Other"}, content_type="application/json").json()
    assert (said["name"], said["context"]["warn_at"], said["tool_rules"]) == ("Other", 55, [rule])
    said = alice.api.patch(
        where, {"summary_model": None, "context": {}}, content_type="application/json"
    ).json()
    assert (said["summary_model"], said["context"]["warn_at"]) == (None, 70)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"context": {"warn_at": 99}}, "warn_at"),
        ({"context": {"luck": 1}}, "luck"),
        ({"tool_rules": [{"type": "continue_loop", "tool_name": "send_message"}]}, "tool_rules"),
        ({"tool_rules": [{"type": "luck"}]}, "tool_rules"),
    ],
)
def test_programs_hear_what_is_wrong(alice: Person, wrong: dict[str, Any], field: str) -> None:
    agent = new_agent(alice)
    where = f"/api/v1/agents/{agent.id}/"
    answer = alice.api.patch(where, {"name": "Other"} | wrong, content_type="application/json")
    assert answer.status_code == 400
    assert field in answer.json()["errors"]
    assert fresh(alice, agent).name == agent.name, "all of it or nothing"
