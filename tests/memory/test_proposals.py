"""A change that waits for an editor: what it is, and what approving it makes of a block that has moved."""

import uuid
from typing import Any

import pytest

from memory import core, proposals, provenance
from memory.actors import Actor, ActorKind, person
from memory.core import BlockFields, VersionConflict
from memory.governance import Origin
from memory.models import Block, BlockVersion, Derivation, Proposal
from memory.operations import (
    Append,
    BadOperation,
    Deleted,
    Insert,
    LimitPassed,
    Operation,
    Patch,
    Replace,
    Rethink,
    SetSection,
)
from memory.proposals import ProposalConflict
from memory.proposing import OPEN_MAX, InboxFull
from tests.cast import Cast, Person
from tests.memory.remembering import (
    AGENT,
    new_block,
    new_conversation,
    now,
    proposed,
    remember,
    versions,
)

TEXT = "Name: 李雷\nCity: Ghent\nLikes: tea"


@pytest.fixture
def block(alice: Person) -> Block:
    """A block to which agents may only propose."""
    return new_block(alice, TEXT, governance="propose", limit=100)


def change(alice: Person, block: Block, value: str) -> None:
    """Somebody changes the block in between."""
    with alice.scope():
        held = Block.objects.get(id=block.id)
        core.edit_block(block.id, BlockFields(value=value), expected_version=held.version, actor=core.by_me())


def approve(alice: Person, proposal: Proposal, **options: Any) -> BlockVersion:
    with alice.scope():
        return proposals.approve(proposal.id, **options)


def stored(alice: Person, proposal: Proposal) -> Proposal:
    with alice.scope():
        return Proposal.objects.select_related("block", "base").get(id=proposal.id)


def test_it_changes_nothing_and_keeps_who_what_and_why(alice: Person, block: Block) -> None:
    chat, turn = uuid.uuid4(), uuid.uuid4()
    message = remember(alice, new_conversation(alice), "I moved to Lyon.")
    with alice.scope():
        source = provenance.source_of_message(message)
    origin = Origin(workspace_id=alice.personal, conversation_id=chat, turn_id=turn, asked_by=alice.user.id)
    made = proposed(
        alice, block, Replace("Ghent", "Lyon"), source=source, origin=origin, reason="They moved."
    )
    assert (now(alice, block).value, now(alice, block).version) == (TEXT, 1)
    kept = stored(alice, made)
    assert (kept.operation, kept.arguments) == ("replace", {"old_content": "Ghent", "new_content": "Lyon"})
    assert (kept.value, kept.base.number, kept.status) == (TEXT.replace("Ghent", "Lyon"), 1, "open")
    assert (kept.actor_kind, kept.actor_id, kept.asked_by) == ("agent", AGENT.id, alice.user.id)
    assert (kept.conversation_id, kept.turn_id, kept.reason) == (chat, turn, "They moved.")
    assert (kept.source_id, kept.told_at) == (source.id, None)


def test_an_approved_one_is_a_version_by_the_proposer_that_names_who_allowed_it(
    alice: Person, block: Block
) -> None:
    message = remember(alice, new_conversation(alice), "I moved to Lyon.")
    with alice.scope():
        source = provenance.source_of_message(message)
    proposal = proposed(alice, block, Replace("Ghent", "Lyon"), source=source)
    made = approve(alice, proposal)
    assert now(alice, block).value == made.value == TEXT.replace("Ghent", "Lyon")
    newest = versions(alice, block)[-1]
    assert (newest.number, newest.operation, newest.proposal_id) == (2, "replace", proposal.id)
    assert (newest.actor_kind, newest.actor_id, newest.approved_by) == ("agent", AGENT.id, alice.user.id)
    assert newest.source_id == source.id
    decided = stored(alice, proposal)
    assert (decided.status, decided.decided_by, decided.made_id) == ("approved", alice.user.id, newest.id)
    assert decided.decided_at is not None
    assert decided.told_at is None
    with alice.scope():
        assert Derivation.objects.get(child_id=newest.id).parent_id == message.id


GHENT = "Name: 李雷\nCity: Ghent"
MOVED = [
    # Placed by what they hold: applied to what stands there now.
    (Append("Age: 40"), f"Title: Dr\n{TEXT}\nPets: 2", f"Title: Dr\n{TEXT}\nPets: 2\nAge: 40", "append"),
    (Replace("tea", "coffee"), f"{GHENT}\nHe likes: tea!", f"{GHENT}\nHe likes: coffee!", "replace"),
    (Patch("-Likes: tea\n+Likes: rice"), f"Dr\n{TEXT}", f"Dr\n{GHENT}\nLikes: rice", "patch"),
    (Insert("Age: 40"), f"{TEXT}\nPets: 2", f"{TEXT}\nPets: 2\nAge: 40", "insert"),
    # By line number, or whole: both changes in one text.
    (Insert("Age", 1), f"Dr\n{TEXT}", "Dr\nName: 李雷\nAge\nCity: Ghent\nLikes: tea", "merge"),
    (Rethink(f"{GHENT}\nLikes: rice"), f"Dr\n{TEXT}", f"Dr\n{GHENT}\nLikes: rice", "merge"),
    # What it would replace is gone, and the words still go together; or not.
    (Replace("Likes: tea", "Likes: rice"), f"{GHENT}\nHe likes: tea", f"{GHENT}\nHe likes: rice", "merge"),
    (Rethink(GHENT), f"{TEXT} and rice", None, ""),
]


