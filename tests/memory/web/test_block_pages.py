"""A block in the browser: edited by one who saw the newest version, refused in words, never lost."""

from __future__ import annotations

import uuid

import pytest

from memory import core
from memory.core import BlockFields, by_me
from memory.models import Block, BlockVersion
from tests.cast import Person


@pytest.fixture
def block(alice: Person) -> Block:
    with alice.scope():
        return core.create_block(
            workspace_id=alice.personal,
            fields=BlockFields(label="human", value="one", limit=20),
            actor=by_me(),
        )


def address(alice: Person, block: Block, rest: str = "") -> str:
    return f"/w/{alice.personal}/memory/{block.id}/{rest}"


def typed(value: str, **fields: object) -> dict[str, object]:
    return {"value": value, "description": "", "limit": 20, "version": 1} | fields


def test_it_saves_what_was_typed_as_a_version(alice: Person, block: Block) -> None:
    assert alice.browser.post(address(alice, block), typed("one\r\ntwo")).status_code == 302
    with alice.scope():
        assert Block.objects.get(id=block.id).value == "one\ntwo"
        assert BlockVersion.objects.filter(block=block).count() == 2


def test_it_says_how_much_is_too_much(alice: Person, block: Block) -> None:
    answer = alice.browser.post(address(alice, block), typed("x" * 25), headers={"HX-Request": "true"})
    assert answer.status_code == 422
    assert "5 characters over the limit of 20" in answer.content.decode()


def test_it_shows_both_texts_to_the_second_of_two_writers(alice: Person, block: Block) -> None:
    alice.browser.post(address(alice, block), typed("theirs"))
    answer = alice.browser.post(address(alice, block), typed("mine"), headers={"HX-Request": "true"})
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "<ins>theirs</ins>" in page
    assert ">\nmine</textarea>" in page
    assert alice.browser.post(address(alice, block), typed("merged", version=2)).status_code == 302


def test_it_keeps_history_when_a_version_is_restored(alice: Person, block: Block) -> None:
    alice.browser.post(address(alice, block), typed("two"))
    alice.browser.post(address(alice, block, "versions/1/restore/"))
    page = alice.browser.get(address(alice, block, "versions/")).content.decode()
    assert "v3" in page
    with alice.scope():
        assert Block.objects.get(id=block.id).value == "one"


def test_it_shows_the_difference_between_two_versions(alice: Person, block: Block) -> None:
    alice.browser.post(address(alice, block), typed("two"))
    page = alice.browser.get(address(alice, block, "versions/1..2/")).content.decode()
    assert "<del>one</del><ins>two</ins>" in page
    assert alice.browser.get(address(alice, block, "versions/1..9/")).status_code == 404


def test_it_filters_versions_by_who_wrote_them(alice: Person, block: Block) -> None:
    page = alice.browser.get(address(alice, block, "versions/?by=agent")).content.decode()
    assert "No versions like this." in page
    assert alice.browser.get(address(alice, block, "versions/?by=user&before=abc")).status_code == 200


def test_it_is_not_there_under_another_workspace(alice: Person, block: Block) -> None:
    assert alice.browser.get(f"/w/{uuid.uuid4()}/memory/{block.id}/").status_code == 404


@pytest.mark.parametrize("label", ["", "two words", "</human>", "9", "x" * 65])
def test_it_refuses_labels_that_are_none(alice: Person, label: str) -> None:
    body = {"label": label, "value": "", "limit": 20}
    assert alice.browser.post(f"/w/{alice.personal}/memory/new/", body).status_code == 422
