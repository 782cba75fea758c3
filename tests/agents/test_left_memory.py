"""Memory that was written on a branch which was left stands, and is offered to be taken back."""

from __future__ import annotations

import pytest

from agents import left_memory
from agents.left_memory import TakenBack, Written
from agents.models import Turn
from memory import core, proposals
from memory.models import BlockVersion, Message, Passage, Proposal
from memory.operations import Append, Replace
from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.stubbed import Stubbed
from tests.cast import Cast

TEA = ("core_memory_append", {"label": "human", "content": "Drinks tea."})
MILK = ("core_memory_append", {"label": "human", "content": "Takes milk."})
FILE = ("archival_memory_insert", {"content": "The zebra is called Tom."})


def written(stubbed: Stubbed, turn: Turn) -> Written:
    with stubbed.person.scope():
        return left_memory.written_below([turn.message_id]).get(turn.message_id, Written())


def take_back(stubbed: Stubbed, turn: Turn) -> TakenBack:
    with stubbed.person.scope():
        return left_memory.take_back(turn.message_id)


def left(stubbed: Stubbed, *called: tuple[str, dict[str, str]]) -> Turn:
    """A turn that called tools, on a branch that was left for one that called none."""
    stubbed.queue(*(calls(each) for each in called), text("Noted."), text("Something else."))
    turn = stubbed.say("Remember this.")
    assert written(stubbed, turn).count == 0  # it is the chat's own
    stubbed.edit(turn, "Forget it.")
    return turn


def test_changes_of_a_block_stand_until_they_are_taken_back(stubbed: Stubbed) -> None:
    before = stubbed.block("human")
    turn = left(stubbed, TEA, MILK)
    assert [each.number for each in written(stubbed, turn).versions] == [2, 3]
    assert stubbed.block("human").value != before.value
    assert take_back(stubbed, turn) == TakenBack(done=2, proposed=0, kept=0)
    block = stubbed.block("human")
    assert (block.value, block.version) == (before.value, 4)
    with stubbed.person.scope():
        last = BlockVersion.objects.get(block=block, number=4)
    assert (last.operation, last.actor_kind) == ("undo", "user")
    assert written(stubbed, turn).count == 0
    assert take_back(stubbed, turn) == TakenBack(0, 0, 0)


def test_one_that_was_taken_back_by_itself_is_not_counted(stubbed: Stubbed) -> None:
    turn = left(stubbed, TEA, MILK)
    with stubbed.person.scope():
        core.undo(stubbed.block("human").id, 3, actor=core.by_me())
    assert [each.number for each in written(stubbed, turn).versions] == [2]
    assert take_back(stubbed, turn).done == 1
    assert "tea" not in stubbed.block("human").value


def test_what_others_have_changed_since_is_left_to_a_person(stubbed: Stubbed) -> None:
    turn = left(stubbed, TEA)
    with stubbed.person.scope():
        core.operate(stubbed.block("human").id, Append("Has a cat."), actor=core.by_me())
    found = written(stubbed, turn)
    assert (found.count, [each.number for each in found.overtaken]) == (0, [2])
    assert take_back(stubbed, turn) == TakenBack(0, 0, 1)
    assert "tea" in stubbed.block("human").value


def test_what_the_new_answer_has_replaced_is_neither_offered_nor_kept(stubbed: Stubbed) -> None:
    york = {"label": "human", "old_content": "Drinks tea.", "new_content": "Drinks coffee."}
    stubbed.queue(calls(TEA), text("Noted."), calls(("core_memory_replace", york)), text("Noted."))
    turn = stubbed.say("I drink tea.")
    assert "Drinks tea." in stubbed.block("human").value
    stubbed.edit(turn, "I drink coffee.")
    assert "Drinks coffee." in stubbed.block("human").value
    assert written(stubbed, turn) == Written()
    assert take_back(stubbed, turn) == TakenBack(0, 0, 0)


def test_a_line_that_was_taken_out_again_is_not_told(stubbed: Stubbed) -> None:
    turn = left(stubbed, TEA)
    block = stubbed.block("human")
    with stubbed.person.scope():
        core.operate(block.id, Append("Has a cat."), actor=core.by_me())
    assert [each.number for each in written(stubbed, turn).overtaken] == [2]
    with stubbed.person.scope():
        core.operate(block.id, Replace("Drinks tea.", "Drinks nothing."), actor=core.by_me())
    assert written(stubbed, turn) == Written()