@pytest.mark.parametrize(("operation", "value", "made", "name"), MOVED)
def test_on_a_block_that_has_moved(
    alice: Person, block: Block, operation: Operation, value: str, made: str | None, name: str
) -> None:
    proposal = proposed(alice, block, operation)
    change(alice, block, value)
    if made is None:
        with pytest.raises(ProposalConflict):
            approve(alice, proposal)
        return
    assert (approve(alice, proposal).value, versions(alice, block)[-1].operation) == (made, name)


def test_a_conflict_shows_all_texts_and_an_edited_one_settles_it(alice: Person, block: Block) -> None:
    proposal = proposed(alice, block, Replace("City: Ghent", "City: Lyon"))
    change(alice, block, TEXT.replace("City: Ghent", "Town: Bruges"))
    with pytest.raises(ProposalConflict) as conflict:
        approve(alice, proposal)
    found = conflict.value
    assert (found.base.value, found.theirs.value) == (TEXT, TEXT.replace("City: Ghent", "Town: Bruges"))
    assert found.mine == TEXT.replace("Ghent", "Lyon")
    assert [(each.theirs, each.mine) for each in found.merged.conflicts] == [
        ("Town: Bruges\n", "City: Lyon\n")
    ]
    assert (stored(alice, proposal).status, now(alice, block).version) == ("open", 2)
    chosen = TEXT.replace("Ghent", "Lyon (was Bruges)")
    made = approve(alice, proposal, value=chosen, expected_version=2)
    assert (made.value, made.operation, made.number) == (chosen, "edit", 3)
    assert (made.actor_id, made.approved_by) == (AGENT.id, alice.user.id)


def test_a_preview_says_what_approving_would_do(alice: Person, block: Block) -> None:
    proposal = proposed(alice, block, Replace("City: Ghent", "City: Lyon"))
    with alice.scope():
        still = proposals.preview(Proposal.objects.get(id=proposal.id))
    assert (still.has_moved, still.is_clean, still.merged.text) == (False, True, proposal.value)
    change(alice, block, f"{TEXT}\nPets: 2")
    with alice.scope():
        moved = proposals.preview(Proposal.objects.get(id=proposal.id))
    assert (moved.has_moved, moved.is_clean) == (True, True)
    assert (moved.base.value, moved.head.value, moved.proposed) == (TEXT, f"{TEXT}\nPets: 2", proposal.value)
    assert moved.merged.text == f"{proposal.value}\nPets: 2"
    change(alice, block, TEXT.replace("City: Ghent", "Town: Bruges"))
    with alice.scope():
        torn = proposals.preview(Proposal.objects.get(id=proposal.id))
    assert (torn.is_clean, "Town: Bruges\nCity: Lyon" in torn.merged.text) == (False, True)


@pytest.mark.parametrize("value", [None, "mine"])
def test_it_is_not_approved_on_a_version_that_nobody_saw(
    alice: Person, block: Block, value: str | None
) -> None:
    proposal = proposed(alice, block, Append("Age: 40"))
    change(alice, block, "theirs")
    with pytest.raises(VersionConflict) as conflict:
        approve(alice, proposal, value=value, expected_version=1)
    assert (conflict.value.theirs.value, conflict.value.mine) == ("theirs", value or f"{TEXT}\nAge: 40")
    assert stored(alice, proposal).status == "open"


def test_an_edited_text_is_of_the_base_unless_it_says_otherwise(alice: Person, block: Block) -> None:
    proposal = proposed(alice, block, Append("Age: 40"))
    change(alice, block, "theirs")
    with pytest.raises(VersionConflict):
        approve(alice, proposal, value="mine")
    assert approve(alice, proposal, value="mine", expected_version=2).value == "mine"


def test_it_is_not_approved_beyond_the_limit_and_waits_on(alice: Person, block: Block) -> None:
    proposal = proposed(alice, block, Append("x" * 50))
    change(alice, block, TEXT + "\n" + "y" * 50)
    with pytest.raises(LimitPassed):
        approve(alice, proposal)
    assert stored(alice, proposal).status == "open"
    change(alice, block, TEXT)
    assert approve(alice, proposal).value == f"{TEXT}\n" + "x" * 50


