"""The vector index of one large tenant: HNSW over its rows of one embedding model, built by the owner.

Small tenants have none: comparing every vector in sight is as fast and misses nothing. Parameters after
https://github.com/pgvector/pgvector#hnsw and our own measurements (`make bench ARGS=search`).
"""

from __future__ import annotations

import hashlib
import uuid

from django.db import connections

from memory.models import EmbeddingModel, IndexEntry

M, EF_CONSTRUCTION = 16, 200


class NoSuchModel(Exception):
    """There is no embedding model of this name."""


class NoSuchTenant(Exception):
    """There is no tenant of this name or id."""


def tenant_called(text: str) -> uuid.UUID:
    """The id of a tenant by the short name in its addresses, or by that id. Raises NoSuchTenant."""
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT id FROM tenants_tenant WHERE slug = %s OR id::text = %s", [text, text.lower()])
        row = cursor.fetchone()
    if row is None:
        raise NoSuchTenant(NoSuchTenant.__doc__)
    found: uuid.UUID = row[0]
    return found


def index_name(tenant_id: uuid.UUID, model: str) -> str:
    """What the index is called: `entries_near` looks for it by this name."""
    return "vectors_" + hashlib.md5(f"{tenant_id}{model}".encode(), usedforsecurity=False).hexdigest()


def build(tenant_id: uuid.UUID, model: str = "", *, memory: str = "1GB") -> str:
    """Build a tenant's index, or build it again, while the site serves; the current model's unless another is
    named. Answers its name. Raises NoSuchModel."""
    rows = EmbeddingModel.objects.using("owner")
    found = (rows.filter(name=model) if model else rows.filter(is_current=True)).first()
    if found is None:
        raise NoSuchModel(NoSuchModel.__doc__)
    name, table = index_name(tenant_id, found.name), IndexEntry._meta.db_table
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT set_config('maintenance_work_mem', %s, false)", [memory])
        cursor.execute("SELECT quote_literal(%s), quote_literal(%s)", [str(tenant_id), found.name])
        tenant, embedder = cursor.fetchone()
        cursor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
        cursor.execute(
            f"CREATE INDEX CONCURRENTLY {name} ON {table} "
            f"USING hnsw ((vector::halfvec({found.dimensions})) halfvec_ip_ops) "
            f"WITH (m = {M}, ef_construction = {EF_CONSTRUCTION}) "
            f"WHERE tenant_id = {tenant} AND embedded_by = {embedder}"
        )
    return name
