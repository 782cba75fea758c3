"""What a search is asked for besides words holds before anything is ranked."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from memory import archival, core, index
from memory.archival import NewPassage
from memory.models import Archive, IndexEntry, Passage, Trust
from memory.retrieval import SUPERSEDED, Filters, search
from tests.cast import Cast, Person
from tests.memory.remembering import new_conversation, remember
from tests.memory.searching import found

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)


@pytest.fixture
def archive(alice: Person) -> Archive:
    with alice.scope():
        return archival.create_archive(workspace_id=alice.personal, name="notes")


def insert(person: Person, archive: Archive, content: str, **fields: Any) -> Passage:
    with person.scope():
        (made,) = archival.insert_passages(archive, [NewPassage(content, **fields)], actor=core.by_me())
        return made


@pytest.mark.parametrize(
    ("mode", "expected"),
    [("any", {"tea one", "tea two"}), ("all", {"tea two"}), ("none", {"tea three"})],
)
def test_tags_are_asked_for_any_all_or_none(
    alice: Person, archive: Archive, mode: str, expected: set[str]
) -> None:
    insert(alice, archive, "tea one", tags=["hot"])
    insert(alice, archive, "tea two", tags=["hot", "100%'s"])
    insert(alice, archive, "tea three")
    for query in ("tea", ""):
        assert set(found(alice, query, tags=["hot", "100%'s"], tag_mode=mode)) == expected
        assert set(found(alice, query)) == {"tea one", "tea two", "tea three"}


@pytest.mark.parametrize(
    "name", ["kinds", "containers", "workspaces", "roles", "speakers", "documents", "tags", "states"]
)
def test_an_empty_list_of_what_is_allowed_allows_nothing(alice: Person, archive: Archive, name: str) -> None:
    insert(alice, archive, "tea", tags=["hot"])
    for query in ("tea", ""):
        assert found(alice, query) == ["tea"]
        assert found(alice, query, **{name: []}) == []


def test_who_spoke_is_asked_for_by_name(alice: Person) -> None:
    conversation = new_conversation(alice)
    for name in ("Melanie", "Caroline"):
        remember(alice, conversation, f"tea, says {name[0]}", name=name)
    assert len(found(alice, "tea")) == 2
    assert found(alice, "tea", speakers=["melanie"]) == ["tea, says M"]


def test_trust_is_a_lower_bound(alice: Person, archive: Archive) -> None:
    insert(alice, archive, "tea by hand")
    insert(alice, archive, "tea of a document", trust=Trust.UNTRUSTED)
    assert len(found(alice, "tea")) == 2
    assert found(alice, "tea", min_trust=Trust.DERIVED) == ["tea by hand"]


def test_what_has_expired_is_not_found_though_nobody_swept(alice: Person, archive: Archive) -> None:
    passage = insert(alice, archive, "tea for today", expires_at=timezone.now() + timedelta(hours=1))
    assert found(alice, "tea") == found(alice, "") == ["tea for today"]
    with alice.scope():
        index.describe(IndexEntry.Kind.PASSAGE, passage.id, expires_at=timezone.now())
    for query in ("tea", ""):
        assert found(alice, query) == []
        assert found(alice, query, states=["current", "superseded"]) == []
        assert found(alice, query, as_of=timezone.now()) == []


def test_what_was_corrected_is_history_and_as_of_tells_what_stood(alice: Person, archive: Archive) -> None:
    first = insert(alice, archive, "the deadline is Monday")
    before = timezone.now()
    with alice.scope():
        archival.correct_passage(
            first.id, "the deadline is Friday", actor=core.by_me(), expected_version=first.version
        )
    assert found(alice, "deadline") == ["the deadline is Friday"]
    assert set(found(alice, "deadline", states=["current", "superseded"])) == {
        "the deadline is Friday",
        "the deadline is Monday",
    }
    assert found(alice, "deadline", states=[SUPERSEDED]) == ["the deadline is Monday"]
    assert found(alice, "deadline", as_of=before) == ["the deadline is Monday"]
    assert found(alice, "deadline", as_of=timezone.now()) == ["the deadline is Friday"]
    assert found(alice, "deadline", as_of=first.occurred_at - timedelta(days=1)) == []
    with alice.scope():
        page = search("deadline", Filters(states=["current", "superseded"]))
    assert {hit.text: (hit.is_current, hit.valid_to is None) for hit in page.hits} == {
        "the deadline is Friday": (True, True),
        "the deadline is Monday": (False, False),
    }


def test_nobody_asks_for_what_is_hidden(alice: Person, archive: Archive) -> None:
    passage = insert(alice, archive, "tea")
    assert found(alice, "tea", states=["hidden", "current"]) == ["tea"]
    with alice.scope():
        index.hide_records(IndexEntry.Kind.PASSAGE, [passage.id])
    assert found(alice, "tea", states=["hidden", "current"]) == []
    assert found(alice, "tea", as_of=timezone.now()) == []


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Europe/Brussels", "Asia/Shanghai"])
def test_a_day_is_the_day_of_who_asks(alice: Person, archive: Archive, zone: str) -> None:
    """Three people say what happened on the 15th, each by their own clock; a moment is the same for all."""
    here = ZoneInfo(zone)
    start = datetime(2026, 11, 15, tzinfo=here)
    insert(alice, archive, "late on the 14th", occurred_at=start - timedelta(minutes=1))
    insert(alice, archive, "early on the 15th", occurred_at=start + timedelta(minutes=1))
    insert(alice, archive, "late on the 15th", occurred_at=start + timedelta(hours=23, minutes=59))
    insert(alice, archive, "early on the 16th", occurred_at=start + timedelta(hours=24, minutes=1))
    day = {"since": start, "until": start + timedelta(days=1)}
    for query in ("late early", ""):
        assert set(found(alice, query, **day)) == {"early on the 15th", "late on the 15th"}
        assert len(found(alice, query)) == 4


def test_a_day_that_is_named_is_looked_for_by_its_date(alice: Person) -> None:
    for day in (14, 15, 16):
        when = NOON.replace(day=day)
        remember(alice, new_conversation(alice), f"lunch number {day * 7}", created_at=when)
    assert found(alice, "lunch on 15 November 2026")[0] == "lunch number 105"
    assert found(alice, "2026年11月16日 lunch")[0] == "lunch number 112"


def test_another_workspace_is_left_out_where_one_is_named(cast: Cast) -> None:
    with cast.alice.scope():
        team = archival.create_archive(workspace_id=cast.team, name="team")
        own = archival.create_archive(workspace_id=cast.alice.personal, name="own")
    insert(cast.alice, team, "tea of the team")
    insert(cast.alice, own, "tea of Alice")
    assert len(found(cast.alice, "tea")) == 2
    assert found(cast.alice, "tea", workspaces=[cast.team]) == ["tea of the team"]
    assert found(cast.alice, "tea", workspaces=[cast.charlie.personal]) == []
