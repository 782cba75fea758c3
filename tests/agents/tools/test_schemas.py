"""A tool's hints and docstring are what a model sees of it; the names are those that other systems use."""

import json

import pytest

from agents.tools import catalog
from agents.tools.base import ToolContext, tool

# As agreed with clients, see docs/glossary.md: a name here is a promise.
ARGUMENTS = {
    "send_message": ["message"],
    "core_memory_append": ["label", "content", "reason"],
    "core_memory_replace": ["label", "old_content", "new_content", "reason"],
    "memory_insert": ["label", "new_string", "insert_line", "reason"],
    "memory_replace": ["label", "old_string", "new_string", "reason"],
    "memory_rethink": ["label", "new_memory", "reason"],
    "memory_apply_patch": ["label", "patch", "reason"],
    "memory_finish_edits": [],
    "conversation_search": ["query", "roles", "limit", "start_date", "end_date", "page"],
    "message_read": ["id", "offset"],
    "archival_memory_insert": ["content", "tags", "importance"],
    "archival_memory_search": [
        "query",
        "tags",
        "tag_match_mode",
        "top_k",
        "start_datetime",
        "end_datetime",
        "history",
    ],
}
LOADING = {"skill_load": ["name"]}
OPTIONAL = {"reason"}
REQUIRED = {
    "memory_insert": ["label", "new_string"],
    "conversation_search": ["query"],
    "message_read": ["id"],
    "archival_memory_insert": ["content"],
    "archival_memory_search": ["query"],
}


def offered(**which: bool) -> dict[str, list[str]]:
    functions = [schema["function"] for schema in catalog.schemas(**which)]
    return {each["name"]: list(each["parameters"]["properties"]) for each in functions}


def test_it_offers_the_tools_by_their_names() -> None:
    assert offered() == ARGUMENTS
    assert offered(with_skills=True) == ARGUMENTS | LOADING


@pytest.mark.parametrize("name", ARGUMENTS | LOADING)
def test_it_describes_every_argument(name: str) -> None:
    function = catalog.TOOLS[name].schema()["function"]
    parameters = function["parameters"]
    assert function["description"]
    assert all(value["description"] for value in parameters["properties"].values())
    needed = [each for each in (ARGUMENTS | LOADING)[name] if each not in OPTIONAL]
    assert parameters["required"] == REQUIRED.get(name, needed)


def test_it_keeps_the_types_and_defaults() -> None:
    properties = catalog.TOOLS["archival_memory_search"].schema()["function"]["parameters"]["properties"]
    assert properties["tags"] == {
        "type": "array",
        "items": {"type": "string"},
        "description": "Only passages with these tags.",
    }
    assert properties["tag_match_mode"]["enum"] == ["any", "all", "none"]
    assert properties["tag_match_mode"]["default"] == "any"
    assert properties["top_k"]["type"] == "integer"
    insert = catalog.TOOLS["memory_insert"].schema()["function"]["parameters"]["properties"]
    assert insert["insert_line"]["default"] == -1
    # Six tools have it, in every prompt.
    assert insert["reason"] == {"type": "string", "description": "Why, for whoever decides on a proposal."}


def test_it_is_always_the_same_bytes() -> None:
    made = [each.schema() for each in catalog.TOOLS.values()]
    assert json.dumps(made) == json.dumps(catalog.schemas(with_skills=True))
    assert json.dumps(made[: len(ARGUMENTS)]) == json.dumps(catalog.schemas())


def test_it_refuses_a_function_with_an_argument_that_is_not_described() -> None:
    def forgetful(context: ToolContext, what: str) -> dict[str, str]:
        """Does something."""
        return {"what": what}

    with pytest.raises(KeyError, match="what"):
        tool(forgetful)
