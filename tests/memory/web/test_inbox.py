"""The inbox: what was proposed, and why; said yes to, changed, refused, taken back, merged."""

from __future__ import annotations

import pytest

from memory import proposals
from memory.models import Block, BlockVersion, Proposal
from memory.operations import Replace
from tests.cast import Cast, Person
from tests.memory.web.pages import (
    FRAGMENT,
    address,
    inbox,
    new_block,
    propose,
    queries_of,
    value_of,
    write,
)


@pytest.fixture
def block(cast: Cast) -> Block:
    return new_block(cast.alice, cast.team, value="Ship in May.\nBe lossless.")


def status_of(person: Person, proposal: Proposal) -> str:
    with person.scope():
        return str(Proposal.objects.get(id=proposal.id).status)


def test_it_shows_what_is_proposed_and_why(cast: Cast, block: Block) -> None:
    assert "Nothing waits here." in cast.alice.browser.get(inbox(block)).content.decode()
    propose(cast.alice, block, Replace("May", "June"), reason="The team said so.")
    page = cast.alice.browser.get(inbox(block)).content.decode()
    assert "The team said so." in page
    assert "Ship in <del>May</del><ins>June</ins>." in page
    assert "data-approve" in page


def test_an_editor_says_yes(cast: Cast, block: Block) -> None:
    cast.let_bob_in("editor")
    made = propose(cast.alice, block, "Ask Han.")
    answer = cast.bob.browser.post(inbox(block, f"{made.id}/approve/"), headers=FRAGMENT)
    assert answer.status_code == 200
    assert "Approved: goals is at v2." in answer.content.decode()
    assert value_of(cast.alice, block) == "Ship in May.\nBe lossless.\nAsk Han."
    with cast.alice.scope():
        version = BlockVersion.objects.get(block=block, number=2)
        assert (version.actor_kind, version.approved_by) == ("agent", cast.bob.user.id)
    page = cast.alice.browser.get(address(block, "versions/")).content.decode()
    assert "approved by Bob" in page


def test_an_editor_changes_the_text_and_says_yes(cast: Cast, block: Block) -> None:
    made = propose(cast.alice, block, "Ask Han.")
    form = cast.alice.browser.get(inbox(block, f"{made.id}/?edit=1"), headers=FRAGMENT).content.decode()
    assert "Ask Han.</textarea>" in form
    assert 'name="version" value="1"' in form
    sent = {"value": "Ship in May.\nAsk Han Meimei.", "version": 1}
    cast.alice.browser.post(inbox(block, f"{made.id}/approve/"), sent)
    assert value_of(cast.alice, block) == "Ship in May.\nAsk Han Meimei."
    assert status_of(cast.alice, made) == "approved"


def test_an_editor_says_no_with_a_note_and_takes_it_back(cast: Cast, block: Block) -> None:
    made = propose(cast.alice, block, "Ask Han.")
    page = cast.alice.browser.post(
        inbox(block, f"{made.id}/reject/"), {"note": "Not ours.\x00"}, follow=True
    ).content.decode()
    assert "Rejected." in page
    assert inbox(block, f"{made.id}/undo/") in page
    assert "Not ours." in cast.alice.browser.get(inbox(block, "?status=rejected")).content.decode()
    cast.alice.browser.post(inbox(block, f"{made.id}/undo/"))
    assert status_of(cast.alice, made) == "open"
    assert value_of(cast.alice, block) == "Ship in May.\nBe lossless."


def test_a_yes_is_taken_back_by_a_new_version(cast: Cast, block: Block) -> None:
    made = propose(cast.alice, block, "Ask Han.")
    cast.alice.browser.post(inbox(block, f"{made.id}/approve/"))
    answer = cast.alice.browser.post(inbox(block, f"{made.id}/undo/"), headers=FRAGMENT)
    assert "Taken back." in answer.content.decode()
    with cast.alice.scope():
        found = Block.objects.get(id=block.id)
        assert (found.version, found.value) == (3, "Ship in May.\nBe lossless.")


def test_who_may_not_decide_sees_it_and_is_refused(cast: Cast, block: Block) -> None:
    made = propose(cast.alice, block, "Ask Han.")
    for role in ("member", "viewer"):
        cast.let_bob_in(role)
        page = cast.bob.browser.get(inbox(block)).content.decode()
        assert "<ins>" in page
        assert "data-approve" not in page
        for verb in ("approve", "reject", "withdraw", "undo"):
            assert cast.bob.browser.post(inbox(block, f"{made.id}/{verb}/")).status_code == 403, verb
    assert cast.charlie.browser.get(inbox(block)).status_code == 404
    assert cast.charlie.browser.post(inbox(block, f"{made.id}/approve/")).status_code == 404
    assert status_of(cast.alice, made) == "open"


def test_who_had_it_proposed_takes_it_back(cast: Cast, block: Block) -> None:
    cast.let_bob_in("member")
    made = propose(cast.bob, block, "Ask Han.")
    assert "Withdraw</button>" in cast.bob.browser.get(inbox(block)).content.decode()
    answer = cast.bob.browser.post(inbox(block, f"{made.id}/withdraw/"), headers=FRAGMENT)
    assert "Withdrawn." in answer.content.decode()
    assert status_of(cast.alice, made) == "withdrawn"


