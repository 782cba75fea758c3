"""Who sees one row of ten thousand finds it: permission and conditions hold before ranking and LIMIT."""

from __future__ import annotations

import math

import pytest

from memory import archival, core
from memory.index.entries import entry, write
from memory.models import IndexEntry, Passage
from memory.retrieval import Filters, search
from memory.retrieval.candidates import candidates
from memory.retrieval.question import Question
from tests.cast import Cast, make_cast
from tests.memory.searching import found

MANY = 10_000


@pytest.fixture(scope="module")
def crowded(database: None) -> Cast:
    """Ten thousand rows of the team that say more of tea than the one that Bob has."""
    cast = make_cast()
    with cast.alice.scope():
        archive = archival.create_archive(workspace_id=cast.team, name="many")
        rows = [
            Passage(workspace_id=cast.team, archive=archive, content=f"tea tea tea {number}")
            for number in range(MANY)
        ]
        for start in range(0, MANY, 1000):
            write([_entry(row) for row in rows[start : start + 1000]])
    with cast.bob.scope():
        own = archival.create_archive(workspace_id=cast.bob.personal, name="own")
        archival.insert_passage(own, content="A cup of tea with Bob.", tags=["bob"], actor=core.by_me())
    return cast


def _entry(row: Passage) -> IndexEntry:
    return entry("passage", row, row.archive_id, row.content, occurred_at=row.occurred_at)


def test_the_crowd_is_there(crowded: Cast) -> None:
    with crowded.alice.scope():
        assert len(candidates(Filters(), Question("tea", ("tea",)), {}).rows) == 100


def test_one_row_of_ten_thousand_is_found_by_who_sees_it(crowded: Cast) -> None:
    assert found(crowded.bob, "tea") == ["A cup of tea with Bob."]
    crowded.let_bob_in()
    assert found(crowded.bob, "tea", workspaces=[crowded.bob.personal]) == ["A cup of tea with Bob."]
    assert found(crowded.bob, "tea", tags=["bob"]) == ["A cup of tea with Bob."]


def test_how_rare_a_word_is_does_not_depend_on_rows_out_of_sight(crowded: Cast) -> None:
    """For Charlie, who has three rows, tea is a rare word, whatever ten thousand others say."""
    charlie = crowded.charlie
    with charlie.scope():
        archive = archival.create_archive(workspace_id=charlie.personal, name="own")
        for text in ("tea", "common words", "common things"):
            archival.insert_passage(archive, content=text, tags=[], actor=core.by_me())
        asked = Question("tea common", ("tea", "common"))
        alone = [each.complete for each in candidates(Filters(), asked, {}).rows][0]
        assert alone == pytest.approx(_idf(3, 1) + _idf(3, 2))
        assert search("tea common", Filters()).hits[0].text == "tea"


def _idf(rows: int, holding: int) -> float:
    return math.log(1 + (rows - holding + 0.5) / (holding + 0.5))
