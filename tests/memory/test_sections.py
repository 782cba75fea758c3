"""Typed blocks: a text has its sections, each once, and one can change without the others."""

from typing import Any

import pytest

from memory import core
from memory.core import BadBlock, BlockFields
from memory.models import Block
from memory.operations import Append, BadSections, Rethink, SetSection
from memory.operations.sections import join, split
from tests.cast import Person
from tests.memory.remembering import new_block, now, operate, versions

SCHEMA = [{"name": "goals", "description": "What we want."}, {"name": "人员", "description": ""}]
HELD = "## goals\nShip it.\n\n## 人员\n李雷\n"


def typed(person: Person, value: str = HELD, **fields: Any) -> Block:
    return new_block(person, value, sections=SCHEMA, **fields)


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ("## goals\nShip it.", {"missing": ["人员"]}),
        (f"{HELD}\n## risks\nnone", {"unknown": ["risks"]}),
        (f"{HELD}\n## goals\nagain", {"doubled": ["goals"]}),
        (f"A preface.\n{HELD}", {"outside": ["A preface."]}),
        ("plain text", {"missing": ["goals", "人员"], "outside": ["plain text"]}),
    ],
)
def test_it_refuses_a_text_without_its_sections(alice: Person, value: str, fault: dict[str, Any]) -> None:
    block = typed(alice)
    with pytest.raises(BadSections, match="## goals, ## 人员") as refusal:
        operate(alice, block, Rethink(value))
    assert refusal.value.facts == {"expected": ["goals", "人员"]} | fault
    assert (now(alice, block).value, len(versions(alice, block))) == (HELD, 1)


def test_it_takes_sections_in_any_order_and_other_headings_within_them(alice: Person) -> None:
    block = typed(alice)
    value = "## 人员\n### 组长\n李雷\n\n## goals\n#1 and ##2"
    operate(alice, block, Rethink(value))
    assert split(now(alice, block).value) == {"人员": "### 组长\n李雷", "goals": "#1 and ##2"}


def test_it_begins_with_empty_sections(alice: Person) -> None:
    assert typed(alice, "").value == "## goals\n\n## 人员"


def test_it_rewrites_one_section_and_leaves_the_rest_to_the_letter(alice: Person) -> None:
    block = typed(alice, "## goals  \nShip it.\n\n\n## 人员\n李雷\n\n")
    operate(alice, block, SetSection("goals", "Ship it twice.\nThen rest.\n"))
    assert now(alice, block).value == "## goals  \nShip it twice.\nThen rest.\n\n## 人员\n李雷\n\n"
    operate(alice, block, SetSection("人员", ""))
    assert split(now(alice, block).value) == {"goals": "Ship it twice.\nThen rest.", "人员": ""}
    assert versions(alice, block)[-1].operation == "section"


@pytest.mark.parametrize(
    ("section", "content", "said"),
    [("risks", "none", "There are: goals, 人员"), ("goals", "a\n## 人员\nb", "no line that begins")],
)
def test_it_rewrites_no_section_that_is_not_there(
    alice: Person, section: str, content: str, said: str
) -> None:
    with pytest.raises(BadSections, match=said):
        operate(alice, typed(alice), SetSection(section, content))


def test_it_takes_what_is_appended_into_the_last_section(alice: Person) -> None:
    block = typed(alice, HELD.rstrip())
    operate(alice, block, Append("韩梅梅"))
    assert split(now(alice, block).value)["人员"] == "李雷\n韩梅梅"


def test_a_free_text_becomes_typed_only_with_its_sections(alice: Person) -> None:
    block = new_block(alice, "plain")
    with pytest.raises(BadSections), alice.scope():
        core.edit_block(block.id, BlockFields(sections=SCHEMA), expected_version=1, actor=core.by_me())
    with alice.scope():
        fields = BlockFields(sections=SCHEMA, value=HELD)
        core.edit_block(block.id, fields, expected_version=1, actor=core.by_me())
        core.edit_block(block.id, BlockFields(sections=[]), expected_version=2, actor=core.by_me())
        core.edit_block(block.id, BlockFields(value="plain"), expected_version=3, actor=core.by_me())
    assert now(alice, block).sections == []


def test_it_joins_what_it_has_split() -> None:
    assert join(split(HELD)) == HELD.rstrip()
    assert split(join({"a": "1\n\n2", "b": ""})) == {"a": "1\n\n2", "b": ""}


def test_a_heading_of_a_hundred_thousand_spaces_is_read_in_one_pass() -> None:
    """A pattern that tries every way to end such a line would hold up the whole site for half a minute."""
    spaces = " " * 100_000
    assert split(f"## a{spaces}b\nx") == {f"a{spaces}b": "x"}
    assert split(f"##{spaces}a{spaces}\nx") == {"a": "x"}


def test_a_section_without_a_description_has_an_empty_one(alice: Person) -> None:
    block = new_block(alice, "", sections=[{"name": "goals"}])
    assert now(alice, block).sections == [{"name": "goals", "description": ""}]
    page = alice.browser.get(f"/w/{block.workspace_id}/memory/{block.id}/")
    assert page.status_code == 200


@pytest.mark.parametrize("name", ["a:b", "a：b", "a\rb", "a\u2028b", "a\u200bb", "#a", " a", ""], ids=ascii)
def test_a_name_that_a_page_could_not_show_or_take_is_refused(alice: Person, name: str) -> None:
    new_block(alice, "", sections=[{"name": "a b"}])
    with pytest.raises(BadBlock):
        new_block(alice, "", sections=[{"name": name}])
