"""Deciding about proposals: who may, once, and what is told."""

import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from memory import proposals
from memory.models import Block, BlockVersion, Proposal
from memory.operations import Append
from memory.proposals import NotOpen, NotYourProposal
from tenants.models import AuditEvent
from tenants.permissions import NotAllowed
from tests.cast import Cast, Person
from tests.memory.remembering import AGENT, new_block, now, proposed, versions


@pytest.fixture
def block(cast: Cast) -> Block:
    """A block of the team's to which agents may only propose. Bob is a member."""
    cast.let_bob_in("member")
    return new_block(cast.alice, "a", cast.team, governance="propose")


def test_only_editors_decide(cast: Cast, block: Block) -> None:
    proposal = proposed(cast.bob, block, Append("b"))
    for role in ("viewer", "member"):
        cast.let_bob_in(role)
        for act in (proposals.approve, proposals.reject, proposals.reopen):
            with pytest.raises(NotAllowed), cast.bob.scope():
                act(proposal.id)
    cast.let_bob_in("editor")
    with cast.bob.scope():
        assert proposals.approve(proposal.id).approved_by == cast.bob.user.id
    assert now(cast.alice, block).value == "a\nb"


def test_strangers_find_none(cast: Cast, block: Block) -> None:
    proposal = proposed(cast.alice, block, Append("b"))
    with cast.charlie.scope():
        assert list(proposals.open_proposals()) == []
        for act in (proposals.approve, proposals.reject, proposals.withdraw, proposals.reopen):
            with pytest.raises(Proposal.DoesNotExist):
                act(proposal.id)


def test_a_rejected_one_keeps_why_and_can_be_reopened(cast: Cast, block: Block) -> None:
    proposal = proposed(cast.alice, block, Append("b"))
    with cast.alice.scope():
        rejected = proposals.reject(proposal.id, note="Not yet.")
        assert (rejected.status, rejected.note, rejected.decided_by) == (
            "rejected",
            "Not yet.",
            cast.alice.user.id,
        )
        with pytest.raises(NotOpen):
            proposals.approve(proposal.id)
        again = proposals.reopen(proposal.id)
        assert (again.status, again.note, again.decided_by, again.decided_at) == ("open", "", None, None)
        with pytest.raises(NotOpen):
            proposals.reopen(proposal.id)
        proposals.approve(proposal.id)
        for act in (proposals.reject, proposals.reopen, proposals.withdraw, proposals.approve):
            with pytest.raises(NotOpen):
                act(proposal.id)
    assert len(versions(cast.alice, block)) == 2


def test_who_asked_for_it_takes_it_back_and_nobody_else(cast: Cast, block: Block) -> None:
    proposal = proposed(cast.bob, block, Append("b"), AGENT)
    with pytest.raises(NotYourProposal), cast.alice.scope():
        proposals.withdraw(proposal.id)
    with cast.bob.scope():
        assert proposals.withdraw(proposal.id).status == "withdrawn"
    with pytest.raises(NotOpen), cast.alice.scope():
        proposals.approve(proposal.id)


def test_it_counts_what_the_person_may_decide(cast: Cast, block: Block) -> None:
    proposed(cast.bob, block, Append("b"))
    mine = new_block(cast.bob, "a", governance="propose")
    proposed(cast.bob, mine, Append("b"))
    proposed(cast.bob, mine, Append("c"))
    with cast.bob.scope():
        assert proposals.count_open_by_workspace() == {cast.bob.personal: 2}
        assert [proposals.count_open(place) for place in (cast.team, cast.bob.personal)] == [0, 2]
        assert len(proposals.open_proposals()) == 3
    cast.let_bob_in("editor")
    with cast.bob.scope():
        assert (proposals.count_open(), proposals.count_open(cast.team)) == (3, 1)
    with cast.alice.scope():
        assert proposals.count_open_by_workspace() == {cast.team: 1}


def test_of_several_at_once_one_decides(cast: Cast, block: Block) -> None:
    proposal = proposed(cast.alice, block, Append("b"))

    def decide(number: int) -> str:
        act = (proposals.approve, proposals.reject, proposals.withdraw)[number % 3]
        try:
            with cast.alice.scope():
                act(proposal.id)
            return act.__name__
        except NotOpen:
            return "late"
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        outcomes = list(pool.map(decide, range(6)))
    assert outcomes.count("late") == 5
    (first,) = set(outcomes) - {"late"}
    assert len(versions(cast.alice, block)) == (2 if first == "approve" else 1)


def test_all_that_are_approved_at_once_are_there(cast: Cast, block: Block) -> None:
    waiting = [proposed(cast.alice, block, Append(f"line {number}")) for number in range(8)]

    def approve(proposal: Proposal) -> None:
        try:
            with cast.alice.scope():
                proposals.approve(proposal.id)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(approve, waiting))
    assert sorted(now(cast.alice, block).value.split("\n")) == sorted(["a", *(f"line {n}" for n in range(8))])
    assert [each.number for each in versions(cast.alice, block)] == list(range(1, 10))


def test_the_audit_log_has_each_step_and_none_of_the_words(cast: Cast, block: Block) -> None:
    secret = uuid.uuid4().hex
    first, second = (proposed(cast.bob, block, Append(f"{secret} {number}")) for number in range(2))
    with cast.alice.scope():
        proposals.approve(first.id)
        proposals.reject(second.id, note=secret)
        proposals.reopen(second.id)
    with cast.bob.scope():
        proposals.withdraw(second.id)
    with cast.alice.scope():
        events = list(AuditEvent.objects.filter(object_name="human").order_by("id"))
    told = [(event.action, event.actor_kind, event.actor_id) for event in events]
    alice, bob = cast.alice.user.id, cast.bob.user.id
    assert told == [
        ("block.created", "person", alice),
        ("block.proposed", "agent", AGENT.id),
        ("block.proposed", "agent", AGENT.id),
        ("proposal.approved", "person", alice),
        ("proposal.rejected", "person", alice),
        ("proposal.reopened", "person", alice),
        ("proposal.withdrawn", "person", bob),
    ]
    assert {event.workspace_id for event in events} == {cast.team}
    assert (events[3].subject_id, events[3].details) == (bob, {"version": 2, "edited": False})
    assert secret not in "".join(str(vars(event)) for event in events)


def test_a_version_made_of_a_proposal_cannot_be_forged(alice: Person, charlie: Person) -> None:
    """A version names a proposal of its own workspace, or none."""
    mine = new_block(alice, "a")
    theirs = proposed(charlie, new_block(charlie, "a", governance="propose"), Append("b"))
    with pytest.raises(Exception, match="proposal_id_same_place"), alice.scope():
        BlockVersion.objects.create(
            workspace_id=alice.personal,
            block=mine,
            number=9,
            operation="edit",
            value="x",
            actor_kind="user",
            proposal_id=theirs.id,
        )