def test_a_line_that_was_removed_on_the_branch_is_told_until_it_is_back(stubbed: Stubbed) -> None:
    with stubbed.person.scope():
        block = stubbed.block("human")
        core.operate(block.id, Append("Drinks milk."), actor=core.by_me())
    gone = {"label": "human", "old_content": "Drinks milk.", "new_content": ""}
    turn = left(stubbed, ("core_memory_replace", gone))
    with stubbed.person.scope():
        core.operate(block.id, Append("Has a cat."), actor=core.by_me())
    assert [each.number for each in written(stubbed, turn).overtaken] == [3]
    with stubbed.person.scope():
        core.operate(block.id, Append("Drinks milk."), actor=core.by_me())
    assert written(stubbed, turn) == Written()


def test_a_change_below_one_that_was_taken_back_can_be_taken_back_too(stubbed: Stubbed) -> None:
    before = stubbed.block("human")
    stubbed.queue(calls(TEA), text("Noted."), calls(MILK), text("Noted."))
    one = stubbed.say("Remember this.")
    two = stubbed.edit(one, "Remember that.")
    assert [each.number for each in written(stubbed, one).overtaken] == [2]
    stubbed.switch(one)
    assert take_back(stubbed, two) == TakenBack(1, 0, 0)
    assert stubbed.block("human").value.endswith("Drinks tea.")
    stubbed.switch(two)
    assert [each.number for each in written(stubbed, one).versions] == [2]
    assert take_back(stubbed, one) == TakenBack(1, 0, 0)
    assert stubbed.block("human").value == before.value
    assert written(stubbed, one) == Written()


def test_passages_are_deleted_and_come_back_as_always(stubbed: Stubbed) -> None:
    turn = left(stubbed, FILE)
    (passage,) = written(stubbed, turn).passages
    assert take_back(stubbed, turn).done == 1
    with stubbed.person.scope():
        assert Passage.objects.get(id=passage.id).retired_at is not None
    assert written(stubbed, turn).count == 0


def test_proposals_are_withdrawn(stubbed: Stubbed) -> None:
    with stubbed.person.scope():
        core.edit_block(
            stubbed.block("human").id,
            core.BlockFields(governance="propose"),
            expected_version=1,
            actor=core.by_me(),
        )
    turn = left(stubbed, TEA)
    (proposal,) = written(stubbed, turn).proposals
    assert take_back(stubbed, turn).done == 1
    with stubbed.person.scope():
        assert Proposal.objects.get(id=proposal.id).status == "withdrawn"
        assert proposals.count_open() == 0


def test_each_of_two_answers_has_what_it_wrote(stubbed: Stubbed) -> None:
    stubbed.queue(calls(TEA), text("Noted."), calls(MILK), text("Noted."))
    first = stubbed.say("Remember this.")
    second = stubbed.answer_again(first)
    one, other = (stubbed.messages(turn)[-1] for turn in (first, second))
    with stubbed.person.scope():
        heads = {each.id for each in stubbed.messages(first) if each.role == "assistant"}
        found = left_memory.written_below(heads)
        numbers = {each.number for written in found.values() for each in written.versions + written.overtaken}
    assert one.is_abandoned
    assert not other.is_abandoned
    assert numbers == {2}


def test_strangers_take_nothing_back(cast: Cast, stubbed: Stubbed) -> None:
    turn = left(stubbed, TEA)
    for person in (cast.bob, cast.charlie):
        with pytest.raises(Message.DoesNotExist), person.scope():
            left_memory.take_back(turn.message_id)
    assert written(stubbed, turn).count == 1


def test_what_was_taken_back_stays_so_when_a_branch_inside_of_it_is_taken_back(stubbed: Stubbed) -> None:
    coffee = ("core_memory_append", {"label": "persona", "content": "Likes coffee."})
    stubbed.queue(calls(TEA), text("Noted."), calls(MILK, coffee), text("Noted."))
    stubbed.queue(text("Well."), text("Well."))
    outer = stubbed.say("Remember this.")
    inner = stubbed.say("And that.")
    stubbed.edit(inner, "Not that.")
    stubbed.edit(outer, "Nor this.")
    with stubbed.person.scope():
        persona = stubbed.block("persona")
        core.operate(persona.id, Append("By hand."), actor=core.by_me())  # overtakes the change of the branch
    assert "Drinks tea." in stubbed.block("human").value
    take_back(stubbed, outer)
    assert "Drinks tea." not in stubbed.block("human").value
    assert written(stubbed, inner).runs == []
    take_back(stubbed, inner)
    assert "Drinks tea." not in stubbed.block("human").value
