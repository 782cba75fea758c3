"""The same text is one record, however often it is filed."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

from django.db import connection

from memory import archival, core
from memory.archival import NewPassage
from memory.models import Passage
from tenants.models import AuditEvent
from tests.cast import Cast, Person
from tests.memory.archival.filing import file, file_as_agent, found, new_archive


def test_two_hundred_times_the_same_is_one_record(alice: Person) -> None:
    archive = new_archive(alice)
    first = file_as_agent(alice, archive, "The fair is in May.", "fair")
    again = [file_as_agent(alice, archive, "the  fair is in may.", "fair") for _ in range(199)]
    assert not first.is_known
    assert all(passage.is_known and passage.id == first.id for passage in again)
    with alice.scope():
        assert Passage.objects.filter(archive=archive).count() == 1
    assert found(alice, "fair") == ["The fair is in May."]


def test_two_of_a_batch_that_are_the_same_are_one(alice: Person) -> None:
    archive = new_archive(alice)
    with alice.scope():
        one, two, three = archival.insert_passages(
            archive, [NewPassage("tea"), NewPassage("rice"), NewPassage("tea", ["drink"])], actor=core.by_me()
        )
        stored = Passage.objects.get(id=one.id)
    assert (one.is_known, two.is_known, three.is_known) == (False, False, True)
    assert three.id == one.id
    assert stored.tags == ["drink"]


def test_new_tags_are_added_to_what_is_known(alice: Person) -> None:
    archive = new_archive(alice)
    file(alice, archive, "Tea from Assam", "drink")
    again = file(alice, archive, "Tea from Assam", "india")
    assert (again.is_known, again.tags, again.has_new_tags) == (True, ["drink", "india"], True)
    assert not file(alice, archive, "Tea from Assam", "india").has_new_tags
    assert found(alice, "", tags=["india"]) == ["Tea from Assam"]


def test_the_same_words_of_another_day_are_another_passage(alice: Person) -> None:
    archive = new_archive(alice)
    days = [datetime(2024, 5, day, tzinfo=UTC) for day in (1, 2, 2)]
    filed = [file(alice, archive, "We met Anna.", occurred_at=day) for day in days]
    assert [passage.is_known for passage in filed] == [False, False, True]


def test_what_was_deleted_can_be_filed_anew(alice: Person) -> None:
    archive = new_archive(alice)
    first = file(alice, archive, "Tea from Assam")
    with alice.scope():
        archival.retire_passages([first.id])
    again = file(alice, archive, "Tea from Assam")
    assert not again.is_known
    assert again.id != first.id


def test_another_archive_has_its_own(alice: Person) -> None:
    file(alice, new_archive(alice), "Tea from Assam")
    assert not file(alice, new_archive(alice), "Tea from Assam").is_known


def test_eight_at_once_make_one_record(alice: Person) -> None:
    archive = new_archive(alice)

    def file_it(_: int) -> bool:
        try:
            return file_as_agent(alice, archive, "The fair is in May.").is_known
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        known = list(threads.map(file_it, range(8)))
    assert sorted(known) == [False] + [True] * 7
    with alice.scope():
        assert Passage.objects.filter(archive=archive).count() == 1


def test_who_may_not_change_it_adds_no_tags(cast: Cast) -> None:
    archive = new_archive(cast.alice, cast.team)
    hers = file(cast.alice, archive, "Tea from Assam", "drink")
    cast.let_bob_in("member")
    again = file(cast.bob, archive, "TEA from Assam", "spam")
    assert (again.id, again.is_known, again.tags) == (hers.id, True, ["drink"])
    file(cast.alice, archive, "Tea from Assam", "india")
    with cast.alice.scope():
        assert Passage.objects.get(id=hers.id).tags == ["drink", "india"]
        event = AuditEvent.objects.get(action="passage.edited", object_id=hers.id)
    assert event.details == {"fields": ["tags"]}
