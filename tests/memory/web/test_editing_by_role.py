"""Who sees a block writes it, proposes, or only reads, by their role; and hears so before they press."""

from __future__ import annotations

import pytest

from memory.models import Block, BlockVersion, Proposal
from tests.cast import Cast
from tests.memory.web.pages import FRAGMENT, address, new_block, typed, value_of


@pytest.fixture
def block(cast: Cast) -> Block:
    return new_block(cast.alice, cast.team, value="Ship in May.")


def test_an_editor_writes(cast: Cast, block: Block) -> None:
    cast.let_bob_in("editor")
    page = cast.bob.browser.get(address(block)).content.decode()
    assert "Save</button>" in page
    assert "You propose here" not in page
    assert cast.bob.browser.post(address(block), typed(block, "Ship in June.")).status_code == 302
    assert value_of(cast.alice, block) == "Ship in June."


def test_a_member_is_told_that_they_propose_and_then_proposes(cast: Cast, block: Block) -> None:
    cast.let_bob_in("member")
    page = cast.bob.browser.get(address(block)).content.decode()
    assert "You propose here" in page
    assert "Propose</button>" in page
    assert 'name="reason"' in page
    assert 'name="governance"' not in page
    sent = {"value": "Ship in June.", "version": 1, "reason": "May is too early."}
    answer = cast.bob.browser.post(address(block), sent, follow=True)
    said = answer.content.decode()
    assert "Proposed. An editor decides." in said
    assert "May is too early." in said
    assert value_of(cast.alice, block) == "Ship in May."
    with cast.alice.scope():
        assert Proposal.objects.get(block=block).value == "Ship in June."


def test_a_member_proposes_from_the_side_panel_too(cast: Cast, block: Block) -> None:
    cast.let_bob_in("member")
    sent = {"value": "Ship in June.", "version": 1, "reason": ""}
    answer = cast.bob.browser.post(address(block), sent, headers=FRAGMENT)
    assert answer.status_code == 200
    assert "Proposed. An editor decides." in answer.content.decode()
    assert "Ship in May." in answer.content.decode()


def test_a_member_changes_nothing_but_the_text(cast: Cast, block: Block) -> None:
    cast.let_bob_in("member")
    sent = typed(block, "Ship in May.", governance="read_only", label="plan", limit=5)
    cast.bob.browser.post(address(block), sent)
    with cast.alice.scope():
        found = Block.objects.get(id=block.id)
        assert (found.label, found.governance, found.limit) == ("goals", "free", 2000)
        assert not Proposal.objects.filter(block=block).exists()


def test_a_member_only_reads_what_is_read_only(cast: Cast) -> None:
    cast.let_bob_in("member")
    block = new_block(cast.alice, cast.team, governance="read_only")
    page = cast.bob.browser.get(address(block)).content.decode()
    assert "only editors of this workspace change it" in page
    assert '<fieldset class="stack tight" disabled>' in page
    assert cast.bob.browser.post(address(block), typed(block, "two")).status_code == 403
    assert cast.alice.browser.post(address(block), typed(block, "two")).status_code == 302


def test_a_viewer_reads_and_is_refused(cast: Cast, block: Block) -> None:
    cast.let_bob_in("viewer")
    page = cast.bob.browser.get(address(block)).content.decode()
    assert "Ship in May." in page
    assert "as a viewer you do not change it" in page
    assert cast.bob.browser.post(address(block), typed(block, "two")).status_code == 403
    assert value_of(cast.alice, block) == "Ship in May."


def test_a_stranger_finds_nothing(cast: Cast, block: Block) -> None:
    for rest in ("", "card/", "versions/", "versions/1/", "blame/", "attached/", "access/", "move/"):
        assert cast.alice.browser.get(address(block, rest)).status_code == 200, rest
        assert cast.charlie.browser.get(address(block, rest)).status_code == 404, rest
        assert cast.bob.browser.get(address(block, rest)).status_code == 404, rest
    assert cast.charlie.browser.post(address(block), typed(block, "two")).status_code == 404


def test_what_a_member_would_restore_waits_too(cast: Cast, block: Block) -> None:
    cast.alice.browser.post(address(block), typed(block, "Ship in June."))
    cast.let_bob_in("member")
    answer = cast.bob.browser.post(address(block, "versions/1/restore/"), follow=True)
    assert "An editor of this workspace decides." not in answer.content.decode()  # it is their own
    assert value_of(cast.alice, block) == "Ship in June."
    with cast.alice.scope():
        assert Proposal.objects.get(block=block).operation == BlockVersion.Operation.RESTORE


def test_settings_are_kept_where_a_form_does_not_send_them(cast: Cast) -> None:
    block = new_block(cast.alice, cast.team, governance="propose", description="What we want.", unit="tokens")
    cast.alice.browser.post(address(block), {"value": "two", "version": 1, "limit": 2000})
    with cast.alice.scope():
        found = Block.objects.get(id=block.id)
        assert (found.value, found.governance, found.unit) == ("two", "propose", "tokens")
        assert found.description == "What we want."
