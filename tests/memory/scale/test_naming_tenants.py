"""Commands of the owner name a tenant as its addresses do, or by its id."""

from __future__ import annotations

import uuid

import pytest
from django.core.management import CommandError, call_command
from django.db import connections

from memory.scale.vector_index import NoSuchTenant, tenant_called
from tests.cast import Person


def slug_of(person: Person) -> str:
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT slug FROM tenants_tenant WHERE id = %s", [person.identity.tenant_id])
        return str(cursor.fetchone()[0])


def test_it_is_found_by_its_short_name_and_by_its_id(alice: Person) -> None:
    tenant = alice.identity.tenant_id
    assert tenant_called(slug_of(alice)) == tenant
    assert tenant_called(str(tenant).upper()) == tenant


def test_a_tenant_that_is_not_there_is_told_of(alice: Person) -> None:
    for name in (slug_of(alice) + "-", str(uuid.UUID(int=1)), "%"):
        with pytest.raises(NoSuchTenant):
            tenant_called(name)
    with pytest.raises(CommandError, match="no tenant of this name"):
        call_command("build_vector_index", tenant="no such one")