def test_a_block_that_moved_shows_both_changes_as_one(cast: Cast, block: Block) -> None:
    made = propose(cast.alice, block, Replace("lossless", "fast"))
    write(cast.alice, block, "Ship in June.\nBe lossless.")
    page = cast.alice.browser.get(inbox(block)).content.decode()
    assert "The block has changed since, from v1 to v2. Both changes fit together" in page
    assert "Be <del>lossless</del><ins>fast</ins>." in page
    cast.alice.browser.post(inbox(block, f"{made.id}/approve/"))
    assert value_of(cast.alice, block) == "Ship in June.\nBe fast."


def test_a_block_that_moved_in_the_same_place_asks_for_a_choice(cast: Cast, block: Block) -> None:
    made = propose(cast.alice, block, Replace("May", "July"))
    write(cast.alice, block, "Ship in June.\nBe lossless.")
    page = cast.alice.browser.get(inbox(block)).content.decode()
    assert "in the same place. Edit it to decide" in page
    answer = cast.alice.browser.post(inbox(block, f"{made.id}/approve/"), headers=FRAGMENT)
    said = answer.content.decode()
    assert answer.status_code == 409
    assert "Ship in June.\nShip in July.\nBe lossless.</textarea>" in said
    assert "<del>May</del><ins>June</ins>" in said
    assert "<del>May</del><ins>July</ins>" in said
    sent = {"value": "Ship in July.\nBe lossless.", "version": 2}
    assert cast.alice.browser.post(inbox(block, f"{made.id}/approve/"), sent).status_code == 302
    assert value_of(cast.alice, block) == "Ship in July.\nBe lossless."


def test_what_was_typed_survives_a_block_that_moves_meanwhile(cast: Cast, block: Block) -> None:
    made = propose(cast.alice, block, Replace("May", "July"))
    write(cast.alice, block, "Ship in June.\nBe lossless.")
    sent = {"value": "Ship in August.\nBe lossless.", "version": 1}
    answer = cast.alice.browser.post(inbox(block, f"{made.id}/approve/"), sent, headers=FRAGMENT)
    assert answer.status_code == 409
    assert "Ship in June.\nShip in August.\nBe lossless.</textarea>" in answer.content.decode()
    assert status_of(cast.alice, made) == "open"


def test_it_says_when_somebody_has_decided_before(cast: Cast, block: Block) -> None:
    made = propose(cast.alice, block, "Ask Han.")
    with cast.alice.scope():
        proposals.reject(made.id)
    for verb in ("approve", "reject", "withdraw"):
        answer = cast.alice.browser.post(inbox(block, f"{made.id}/{verb}/"), headers=FRAGMENT)
        assert "That was decided already." in answer.content.decode(), verb


def test_a_text_that_is_too_long_is_refused_in_the_form(cast: Cast) -> None:
    block = new_block(cast.alice, cast.team, limit=20)
    made = propose(cast.alice, block, "Ask Han.")
    sent = {"value": "x" * 25, "version": 1}
    answer = cast.alice.browser.post(inbox(block, f"{made.id}/approve/"), sent, headers=FRAGMENT)
    assert answer.status_code == 422
    assert "5 characters over the limit of 20" in answer.content.decode()
    assert "x" * 25 in answer.content.decode()


@pytest.mark.parametrize("query", ["?status=none", "?after=x", "?block=%00", "?status=all&block=goals"])
def test_it_takes_any_filter(cast: Cast, block: Block, query: str) -> None:
    propose(cast.alice, block, "Ask Han.")
    assert cast.alice.browser.get(inbox(block, query)).status_code == 200


def test_it_pages_in_a_bounded_number_of_queries(cast: Cast, block: Block) -> None:
    propose(cast.alice, block, "fact 0")
    few = queries_of(cast.alice, inbox(block))
    for number in range(1, 23):
        propose(cast.alice, block, f"fact {number}")
    assert queries_of(cast.alice, inbox(block)) == few
    page = cast.alice.browser.get(inbox(block)).content.decode()
    assert "fact 19" in page
    assert "fact 20" not in page
    more = page.split('class="pages"')[1].split('href="')[1].split('"')[0].replace("&amp;", "&")
    later = cast.alice.browser.get(inbox(block, more)).content.decode()
    assert "fact 22" in later
    assert "fact 19" not in later


def test_the_navigation_says_how_many_wait_to_those_who_decide(cast: Cast, block: Block) -> None:
    propose(cast.alice, block, "Ask Han.")
    cast.let_bob_in("member")
    hers, his = (
        person.browser.get(f"/w/{cast.team}/memory/").content.decode() for person in (cast.alice, cast.bob)
    )
    assert '<span class="badge" id="inbox-count">1<' in hers
    assert '<span class="badge" id="inbox-count" hidden>0<' in his


def test_a_yes_without_a_text_never_empties_the_block(cast: Cast, block: Block) -> None:
    made = propose(cast.alice, block, "Ask Han.")
    cast.alice.browser.post(inbox(block, f"{made.id}/approve/"), {"version": 1, "limit": 5})
    assert value_of(cast.alice, block) == "Ship in May.\nBe lossless.\nAsk Han."
