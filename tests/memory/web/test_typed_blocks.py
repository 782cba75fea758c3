"""A block of sections has a field for each; its text holds them all."""

from __future__ import annotations

import pytest

from memory.models import Block
from tests.cast import Person
from tests.memory.web.pages import address, new_block, typed, value_of

SECTIONS = [{"name": "Goals", "description": "What we want."}, {"name": "Risks", "description": ""}]


@pytest.fixture
def block(alice: Person) -> Block:
    return new_block(alice, value="## Goals\nShip.\n\n## Risks\nNone.", sections=SECTIONS)


def test_each_section_has_a_field_of_its_own(alice: Person, block: Block) -> None:
    page = alice.browser.get(address(block)).content.decode()
    assert 'name="section:Goals"' in page
    assert ">\nShip.</textarea>" in page
    assert "What we want." in page
    assert 'name="value"' not in page


def test_one_section_changes_without_the_others(alice: Person, block: Block) -> None:
    sent = {"section:Goals": "Ship in May.", "section:Risks": "None.", "version": 1, "limit": 2000}
    assert alice.browser.post(address(block), sent).status_code == 302
    assert value_of(alice, block) == "## Goals\nShip in May.\n\n## Risks\nNone."


def test_a_heading_inside_a_section_is_refused_in_words(alice: Person, block: Block) -> None:
    sent = {"section:Goals": "## More\nx", "section:Risks": "", "version": 1, "limit": 2000}
    answer = alice.browser.post(address(block), sent)
    assert answer.status_code == 422
    assert "no other line that begins with ##" in answer.content.decode()
    assert "## More" in answer.content.decode()


def test_a_free_text_becomes_a_typed_one(alice: Person) -> None:
    block = new_block(alice, value="")
    sent = typed(block, "", sections="Goals: What we want.\nRisks")
    assert alice.browser.post(address(block), sent).status_code == 302
    assert value_of(alice, block) == "## Goals\n\n## Risks"
    with alice.scope():
        assert Block.objects.get(id=block.id).sections == SECTIONS


def test_sections_that_do_not_fit_the_text_are_refused(alice: Person) -> None:
    block = new_block(alice, value="one")
    answer = alice.browser.post(address(block), typed(block, "one", sections="Goals"))
    assert answer.status_code == 422
    assert "## Goals" in answer.content.decode()


def test_what_was_typed_counts_where_sections_came_meanwhile(alice: Person) -> None:
    block = new_block(alice, value="")
    alice.browser.post(address(block), typed(block, "", sections="Goals"))
    late = alice.browser.post(address(block), typed(block, "My long text."))
    assert late.status_code == 409
    assert "My long text." in late.content.decode()
    without = {"version": 2, "limit": 3000, "label": "goals"}
    assert alice.browser.post(address(block), without).status_code == 302
    assert value_of(alice, block) == "## Goals"


def test_a_section_without_a_description_is_shown_and_saved(alice: Person) -> None:
    block = new_block(alice, value="")
    with alice.scope():
        Block.objects.filter(id=block.id).update(sections=[{"name": "Goals"}], value="## Goals\nOne.")
    assert 'name="section:Goals"' in alice.browser.get(address(block)).content.decode()
    sent = {"section:Goals": "Two.", "sections": "Goals", "version": 1, "limit": 2000}
    assert alice.browser.post(address(block), sent).status_code == 302
    assert value_of(alice, block) == "## Goals\nTwo."
