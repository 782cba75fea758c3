"""Many passages at once: in a handful of statements, all or none, in their order."""

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory import archival, core
from memory.archival import BadPassage, NewPassage
from memory.models import Passage
from tenants.models import AuditEvent
from tests.cast import Person
from tests.memory.archival.filing import file, found, new_archive

A_DAY = datetime(2024, 5, 1, 12, tzinfo=UTC)


def test_a_thousand_passages_are_a_handful_of_statements(alice: Person) -> None:
    archive = new_archive(alice)
    new = [NewPassage(f"note number {number} about tea", ["tea"]) for number in range(1_000)]
    with alice.scope(), CaptureQueriesContext(connection) as asked:
        made = archival.insert_passages(archive, new, actor=core.by_me())
    assert [passage.content for passage in made] == [each.content for each in new]
    assert len(asked) <= 12, [query["sql"][:80] for query in asked.captured_queries]
    assert found(alice, "note 612")[0].startswith("note number")


def test_one_passage_takes_few_statements(alice: Person) -> None:
    archive = new_archive(alice)
    file(alice, archive, "the first note of this person here")
    with alice.scope(), CaptureQueriesContext(connection) as asked:
        archival.insert_passage(archive, content="one note", actor=core.by_me())
    assert len(asked) <= 5, [query["sql"][:80] for query in asked.captured_queries]


def test_it_keeps_what_is_said_of_each(alice: Person) -> None:
    archive = new_archive(alice)
    later = datetime(2100, 1, 1, tzinfo=UTC)
    new = NewPassage("the fair", [" fair ", "fair"], occurred_at=A_DAY, importance=0.9, expires_at=later)
    with alice.scope():
        archival.insert_passages(archive, [new], actor=core.by_me())
        passage = Passage.objects.get(archive=archive)
    assert (passage.tags, passage.occurred_at, passage.importance) == (["fair"], A_DAY, 0.9)
    assert passage.expires_at == later


def test_one_that_is_wrong_is_named_and_nothing_is_filed(alice: Person) -> None:
    archive = new_archive(alice)
    with alice.scope(), pytest.raises(BadPassage, match="Passage 2 of 3"):
        archival.insert_passages(
            archive, [NewPassage("a"), NewPassage(" "), NewPassage("c")], actor=core.by_me()
        )
    with alice.scope():
        assert not Passage.objects.filter(archive=archive).exists()


@pytest.mark.parametrize("field", ["occurred_at", "expires_at"])
@pytest.mark.parametrize(
    "moment", [datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, tzinfo=UTC)]
)
def test_a_moment_that_not_every_zone_can_tell_is_refused(
    alice: Person, field: str, moment: datetime
) -> None:
    archive = new_archive(alice)
    with pytest.raises(BadPassage, match="years"):
        file(alice, archive, "the end of the calendar", **{field: moment})
    passage = file(alice, archive, "a note")
    with alice.scope(), pytest.raises(BadPassage, match="years"):
        archival.describe_passage(passage.id, expires_at=moment)


def test_a_batch_is_one_event_that_holds_no_word_of_it(alice: Person) -> None:
    archive = new_archive(alice)
    with alice.scope():
        archival.insert_passages(archive, [NewPassage("a zebra"), NewPassage("a horse")], actor=core.by_me())
        event = AuditEvent.objects.get(action="passage.added", object_id=archive.id)
    assert event.details == {"count": 2}
    assert "zebra" not in str(vars(event))


def test_there_is_a_most(alice: Person) -> None:
    archive = new_archive(alice)
    with alice.scope(), pytest.raises(BadPassage, match="1,000"):
        archival.insert_passages(archive, [NewPassage("x")] * 1_001, actor=core.by_me())
