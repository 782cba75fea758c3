"""Sixteen writers at the same time, each a process of its own, lose nothing."""

from collections.abc import Iterator
from typing import Any

import pytest

from memory.actors import ActorKind
from memory.models import Block, BlockVersion
from tests.cast import Cast, Person
from tests.live import live_environment
from tests.memory.remembering import new_block, now, versions
from tests.memory.writers import Job, Writers, deal

WRITERS, PEOPLE = 16, 4
AGENTS = WRITERS - PEOPLE
LIMIT = 50_000


@pytest.fixture(scope="module")
def writers(database: Any) -> Iterator[Writers]:
    with Writers(WRITERS, live_environment()) as crew:
        yield crew


def test_it_keeps_every_line_of_sixteen_agents(writers: Writers, alice: Person) -> None:
    block = new_block(alice, limit=LIMIT)
    lines = [f"line {number}" for number in range(1000)]
    writers.do(deal(job_of(alice, "append", block), lines, writers=WRITERS))
    made = assert_whole(alice, block, lines)
    assert {version.operation for version in made} == {"append"}
    assert len({version.actor_id for version in made}) == WRITERS
    assert changes_of_hand(made) > WRITERS, "one after the other: they were not at work at the same time"


def test_it_keeps_every_line_where_people_edit_what_agents_append_to(writers: Writers, cast: Cast) -> None:
    """A person whose page is stale is refused, sees what came in between, and edits that."""
    block = new_block(cast.alice, limit=LIMIT)
    said = [f"agent {number}" for number in range(240)]
    typed = [f"person {number}" for number in range(40)]
    agents = deal(job_of(cast.alice, "append", block, rest=0.2), said, writers=AGENTS)
    people = deal(job_of(cast.alice, "edit", block), typed, writers=PEOPLE)
    done = writers.do([*agents, *people])
    made = assert_whole(cast.alice, block, [*said, *typed])
    assert sum(each.refused for each in done[:AGENTS]) == 0
    assert sum(each.refused for each in done[AGENTS:]) >= PEOPLE - 1, "nobody met anybody"
    edits = [version for version in made if version.operation == "edit"]
    assert {version.actor_kind for version in edits} == {ActorKind.USER}
    assert len(edits) == len(typed)


def job_of(person: Person, kind: str, block: Block, **options: Any) -> Job:
    return Job(kind, block.id, person.identity, person.key, **options)


def assert_whole(person: Person, block: Block, lines: list[str]) -> list[BlockVersion]:
    """Every line once, each in a version that adds it to the one before it; answers those versions."""
    first, *made = stored = versions(person, block)
    held = now(person, block)
    assert sorted(held.value.split("\n")) == sorted(lines)
    assert [version.number for version in stored] == list(range(1, len(lines) + 2))
    assert first.supersedes is None
    for before, after in zip(stored, made, strict=False):
        assert after.supersedes_id == before.id
        kept, _, added = after.value.rpartition("\n")
        assert kept == before.value
        assert added in lines
    assert (held.version, held.value) == (made[-1].number, made[-1].value)
    return made


def changes_of_hand(made: list[BlockVersion]) -> int:
    return sum(before.actor_id != after.actor_id for before, after in zip(made, made[1:], strict=False))
