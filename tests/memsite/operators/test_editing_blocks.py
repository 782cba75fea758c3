"""A block is changed in the admin as everywhere: versions, limits, conflicts and the log hold."""

import logging
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry

from memory import core
from memory.core import BlockFields
from memory.models import Block, BlockVersion
from tests.cast import Cast, Person
from tests.memsite.operators.staff import Staff, block_of, events, let_staff_read


@pytest.fixture(autouse=True)
def _refusals_are_expected(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, "django.request")


@pytest.fixture
def block(cast: Cast) -> Block:
    return block_of(cast.alice, cast.team, label="plan", value="We ship in May.", limit=100)


def form(block: Block, **changes: Any) -> dict[str, Any]:
    """What the browser sends for a block's page."""
    return {
        "description": block.description,
        "value": block.value,
        "limit": block.limit,
        "unit": block.unit,
        "governance": block.governance,
        "expected_version": block.version,
    } | changes


def now(person: Person, block: Block) -> Block:
    with person.scope():
        return Block.objects.get(id=block.id)


def versions(person: Person, block: Block) -> list[BlockVersion]:
    with person.scope():
        return list(BlockVersion.objects.filter(block_id=block.id).order_by("number"))


def test_it_makes_a_version_by_staff_and_an_event(inside: Staff, cast: Cast, block: Block) -> None:
    answer = inside.post("memory_block_change", block.id, **form(block, value="We ship in June.\r\nOr July."))
    assert answer.status_code == 302
    first, second = versions(cast.alice, block)
    assert (first.value, second.value) == ("We ship in May.", "We ship in June.\nOr July.")
    assert (second.operation, second.actor_kind, second.actor_id) == ("edit", "staff", inside.user.id)
    (event,) = events(cast.alice, "block.edited")
    assert (event.actor_kind, event.actor_name) == ("staff", inside.user.email)
    assert (event.object_id, event.details["version"]) == (block.id, 2)
    assert "We ship" not in str(event.details)


def test_the_page_carries_the_version_that_was_seen(inside: Staff, block: Block) -> None:
    text = inside.text("memory_block_change", block.id)
    assert '<input type="hidden" name="expected_version" value="1"' in text
    assert "We ship in May." in text


def test_a_limit_is_refused_in_the_form(inside: Staff, cast: Cast, block: Block) -> None:
    answer = inside.post("memory_block_change", block.id, **form(block, value="x" * 101))
    assert answer.status_code == 200
    assert "1 character over the limit of 100" in answer.content.decode()
    assert now(cast.alice, block).value == "We ship in May."
    assert len(versions(cast.alice, block)) == 1


@pytest.mark.parametrize("limit", ["0", "-1", "99999999999999999999", "x", "", "1e3"])
def test_a_number_that_is_none_is_refused_in_the_form(
    inside: Staff, cast: Cast, block: Block, limit: str
) -> None:
    assert inside.post("memory_block_change", block.id, **form(block, limit=limit)).status_code == 200
    assert now(cast.alice, block).limit == 100


def test_odd_text_is_refused_in_the_form(inside: Staff, cast: Cast, block: Block) -> None:
    assert inside.post("memory_block_change", block.id, **form(block, value="a\x00b")).status_code == 200
    assert inside.post("memory_block_change", block.id, value="only this").status_code == 200
    assert now(cast.alice, block).version == 1


def test_a_stale_version_is_refused_and_shows_what_changed(inside: Staff, cast: Cast, block: Block) -> None:
    with cast.alice.scope():
        core.edit_block(
            block.id, BlockFields(value="We ship in June."), expected_version=1, actor=core.by_me()
        )
    answer = inside.post("memory_block_change", block.id, **form(block, value="We ship in August."))
    text = answer.content.decode()
    assert answer.status_code == 200
    assert "We ship in August." in text
    assert ">June</ins>" in text
    assert now(cast.alice, block).value == "We ship in June."
    # It has been seen now: to save again is a decision.
    assert '<input type="hidden" name="expected_version" value="2"' in text
    again = form(block, value="We ship in August.", expected_version=2)
    assert inside.post("memory_block_change", block.id, **again).status_code == 302
    assert now(cast.alice, block).value == "We ship in August."
    assert len(versions(cast.alice, block)) == 3