def test_it_is_not_approved_without_the_blocks_sections(alice: Person) -> None:
    schema = [{"name": "a", "description": ""}]
    block = new_block(alice, "## a\nx", governance="propose", sections=schema)
    proposal = proposed(alice, block, SetSection("a", "y"))
    with pytest.raises(core.BlockError, match="## a"):
        approve(alice, proposal, value="plain")
    assert approve(alice, proposal).value == "## a\ny"


def test_what_cannot_be_written_cannot_be_proposed(alice: Person, block: Block) -> None:
    for operation in (Append("x" * 99), Replace("nothing", "x"), Append(""), Rethink(TEXT)):
        with pytest.raises(core.BlockError):
            proposed(alice, block, operation)
    with alice.scope():
        assert not Proposal.objects.filter(block=block).exists()


def test_the_same_said_again_by_the_same_hand_is_the_same_proposal(alice: Person, block: Block) -> None:
    first = proposed(alice, block, Append("Age: 40"))
    change(alice, block, f"{TEXT}\nPets: 2")
    assert proposed(alice, block, Append("Age: 40")).id == first.id
    assert proposed(alice, block, Append("Age: 41")).id != first.id
    assert proposed(alice, block, Append("Age: 40"), Actor(ActorKind.AGENT, uuid.uuid4())).id != first.id
    with alice.scope():
        proposals.reject(first.id)
    assert proposed(alice, block, Append("Age: 40")).id != first.id


def test_an_inbox_is_full_at_some_time(alice: Person, block: Block) -> None:
    first = proposed(alice, block, Append("0"))
    for number in range(1, OPEN_MAX):
        proposed(alice, block, Append(str(number)))
    with pytest.raises(InboxFull):
        proposed(alice, block, Append("more"))
    with alice.scope():
        proposals.reject(first.id)
    proposed(alice, block, Append("more"))


def test_a_members_edit_restore_and_undo_are_proposals(cast: Cast) -> None:
    block = new_block(cast.alice, "a", cast.team)
    change(cast.alice, block, "b")
    change(cast.alice, block, "c")
    cast.let_bob_in("member")
    mine, me = BlockFields(value="mine"), person(cast.bob.user.id)
    with cast.bob.scope():
        made = [
            core.edit_block(block.id, mine, expected_version=3, actor=me, reason="So."),
            core.restore(block.id, 1, actor=me),
            core.undo(block.id, 3, actor=me),
            core.operate(block.id, Append("d"), actor=me),
        ]
        assert all(isinstance(each, Proposal) for each in made)
    assert [(each.operation, each.value) for each in made] == [
        ("edit", "mine"),
        ("restore", "a"),
        ("undo", "b"),
        ("append", "c\nd"),
    ]
    assert [each.arguments for each in made] == [
        {"fields": {"value": "mine"}},
        {"number": 1},
        {"number": 2},
        {"content": "d"},
    ]
    assert {each.actor_id for each in made} == {each.asked_by for each in made} == {cast.bob.user.id}
    assert (made[0].reason, now(cast.alice, block).version) == ("So.", 3)
    assert approve(cast.alice, made[1]).value == "a"
    newest = versions(cast.alice, block)[-1]
    assert (newest.operation, newest.actor_id) == ("restore", cast.bob.user.id)
    assert newest.approved_by == cast.alice.user.id
    with cast.alice.scope():
        first = BlockVersion.objects.get(block=block, number=1)
        assert Derivation.objects.filter(parent_id=first.id, child_id=newest.id).exists()
    with pytest.raises(VersionConflict), cast.bob.scope():
        core.edit_block(block.id, BlockFields(value="late"), expected_version=3, actor=core.by_me())


def test_nothing_is_approved_into_a_deleted_block_until_it_is_back(alice: Person, block: Block) -> None:
    proposal = proposed(alice, block, Append("Age: 40"))
    with alice.scope():
        assert proposals.count_open() == 1
        core.delete_block(block.id)
        assert proposals.count_open() == 0
        assert list(proposals.open_proposals()) == []
        with pytest.raises(Deleted):
            proposals.approve(proposal.id)
        core.bring_back(block.id)
        assert [each.id for each in proposals.open_proposals(alice.personal)] == [proposal.id]
        assert proposals.approve(proposal.id).value == f"{TEXT}\nAge: 40"


def test_an_empty_edit_is_no_proposal(cast: Cast) -> None:
    block = new_block(cast.alice, "a", cast.team)
    cast.let_bob_in("member")
    with cast.bob.scope():
        same = core.edit_block(block.id, BlockFields(value="a"), expected_version=1, actor=core.by_me())
        assert isinstance(same, Block)
        with pytest.raises(BadOperation, match="change nothing"):
            core.restore(block.id, 1, actor=person(cast.bob.user.id))
