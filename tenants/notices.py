"""Telling whoever follows something that a key or a seat has ended, so that open streams end too.

A notice is a NOTIFY at commit. Who gets one looks again whether the identity still holds: it says that
something has changed and not what is allowed.
"""

from __future__ import annotations

import json
import uuid
from typing import Any

from django.db import connection

from tenants.scope import Identity, current_scope

CHANNEL = "memsite_events"


def key_revoked(key_id: uuid.UUID) -> None:
    """A key is dead."""
    _tell({"key": str(key_id)})


def person_moved(user_id: uuid.UUID) -> None:
    """A person of the present tenant has lost their seat, a role, or a workspace."""
    _tell({"person": str(user_id), "tenant": str(current_scope().tenant_id)})


def _tell(revoked: dict[str, str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, json.dumps({"revoked": revoked})])


def name_of(revoked: dict[str, Any]) -> str:
    """Under which name a notice goes out to followers."""
    if "key" in revoked:
        return f"key {revoked['key']}"
    return f"person {revoked['tenant']} {revoked['person']}"


def names_for(identity: Identity) -> list[str]:
    """The names of the notices that concern an identity."""
    person = {"person": identity.user_id, "tenant": identity.tenant_id}
    key = [name_of({"key": identity.key_id})] if identity.key_id else []
    return [name_of(person), *key]
