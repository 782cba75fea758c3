"""Why a search did not find a record: what it says agrees with what the search does."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from memory import archival, core, index
from memory.archival import NewPassage
from memory.models import Archive, IndexEntry, Passage, Trust
from memory.retrieval import SUPERSEDED, Filters, search
from memory.retrieval.why_not import Reason, WhyNot, why_not
from tests.cast import Cast, Person

DAY = datetime(2026, 11, 15, tzinfo=UTC)


@pytest.fixture
def archive(alice: Person) -> Archive:
    with alice.scope():
        return archival.create_archive(workspace_id=alice.personal, name="notes")


@pytest.fixture
def tea(alice: Person, archive: Archive) -> Passage:
    return insert(alice, archive, "green tea of Hangzhou", tags=["hot"], occurred_at=DAY, trust=Trust.DERIVED)


def insert(person: Person, archive: Archive, content: str, **fields: Any) -> Passage:
    with person.scope():
        (made,) = archival.insert_passages(archive, [NewPassage(content, **fields)], actor=core.by_me())
        return made


def told(person: Person, query: str, record: Passage, limit: int = 10, **conditions: Any) -> WhyNot:
    with person.scope():
        return why_not(query, Filters(**conditions), record.id, limit=limit)


# Each condition once as it lets the passage through, and once as it does not.
CONDITIONS: dict[str, tuple[dict[str, Any], dict[str, Any], Reason]] = {
    "kind": ({"kinds": ["passage"]}, {"kinds": ["message"]}, Reason.KIND),
    "container": ({}, {"containers": [uuid.UUID(int=1)]}, Reason.CONTAINER),
    "workspace": ({}, {"workspaces": [uuid.UUID(int=1)]}, Reason.WORKSPACE),
    "role": ({"roles": ["user"]}, {"roles": ["assistant"]}, Reason.ROLE),
    "speaker": ({"speakers": [""]}, {"speakers": ["Bob"]}, Reason.SPEAKER),
    "document": ({}, {"documents": [uuid.UUID(int=1)]}, Reason.DOCUMENT),
    "any": ({"tags": ["hot", "new"]}, {"tags": ["new"]}, Reason.TAGS),
    "all": ({"tags": ["hot"], "tag_mode": "all"}, {"tags": ["hot", "new"], "tag_mode": "all"}, Reason.TAGS),
    "none": ({"tags": ["new"], "tag_mode": "none"}, {"tags": ["hot"], "tag_mode": "none"}, Reason.TAGS),
    "since": ({"since": DAY}, {"since": DAY + timedelta(seconds=1)}, Reason.TOO_EARLY),
    "until": ({"until": DAY}, {"until": DAY - timedelta(seconds=1)}, Reason.TOO_LATE),
    "day": ({"as_of": DAY}, {"as_of": DAY - timedelta(seconds=1)}, Reason.NOT_VALID_THEN),
    "trust": ({"min_trust": Trust.DERIVED}, {"min_trust": Trust.TRUSTED}, Reason.TRUST),
    "before": ({}, {"before": uuid.UUID(int=1)}, Reason.WRITTEN_LATER),
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_a_condition_is_named_exactly_where_it_shuts_a_record_out(
    alice: Person, tea: Passage, name: str
) -> None:
    opens, shuts, reason = CONDITIONS[name]
    for conditions, expected in ((opens, Reason.FOUND), (shuts, reason)):
        with alice.scope():
            hits = search("tea", Filters(**conditions)).hits
        assert [hit.id for hit in hits] == ([tea.id] if expected is Reason.FOUND else [])
        assert told(alice, "tea", tea, **conditions).reasons == (expected,)


def test_all_conditions_that_fail_are_named(alice: Person, tea: Passage) -> None:
    answer = told(alice, "tea", tea, kinds=["message"], tags=["new"], without=[tea.id])
    assert set(answer.reasons) == {Reason.KIND, Reason.TAGS, Reason.LEFT_OUT}


def test_what_was_corrected_is_superseded(alice: Person, tea: Passage) -> None:
    with alice.scope():
        archival.correct_passage(
            tea.id, "black tea", actor=core.by_me(), expected_version=Passage.objects.get(id=tea.id).version
        )
    assert told(alice, "tea", tea).reasons == (Reason.SUPERSEDED,)
    assert told(alice, "tea", tea, states=[SUPERSEDED]).reasons == (Reason.FOUND,)


def test_what_was_thrown_away_is_hidden_and_what_ran_out_expired(alice: Person, archive: Archive) -> None:
    gone, old = (insert(alice, archive, f"tea {name}") for name in ("gone", "old"))
    with alice.scope():
        archival.retire_passages([gone.id])
        index.describe(IndexEntry.Kind.PASSAGE, old.id, expires_at=timezone.now())
    assert told(alice, "tea", gone).reasons == (Reason.HIDDEN,)
    assert told(alice, "tea", old).reasons == (Reason.EXPIRED,)


def test_a_record_below_the_limit_has_its_place(alice: Person, archive: Archive) -> None:
    last = insert(alice, archive, "a long note on many things, among them a cup of tea in the afternoon")
    for number in range(3):
        insert(alice, archive, f"tea number {number}")
    answer = told(alice, "tea number", last, limit=3)
    assert answer.reasons == (Reason.LOWER,)
    assert answer.place == 4
    assert answer.score is not None
    assert answer.least is not None
    assert answer.score < answer.least
    assert answer.words == ("tea",)
    assert answer.missing == ("number",)


def test_a_record_without_the_words_matched_nothing(alice: Person, archive: Archive, tea: Passage) -> None:
    other = insert(alice, archive, "a bicycle")
    answer = told(alice, "tea", other)
    assert (answer.reasons, answer.words, answer.missing) == ((Reason.NO_MATCH,), (), ("tea",))
    assert not answer.is_embedded


def test_one_that_says_the_same_is_named(alice: Person, archive: Archive, tea: Passage) -> None:
    same = insert(alice, archive, "Green tea, of Hangzhou!")
    first, second = told(alice, "green tea", tea), told(alice, "green tea", same)
    assert {first.reasons, second.reasons} == {(Reason.FOUND,), (Reason.ALIKE,)}
    assert {first.alike, second.alike} == {None, tea.id if first.alike is None else same.id}


def test_its_place_is_that_on_the_page_of_results_where_what_is_alike_is_one(
    alice: Person, archive: Archive
) -> None:
    for number in range(2):
        for end in ("", ".", "!"):
            insert(alice, archive, f"Green tea in tin {number}{end}")
    last = insert(alice, archive, "a long note on many things, among them a cup of tea in the afternoon")
    with alice.scope():
        hits = search("green tea", Filters()).hits
    assert [hit.id for hit in hits][-1] == last.id
    assert len(hits) == 3
    found, lower = (told(alice, "green tea", last, limit=limit) for limit in (3, 2))
    assert (found.reasons, found.place) == ((Reason.FOUND,), 3)
    assert (lower.reasons, lower.place) == ((Reason.LOWER,), 3)


def test_its_place_is_behind_what_it_contradicts_as_on_the_page(alice: Person, archive: Archive) -> None:
    first = insert(alice, archive, "The office rent is 300 pounds.", importance=1.0)
    other = insert(alice, archive, "Office: the rent.", importance=0.9)
    against = insert(alice, archive, "The office rent is 310 pounds.", importance=0.0)
    with alice.scope():
        hits = search("office rent", Filters()).hits
    scores = {hit.id: hit.score for hit in hits}
    assert scores[other.id] > scores[against.id], "its place is not by its score"
    assert [hit.id for hit in hits] == [first.id, against.id, other.id]
    assert [told(alice, "office rent", each).place for each in (first, against, other)] == [1, 2, 3]


def test_a_strangers_record_is_as_one_that_is_not_there(cast: Cast, tea: Passage) -> None:
    assert told(cast.alice, "tea", tea).reasons == (Reason.FOUND,)
    for stranger in (cast.bob, cast.charlie):
        assert told(stranger, "tea", tea) == told(stranger, "tea", Passage(id=uuid.UUID(int=7)))


def test_a_question_without_words_says_so(alice: Person, tea: Passage) -> None:
    assert told(alice, "?!", tea).reasons == (Reason.NO_WORDS,)
