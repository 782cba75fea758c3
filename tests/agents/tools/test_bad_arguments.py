"""Whatever a model sends as arguments, it gets a sentence back, and nothing has changed."""

import json
from typing import Any

import pytest

from agents.tools import catalog
from tests.agents.tools.calling import Tools

DEEP = "[" * 100_000
GOOD: dict[str, dict[str, Any]] = {
    "send_message": {"message": "Hello."},
    "core_memory_append": {"label": "human", "content": "a"},
    "core_memory_replace": {"label": "human", "old_content": "a", "new_content": "b"},
    "memory_insert": {"label": "human", "new_string": "a"},
    "memory_replace": {"label": "human", "old_string": "a", "new_string": "b"},
    "memory_rethink": {"label": "human", "new_memory": "a"},
    "memory_apply_patch": {"label": "human", "patch": "+a"},
    "memory_finish_edits": {},
    "conversation_search": {"query": "tea"},
    "message_read": {"id": "01a22ab0-b362-7112-b14a-8ad4128b8783"},
    "archival_memory_insert": {"content": "a"},
    "archival_memory_search": {"query": "tea"},
    "skill_load": {"name": "a"},
}
BROKEN = [
    '{"message": "half',
    "not JSON",
    "[]",
    "null",
    "3",
    '"text"',
    DEEP,
    '{"a":' * 50_000,
    "9" * 10_000,
    "\ufffd",
]


@pytest.mark.parametrize("name", GOOD)
@pytest.mark.parametrize("arguments", BROKEN)
def test_it_refuses_what_is_not_one_json_object(tools: Tools, name: str, arguments: str) -> None:
    before = tools.everything()
    assert "JSON" in tools.error(name, arguments)
    assert tools.everything() == before


@pytest.mark.parametrize("name", GOOD)
def test_it_refuses_missing_unknown_and_mistyped_arguments(tools: Tools, name: str) -> None:
    before = tools.everything()
    assert "invented" in tools.error(name, json.dumps(GOOD[name] | {"invented": 1}))
    for first in list(GOOD[name])[:1]:
        assert first in tools.error(name, "{}")
        for wrong in (None, 3, ["a"], {"a": 1}, True):
            assert first in tools.error(name, json.dumps(GOOD[name] | {first: wrong}))
    assert tools.everything() == before


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("conversation_search", {"roles": ["system"]}),
        ("conversation_search", {"roles": "user"}),
        ("conversation_search", {"limit": "many"}),
        ("conversation_search", {"limit": 1.5}),
        ("conversation_search", {"start_date": "yesterday"}),
        ("conversation_search", {"end_date": "2026-13-01"}),
        ("conversation_search", {"query": "?!"}),
        ("conversation_search", {"query": "x" * 2000}),
        ("archival_memory_search", {"tag_match_mode": "some"}),
        ("archival_memory_search", {"tags": [1]}),
        ("archival_memory_search", {"top_k": float("nan")}),
        ("archival_memory_search", {"start_datetime": "香菜"}),
        ("archival_memory_insert", {"content": " "}),
        ("archival_memory_insert", {"content": "x" * 1_000_000}),
        ("archival_memory_insert", {"tags": ["x" * 65]}),
        ("archival_memory_insert", {"tags": list(range(100_000))}),
        ("message_read", {"id": "seven"}),
        ("message_read", {"id": ""}),
        ("message_read", {"offset": "x"}),
        ("core_memory_append", {"label": "nothing"}),
        ("core_memory_append", {"label": "x" * 1_000_000}),
        ("core_memory_append", {"content": "x" * 1_000_000}),
        ("core_memory_append", {"content": ""}),
        ("core_memory_replace", {"old_content": ""}),
        ("memory_insert", {"insert_line": 10**30}),
        ("memory_insert", {"insert_line": -7}),
        ("send_message", {"message": " \n"}),
    ],
)
def test_it_says_in_short_what_is_wrong(tools: Tools, name: str, wrong: dict[str, Any]) -> None:
    before = tools.everything()
    assert len(tools.error(name, json.dumps(GOOD[name] | wrong))) < 600
    assert tools.everything() == before


def test_it_names_the_tools_where_one_is_invented(tools: Tools) -> None:
    answer = tools.call("core_memory_explode", "{}")
    assert answer["tools"] == sorted(GOOD.keys() - {"skill_load"})


@pytest.mark.parametrize("limit", [0, -1, 10**9, 10**40])
def test_it_bounds_counts_that_are_out_of_reason(tools: Tools, limit: int) -> None:
    assert tools.call("conversation_search", query="hello", limit=limit, page=limit)["status"] == "ok"
    assert tools.call("archival_memory_search", query="hello", top_k=limit)["status"] == "ok"
    assert tools.call("message_read", id=str(tools.turn.message_id), offset=limit)["status"] == "ok"


@pytest.mark.parametrize("moment", ["0001-01-01", "9999-12-31", "9999-12-31T23:59:59-14:00", "2026-W48-1"])
def test_it_takes_the_ends_of_the_calendar(tools: Tools, moment: str) -> None:
    for ends in ({"start_date": moment}, {"end_date": moment}):
        assert tools.call("conversation_search", query="hello", **ends)["status"] == "ok"


@pytest.mark.parametrize("text", ["a\0b", "\ud83d", "a\udc00b", "\0" * 10])
def test_it_stores_what_postgresql_cannot_hold_as_a_replacement(tools: Tools, text: str) -> None:
    assert tools.call("core_memory_append", label="human", content=text)["status"] == "ok"
    assert tools.call("archival_memory_insert", content=text, tags=[f"t{text}"])["status"] == "ok"
    assert "\ufffd" in tools.block().value
    assert not {"\0", "\ud83d"} & set(tools.block().value)


def test_it_survives_such_text_in_names_and_labels(tools: Tools) -> None:
    assert tools.call("a\0\ud83d", "{}")["status"] == "error"
    assert tools.call("core_memory_append", label="\ud83d\0", content="a")["status"] == "error"
    assert tools.call("core_memory_append", '{"\\ud83d\\u0000": 1}')["status"] == "error"
    assert tools.call("conversation_search", query="\0\ud83d香菜")["status"] == "ok"
    assert tools.call("message_read", id="\0")["status"] == "error"


@pytest.mark.parametrize("name", ["request_heartbeat", "thinking", "inner_thoughts"])
def test_it_overlooks_what_models_of_other_systems_add(tools: Tools, name: str) -> None:
    assert tools.call("core_memory_append", label="human", content="a", **{name: "x"})["status"] == "ok"


def test_it_covers_every_tool() -> None:
    assert set(GOOD) == set(catalog.TOOLS)
