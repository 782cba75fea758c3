"""Members add and change their own; what others added, and archives, are for editors."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory import archival, core
from memory.archival import BadPassage, NewPassage
from memory.models import Archive, Passage
from tenants.permissions import NotAllowed
from tests.cast import Cast, Person
from tests.memory.archival.filing import file, file_as_agent, found, new_archive


@pytest.fixture
def archive(cast: Cast) -> Archive:
    return new_archive(cast.alice, cast.team)


ACTS: dict[str, Callable[[Passage], Any]] = {
    "correct": lambda passage: archival.correct_passage(
        passage.id, "other", actor=core.by_me(), expected_version=1
    ),
    "describe": lambda passage: archival.describe_passage(passage.id, importance=0.1),
    "delete": lambda passage: archival.retire_passages([passage.id]),
}


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize(
    ("role", "whose", "may"),
    [
        ("viewer", "Alice", False),
        ("member", "Alice", False),
        ("member", "agent", False),
        ("member", "Bob", True),
        ("editor", "Alice", True),
        ("editor", "agent", True),
    ],
)
def test_what_others_added_is_for_editors(
    cast: Cast, archive: Archive, act: str, role: str, whose: str, may: bool
) -> None:
    cast.let_bob_in(role)
    adds = {
        "Alice": lambda: file(cast.alice, archive, "x"),
        "Bob": lambda: file(cast.bob, archive, "x"),
        "agent": lambda: file_as_agent(cast.alice, archive, "x"),
    }
    passage = adds[whose]()
    with cast.bob.scope():
        if may:
            ACTS[act](passage)
            return
        with pytest.raises(NotAllowed):
            ACTS[act](passage)


@pytest.mark.parametrize(("role", "may"), [("viewer", False), ("member", True), ("editor", True)])
def test_members_add(cast: Cast, archive: Archive, role: str, may: bool) -> None:
    cast.let_bob_in(role)
    if may:
        assert file(cast.bob, archive, "x").actor_id == cast.bob.user.id
        return
    with pytest.raises(NotAllowed):
        file(cast.bob, archive, "x")
    with pytest.raises(BadPassage, match="only read"):
        file_as_agent(cast.bob, archive, "x")


def test_editors_govern_archives(cast: Cast, archive: Archive) -> None:
    cast.let_bob_in("member")
    for act in (
        lambda: archival.create_archive(workspace_id=cast.team, name="more"),
        lambda: archival.rename_archive(archive.id, "other"),
        lambda: archival.retire_archive(archive.id),
    ):
        with cast.bob.scope(), pytest.raises(NotAllowed):
            act()
        with cast.alice.scope():
            act()


def test_strangers_find_nothing_to_act_on(cast: Cast, archive: Archive) -> None:
    passage = file(cast.alice, archive, "a zebra")
    assert found(cast.alice, "zebra") == ["a zebra"]
    for stranger in (cast.bob, cast.charlie):
        assert found(stranger, "zebra") == []
        for act in ACTS.values():
            with stranger.scope(), pytest.raises(Passage.DoesNotExist):
                act(passage)
        for act in (archival.history_of, lambda key: archival.retire_passages([key])):
            with stranger.scope(), pytest.raises(Passage.DoesNotExist):
                act(passage.id)
        with stranger.scope(), pytest.raises(Archive.DoesNotExist):
            archival.retire_archive(archive.id)


def test_deleting_a_thousand_leaves_what_a_colleague_has(cast: Cast, archive: Archive) -> None:
    cast.let_bob_in("member")
    his = file(cast.bob, archive, "Bob's zebra")
    new = [NewPassage(f"zebra number {number}") for number in range(1_000)]
    with cast.alice.scope():
        made = archival.insert_passages(archive, new, actor=core.by_me())
        with CaptureQueriesContext(connection) as asked:
            archival.retire_passages([passage.id for passage in made])
        assert Passage.objects.filter(archive=archive, retired_at=None).get() == his
    assert len(asked) <= 8
    assert found(cast.alice, "zebra") == ["Bob's zebra"]


def test_a_batch_with_one_that_is_not_mine_changes_nothing(cast: Cast, archive: Archive) -> None:
    mine: Person = cast.bob
    own = file(mine, new_archive(mine), "my own zebra")
    hers = file(cast.alice, archive, "her zebra")
    with mine.scope(), pytest.raises(Passage.DoesNotExist):
        archival.retire_passages([own.id, hers.id])
    assert found(mine, "zebra") == ["my own zebra"]
