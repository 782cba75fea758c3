"""Each change of a block is a version, and no version ever changes."""

import pytest
from django.db import DatabaseError, connection, connections, transaction
from django.test.utils import CaptureQueriesContext

from memory import core, provenance
from memory.actors import person
from memory.core import BlockFields
from memory.models import BlockVersion, Derivation
from memory.operations import Append, Rethink
from tests.cast import Cast, Person
from tests.memory.remembering import AGENT, new_block, new_conversation, operate, remember, versions

CHANGES = [
    "UPDATE memory_blockversion SET value = 'forged' WHERE id = %s",
    "UPDATE memory_blockversion SET number = 9 WHERE id = %s",
    "UPDATE memory_blockversion SET erased_at = now() WHERE id = %s",
    "UPDATE memory_blockversion SET erased_at = now(), value = '', actor_kind = 'agent' WHERE id = %s",
    "UPDATE memory_blockversion SET approved_by = gen_random_uuid() WHERE id = %s",
    # It follows its block to another workspace, and does not go alone.
    "UPDATE memory_blockversion v SET workspace_id = w.id FROM tenants_workspace w "
    "WHERE v.id = %s AND w.tenant_id = v.tenant_id AND w.kind = 'organisation'",
    "DELETE FROM memory_blockversion WHERE id = %s",
]
# By the owner, together with its block: nothing but the place may change.
FORGED = ["value = 'forged'", "actor_id = NULL", "source_id = NULL", "erased_at = now()"]
TAKE_BLOCK = "UPDATE memory_block SET workspace_id = %s WHERE id = %s"
TAKE_VERSION = "UPDATE memory_blockversion SET workspace_id = %s, {} WHERE block_id = %s"


def test_it_counts_versions_without_gaps_and_chains_them(alice: Person) -> None:
    block = new_block(alice, "a")
    for word in "bcd":
        operate(alice, block, Append(word))
    made = versions(alice, block)
    assert [each.number for each in made] == [1, 2, 3, 4]
    assert [each.value for each in made] == ["a", "a\nb", "a\nb\nc", "a\nb\nc\nd"]
    assert [each.supersedes_id for each in made] == [None, *(each.id for each in made[:-1])]
    assert all(each.valid_from for each in made)


def test_it_says_who_did_what(alice: Person) -> None:
    block = new_block(alice, "a")
    operate(alice, block, Rethink("b"))
    created, rethought = versions(alice, block)
    assert (created.operation, created.actor_kind, created.actor_id) == ("create", "user", alice.user.id)
    assert (rethought.operation, rethought.actor_kind, rethought.actor_id) == ("rethink", "agent", AGENT.id)


def test_it_keeps_the_source_and_derives_from_a_message(alice: Person) -> None:
    block = new_block(alice)
    message = remember(alice, new_conversation(alice), "I drink tea.")
    with alice.scope():
        source = provenance.source_of_message(message)
        made = core.operate(block.id, Append("Drinks tea."), actor=AGENT, source=source)
        assert (source.kind, source.reference) == ("message", str(message.id))
        assert provenance.source_of_message(message).id == source.id
        derived = Derivation.objects.get(child_id=made.id)
        assert (derived.parent_kind, derived.parent_id) == ("message", message.id)
        assert derived.child_kind == "block_version"


def test_it_names_the_person_as_the_source_of_what_they_write(alice: Person) -> None:
    block = new_block(alice, "a")
    source = versions(alice, block)[0].source
    assert source is not None
    assert (source.kind, source.reference) == ("person", str(alice.user.id))


def test_it_counts_a_change_of_settings_too(alice: Person) -> None:
    block = new_block(alice, "a")
    with alice.scope():
        core.edit_block(block.id, BlockFields(limit=50), expected_version=1, actor=person(alice.user.id))
    assert [(each.number, each.value) for each in versions(alice, block)] == [(1, "a"), (2, "a")]


@pytest.mark.parametrize("change", CHANGES)
def test_the_database_refuses_every_change_by_the_app(alice: Person, change: str) -> None:
    block = new_block(alice, "a")
    (version,) = versions(alice, block)
    with pytest.raises(DatabaseError), alice.scope(), connections["default"].cursor() as cursor:
        cursor.execute(change, [version.id])
    assert versions(alice, block)[0].value == "a"


@pytest.mark.parametrize("change", CHANGES)
def test_the_database_refuses_every_change_by_the_owner(alice: Person, change: str) -> None:
    block = new_block(alice, "a")
    (version,) = versions(alice, block)
    with (
        pytest.raises(DatabaseError, match="only ever added"),
        transaction.atomic(using="owner"),
        connections["owner"].cursor() as cursor,
    ):
        cursor.execute(change, [version.id])
    assert versions(alice, block)[0].value == "a"


def test_the_owner_may_erase_the_content(alice: Person) -> None:
    block = new_block(alice, "a")
    (version,) = versions(alice, block)
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            "UPDATE memory_blockversion SET value = '', erased_at = now() WHERE id = %s", [version.id]
        )
    with alice.scope():
        erased = BlockVersion.objects.get(id=version.id)
    assert erased.value == ""
    assert erased.erased_at is not None


@pytest.mark.parametrize("forged", FORGED)
def test_nothing_else_changes_on_the_way_to_another_workspace(cast: Cast, forged: str) -> None:
    block = new_block(cast.alice, "a")
    with transaction.atomic(using="owner"), connections["owner"].cursor() as cursor:
        cursor.execute(TAKE_BLOCK, [cast.team, block.id])
        with pytest.raises(DatabaseError, match="only ever added"):
            cursor.execute(TAKE_VERSION.format(forged), [cast.team, block.id])
        transaction.set_rollback(True, using="owner")
    (version,) = versions(cast.alice, block)
    assert (version.value, version.actor_id) == ("a", cast.alice.user.id)


def test_a_block_costs_few_queries_to_change(alice: Person) -> None:
    """An agent's operation: lock, what lies around, block and version, what is found, derivation, audit."""
    block = new_block(alice)
    message = remember(alice, new_conversation(alice), "I drink tea.")
    with alice.scope():
        source = provenance.source_of_message(message)
        with CaptureQueriesContext(connection) as queries:
            core.operate(block.id, Append("Drinks tea."), actor=AGENT, source=source)
    verbs = [query["sql"].split()[0] for query in queries]
    assert verbs == ["SELECT", "SELECT", "WITH", "WITH", "INSERT", "INSERT"]
