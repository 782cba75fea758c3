"""A scoped table is never used where nobody has said who is asking: each way to touch one raises."""

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import Count, Prefetch
from django.template import Context, Template
from psycopg.sql import SQL, Identifier

from agents.models import Agent, AgentBlock
from memory.models import Block, BlockVersion
from tenants.models import Tenant, Workspace
from tenants.scope import NoScope, current_scope
from tenants.scoped import ScopedManager, UnscopedSql
from tests.cast import Person, new_agent
from tests.tenants.locks import scoped_models

BUILDING: dict[str, Callable[[], Any]] = {
    "all": lambda: Block.objects.all(),
    "filter": lambda: Block.objects.filter(label="human"),
    "get": lambda: Block.objects.get(id=uuid.uuid4()),
    "get or create": lambda: Block.objects.get_or_create(label="human"),
    "update or create": lambda: Block.objects.update_or_create(label="human"),
    "count": lambda: Block.objects.count(),
    "exists": lambda: Block.objects.exists(),
    "aggregate": lambda: Block.objects.aggregate(n=Count("id")),
    "values": lambda: Block.objects.values_list("id", flat=True),
    "update": lambda: Block.objects.update(label="human"),
    "delete": lambda: Block.objects.all().delete(),
    "create": lambda: Block.objects.create(label="human"),
    "bulk create": lambda: Block.objects.bulk_create([Block(label="human")]),
    "bulk update": lambda: Block.objects.bulk_update([Block(label="human")], ["label"]),
    "in bulk": lambda: Block.objects.in_bulk([uuid.uuid4()]),
    "iterator": lambda: list(Block.objects.iterator()),
    "none": lambda: Block.objects.none(),
    "raw": lambda: Block.objects.raw("SELECT * FROM memory_block"),
    "base manager": lambda: Block._base_manager.all(),
    "save": lambda: Block(label="human").save(),
    "delete one": lambda: Block(id=uuid.uuid4()).delete(),
    "refresh": lambda: Block(id=uuid.uuid4()).refresh_from_db(),
    "forward key": lambda: AgentBlock(block_id=uuid.uuid4()).block,
    "its tenant": lambda: Block(tenant_id=uuid.uuid4()).tenant,
    "related manager": lambda: Agent(id=uuid.uuid4()).attachments.all(),
    "related add": lambda: Agent(id=uuid.uuid4()).attachments.create(label="human"),
    "a tenant": lambda: Tenant.objects.all(),
    "a workspace": lambda: Workspace.objects.all(),
}


@pytest.mark.parametrize("way", BUILDING)
def test_it_refuses_to_build_a_queryset_without_a_scope(database: None, way: str) -> None:
    with pytest.raises(NoScope):
        BUILDING[way]()


@pytest.mark.parametrize("way", BUILDING)
def test_a_transaction_alone_is_no_scope(database: None, way: str) -> None:
    with transaction.atomic(), pytest.raises(NoScope):
        BUILDING[way]()


LATER: dict[str, Callable[[Any], Any]] = {
    "list": list,
    "bool": bool,
    "len": len,
    "repr": repr,
    "first": lambda rows: rows.first(),
    "index": lambda rows: rows[0],
    "slice": lambda rows: list(rows[:3]),
    "count": lambda rows: rows.count(),
    "exists": lambda rows: rows.exists(),
    "contains": lambda rows: rows.contains(Block(id=uuid.uuid4())),
    "values": lambda rows: list(rows.values_list("value", flat=True)),
    "iterator": lambda rows: next(rows.iterator()),
    "aggregate": lambda rows: rows.aggregate(n=Count("id")),
    "update": lambda rows: rows.update(description="x"),
    "delete": lambda rows: rows.delete(),
    "in bulk": lambda rows: rows.in_bulk(),
    "explain": lambda rows: rows.explain(),
    "union": lambda rows: list(rows.union(rows.all())),
    "prefetch": lambda rows: list(rows.prefetch_related("versions")),
    "a template": lambda rows: Template("{% for row in rows %}{{ row.value }}{% endfor %}").render(
        Context({"rows": rows})
    ),
}


@pytest.mark.parametrize("way", LATER)
def test_a_queryset_that_is_evaluated_after_its_scope_raises(alice: Person, way: str) -> None:
    """It would find nothing behind the policies, and nobody would hear of it."""
    new_agent(alice)
    with alice.scope():
        assert Block.objects.exists()
        rows = Block.objects.order_by("id")
    with pytest.raises(NoScope):
        LATER[way](rows)
    with transaction.atomic(), pytest.raises(NoScope):
        LATER[way](rows)


def test_what_hangs_on_a_row_is_not_fetched_after_its_scope(alice: Person) -> None:
    agent = new_agent(alice)
    with alice.scope():
        row = AgentBlock.objects.filter(agent=agent)[0]
        deferred = Block.objects.defer("value").get(id=row.block_id)
        related = deferred.versions.all()
        prefetched = Agent.objects.prefetch_related(Prefetch("attachments"))
    for late in (
        lambda: row.block,
        lambda: row.block.value,
        lambda: deferred.value,
        lambda: list(related),
        lambda: list(prefetched),
        lambda: agent.attachments.count(),
        lambda: agent.save(),
        lambda: deferred.refresh_from_db(),
    ):
        with pytest.raises(NoScope):
            late()


def test_what_was_fetched_inside_stays_readable_outside(alice: Person) -> None:
    agent = new_agent(alice)
    with alice.scope():
        row = AgentBlock.objects.select_related("block").filter(agent=agent)[0]
        fetched = Block.objects.order_by("id")
        assert list(fetched)
    assert row.block.label
    assert [each.label for each in fetched]


STATEMENTS = [
    "SELECT count(*) FROM memory_block",
    'SELECT 1 FROM "public"."memory_block"',
    "select 1 where exists (select from\nMEMORY_BLOCK)".lower(),
    "UPDATE memory_block SET value = '' WHERE id = '01900000-0000-7000-8000-000000000000'",
    "DELETE FROM memory_block",
    "INSERT INTO memory_block SELECT * FROM memory_block",
    b"SELECT count(*) FROM memory_block",
    SQL("SELECT count(*) FROM {}").format(Identifier("memory_block")),
]


@pytest.mark.parametrize("statement", STATEMENTS, ids=str)
def test_raw_sql_on_a_scoped_table_raises_without_a_scope(database: None, statement: Any) -> None:
    with transaction.atomic(), connection.cursor() as cursor, pytest.raises(NoScope):
        cursor.execute(statement)
    with connection.cursor() as cursor, pytest.raises(NoScope):
        cursor.executemany(statement, [])


def test_every_scoped_model_is_reached_through_the_manager_that_asks() -> None:
    for model in scoped_models():
        assert isinstance(model._default_manager, ScopedManager), model
        assert isinstance(model._base_manager, ScopedManager), model
        assert all(isinstance(manager, ScopedManager) for manager in model._meta.managers), model
        assert [*model._meta.many_to_many] == [], f"{model} would have a table without a manager"


def test_a_model_takes_no_sql_of_ones_own(alice: Person) -> None:
    with alice.scope(), pytest.raises(UnscopedSql):
        BlockVersion.objects.raw("SELECT * FROM memory_blockversion")


def test_a_scope_without_a_transaction_is_none(alice: Person) -> None:
    """Identity dies with its transaction: what is left of it in Python does not count."""
    with alice.scope() as entered:
        assert current_scope() is entered
    connection.memsite_scope = entered  # as if somebody had kept it
    try:
        with pytest.raises(NoScope):
            current_scope()
    finally:
        connection.memsite_scope = None
