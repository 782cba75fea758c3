"""A correction is a new passage; what was there before is kept, and found only as what it was."""

import pytest

from memory import archival, core
from memory.archival import BadPassage
from memory.models import Derivation, Passage
from memory.stale import StaleVersion
from tests.cast import Person
from tests.memory.archival.filing import AGENT, file, file_as_agent, found, new_archive, state_of


def correct(person: Person, passage: Passage, text: str) -> Passage:
    with person.scope():
        return archival.correct_passage(
            passage.id, text, actor=core.by_me(), expected_version=passage.version
        )


def test_it_finds_the_correction_and_not_what_was_wrong(alice: Person) -> None:
    passage = file(alice, new_archive(alice), "The fair is in May.", "fair")
    assert found(alice, "May") == ["The fair is in May."]
    made = correct(alice, passage, "The fair is in June.")
    assert found(alice, "fair") == ["The fair is in June."]
    assert (made.version, made.tags, made.supersedes_id) == (2, ["fair"], passage.id)
    assert (state_of(alice, passage), state_of(alice, made)) == ("superseded", "current")


def test_it_keeps_every_state_with_until_when_it_was_held_to_be_true(alice: Person) -> None:
    first = file(alice, new_archive(alice), "one")
    third = correct(alice, correct(alice, first, "two"), "three")
    with alice.scope():
        history = archival.history_of(first.id)
        assert Derivation.objects.filter(child_id=third.id).exists()
    assert [passage.content for passage in history] == ["three", "two", "one"]
    assert history[2].valid_to == history[1].valid_from
    assert history[0].valid_to is None


def test_an_old_state_is_not_corrected_a_second_time(alice: Person) -> None:
    first = file(alice, new_archive(alice), "one")
    second = correct(alice, first, "two")
    with pytest.raises(StaleVersion) as refused:
        correct(alice, first, "another")
    assert refused.value.facts["newest"] == str(second.id)


def test_the_same_text_is_no_correction(alice: Person) -> None:
    passage = file(alice, new_archive(alice), "one")
    assert correct(alice, passage, "one").version == 1


def test_a_persons_correction_of_what_an_agent_wrote_is_trusted(alice: Person) -> None:
    passage = file_as_agent(alice, new_archive(alice), "She drinks coffee.")
    assert passage.trust == 2
    assert correct(alice, passage, "She drinks tea.").trust == 3
    with alice.scope():
        again = archival.insert_passage(passage.archive, content="read in a file", actor=AGENT, trust=1)
    assert again.trust == 1


def test_what_is_said_about_it_changes_in_place(alice: Person) -> None:
    passage = file(alice, new_archive(alice), "Tea from Assam", "drink")
    with alice.scope():
        archival.describe_passage(passage.id, tags=["india"], importance=1.0)
    assert found(alice, "", tags=["drink"]) == []
    assert found(alice, "", tags=["india"]) == ["Tea from Assam"]
    with alice.scope(), pytest.raises(BadPassage):
        archival.describe_passage(passage.id, importance=1.5)


def test_a_deleted_passage_is_gone_with_its_history_and_comes_back_with_it(alice: Person) -> None:
    first = file(alice, new_archive(alice), "The fair is in May.")
    second = correct(alice, first, "The fair is in June.")
    with alice.scope():
        archival.retire_passages([second.id])
    assert found(alice, "fair") == []
    assert [state_of(alice, each) for each in (first, second)] == ["hidden", "hidden"]
    with pytest.raises(BadPassage, match="deleted"):
        correct(alice, second, "The fair is in July.")
    with alice.scope():
        archival.retire_passages([second.id], retired=False)
    assert found(alice, "fair") == ["The fair is in June."]
    assert [state_of(alice, each) for each in (first, second)] == ["superseded", "current"]


def test_deleting_one_leaves_the_others(alice: Person) -> None:
    archive = new_archive(alice)
    passages = [file(alice, archive, f"tea number {number}") for number in range(3)]
    with alice.scope():
        archival.retire_passages([passages[1].id])
    assert found(alice, "tea") == ["tea number 0", "tea number 2"]


def test_a_deleted_archive_hides_all_that_is_in_it_and_brings_back_what_was_there(alice: Person) -> None:
    archive = new_archive(alice)
    kept, gone = (file(alice, archive, text) for text in ("tea that stays", "tea that goes"))
    with alice.scope():
        archival.retire_passages([gone.id])
        archival.retire_archive(archive.id)
    assert found(alice, "tea") == []
    with alice.scope(), pytest.raises(archive.DoesNotExist):
        archival.insert_passage(archive, content="late", actor=core.by_me())
    with alice.scope():
        archival.retire_archive(archive.id, retired=False)
    assert found(alice, "tea") == ["tea that stays"]
    assert state_of(alice, kept) == "current"