def test_a_version_is_restored_as_a_new_one(inside: Staff, cast: Cast, block: Block) -> None:
    inside.post("memory_block_change", block.id, **form(block, value="We ship in June."))
    first, second = versions(cast.alice, block)
    assert ">June</ins>" in inside.text("memory_blockversion_change", second.id)
    answer = inside.post("memory_blockversion_restore", first.id)
    assert answer.status_code == 302
    *_, third = versions(cast.alice, block)
    assert (third.number, third.value, third.operation) == (3, "We ship in May.", "restore")
    assert third.actor_kind == "staff"
    assert [event.actor_id for event in events(cast.alice, "block.restored")] == [inside.user.id]


def test_looking_at_the_address_restores_nothing(inside: Staff, cast: Cast, block: Block) -> None:
    (first,) = versions(cast.alice, block)
    assert inside.get("memory_blockversion_restore", first.id).status_code == 405


def test_versions_cannot_be_written(inside: Staff, cast: Cast, block: Block) -> None:
    (first,) = versions(cast.alice, block)
    assert inside.get("memory_blockversion_change", first.id).status_code == 200
    assert inside.post("memory_blockversion_change", first.id, value="never said").status_code == 403


@pytest.mark.parametrize("may_read", [False, True])
def test_a_persons_own_block_is_never_changed_here(inside: Staff, cast: Cast, may_read: bool) -> None:
    let_staff_read(cast.alice, allowed=may_read)
    own = block_of(cast.alice, cast.alice.personal)
    assert inside.get("memory_block_change", own.id).status_code == 200
    assert inside.post("memory_block_change", own.id, **form(own, value="taken over")).status_code == 403
    (first,) = versions(cast.alice, own)
    assert inside.post("memory_blockversion_restore", first.id).status_code == 403
    refused = events(cast.alice, "access.refused")
    assert {(event.actor_kind, event.actor_id) for event in refused} == {("staff", inside.user.id)}
    inside.act("memory_block", "retire", own.id)
    assert now(cast.alice, own).value == "Something."
    assert now(cast.alice, own).retired_at is None


def test_a_block_of_another_tenant_is_not_there(inside: Staff, cast: Cast) -> None:
    foreign = block_of(cast.charlie, cast.charlie.personal)
    assert inside.get("memory_block_change", foreign.id).status_code == 404
    assert inside.post("memory_block_change", foreign.id, **form(foreign, value="x")).status_code == 404
    (first,) = versions(cast.charlie, foreign)
    assert inside.post("memory_blockversion_restore", first.id).status_code == 404
    assert inside.get("memory_block_history", foreign.id).status_code == 404


@pytest.mark.parametrize("key", ["x", "1", "00000000-0000-0000-0000-000000000000", "a" * 500])
def test_an_id_of_nothing_is_not_there(inside: Staff, key: str) -> None:
    for page in ("change", "history"):
        assert inside.get(f"memory_block_{page}", key).status_code == 404


def test_a_block_is_taken_out_of_use_and_brought_back(inside: Staff, cast: Cast, block: Block) -> None:
    inside.act("memory_block", "retire", block.id)
    assert now(cast.alice, block).retired_at is not None
    inside.act("memory_block", "bring_back", block.id)
    assert now(cast.alice, block).retired_at is None
    for action in ("block.deleted", "block.brought_back"):
        assert [event.actor_kind for event in events(cast.alice, action)] == ["staff"]


def test_djangos_own_log_stays_empty(inside: Staff, cast: Cast, block: Block) -> None:
    inside.post("memory_block_change", block.id, **form(block, value="We ship in June."))
    inside.act("memory_block", "retire", block.id)
    assert not LogEntry.objects.exists()
