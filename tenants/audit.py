"""The audit log: what was done, by whom, to what, from where. It is only ever added to.

An event is one row in the transaction of what it tells, so neither is there without the other. It holds names
as they were then, and nothing that is remembered or was said. See docs/decisions/0006-the-audit-log.md.
"""

from __future__ import annotations

import json
import uuid
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import structlog
from django.db import DatabaseError, connection
from django.db.models import Model, Q, QuerySet

from tenants.ids import uuid7
from tenants.models import AuditEvent, User
from tenants.scope import Identity, Scope, current_scope, scope

log = structlog.get_logger()
NAME_MAX = 200
Actor = tuple[str, uuid.UUID | None, str]


@dataclass(frozen=True)
class Origin:
    """From where something is done: a network address, and the request's id in the logs."""

    address: str = ""
    request_id: str = ""


NOWHERE = Origin()
# Set by the doors for each request; background work comes from nowhere.
origin: ContextVar[Origin] = ContextVar("origin", default=NOWHERE)

# One statement: the names are looked up where they are written. A workspace out of sight has none.
INSERT = """
INSERT INTO tenants_auditevent (
  id, tenant_id, at, actor_kind, actor_id, actor_name, key_id, action, object_kind, object_id, object_name,
  workspace_id, workspace_name, subject_id, address, request_id, details)
SELECT %(id)s, %(tenant)s, clock_timestamp(), %(actor_kind)s, %(actor)s,
  coalesce(%(actor_name)s, left((SELECT m.name FROM tenants_membership m
                                 WHERE m.tenant_id = %(tenant)s AND m.user_id = %(actor)s), 200), ''),
  %(key)s, %(action)s, %(kind)s, %(object)s, %(name)s, %(workspace)s,
  coalesce((SELECT w.name FROM tenants_workspace w
            WHERE w.tenant_id = %(tenant)s AND w.id = %(workspace)s), ''),
  %(subject)s, %(address)s, %(request)s, %(details)s
"""


def record(
    action: str,
    obj: Model | None = None,
    *,
    kind: str = "",
    object_id: uuid.UUID | None = None,
    name: str = "",
    workspace_id: uuid.UUID | None = None,
    subject_id: uuid.UUID | None = None,
    actor: Actor | None = None,
    **details: Any,
) -> None:
    """Add an event in the present transaction.

    `action` is `object.verb`, such as block.edited. Kind, id, name and workspace are those of `obj` unless
    they are given; `subject_id` is the person whom it concerns and who will see it. The actor is the scope's
    person, or the key they used, unless given as (kind, id, name). `details` are few and plain: roles,
    numbers, names of fields, and never content.
    """
    held = current_scope()
    who, actor_id, actor_name = actor or _present_actor(held)
    with connection.cursor() as cursor:
        cursor.execute(
            INSERT,
            {
                "id": uuid7(),
                "tenant": held.tenant_id,
                "actor_kind": who,
                "actor": actor_id,
                "actor_name": actor_name[:NAME_MAX] or None,
                "key": held.identity.key_id,
                "action": action,
                "kind": kind or (obj._meta.model_name or "" if obj else ""),
                "object": object_id or (obj.pk if obj else None),
                "name": (name or _name_of(obj))[:NAME_MAX],
                "workspace": workspace_id or _workspace_of(obj),
                "subject": subject_id,
                "address": origin.get().address,
                "request": origin.get().request_id,
                "details": json.dumps(details, default=str),
            },
        )


def _present_actor(held: Scope) -> Actor:
    staff_id = held.identity.staff_id
    if staff_id is not None:
        known = User.objects.filter(id=staff_id).values_list("email", flat=True).first()
        return AuditEvent.Actor.STAFF, staff_id, known or ""
    if held.user_id is None:
        return AuditEvent.Actor.SYSTEM, None, ""
    used_key = held.identity.key_id is not None
    return (AuditEvent.Actor.KEY if used_key else AuditEvent.Actor.PERSON), held.user_id, ""


def _name_of(obj: Model | None) -> str:
    """A name or a label. Not how an object prints: that may be what was said."""
    return str(getattr(obj, "name", "") or getattr(obj, "label", ""))


def _workspace_of(obj: Model | None) -> uuid.UUID | None:
    found: uuid.UUID | None = getattr(obj, getattr(obj, "workspace_field", "") or "workspace_id", None)
    return found


def refused(identity: Identity, *, method: str, route: str, reason: str) -> None:
    """Add that somebody was refused what they see and may not do, in a transaction of its own.

    Called when the refused one is over. It never stands in the way of the answer: where the log cannot be
    written, that is logged.
    """
    try:
        with scope(identity):
            record("access.refused", kind="route", name=route, method=method, reason=reason)
    except DatabaseError as error:
        log.warning("refusal not recorded", route=route, error=str(error))


@dataclass(frozen=True)
class Asked:
    """Which events are asked for; what is left out asks for all.

    `action` is a beginning: "block." asks for everything about blocks. `text` stands in the name of the actor
    or of the thing. `since` is in, `until` is out.
    """

    actor_id: uuid.UUID | None = None
    action: str = ""
    object_kind: str = ""
    object_id: uuid.UUID | None = None
    workspace_id: uuid.UUID | None = None
    subject_id: uuid.UUID | None = None
    since: datetime | None = None
    until: datetime | None = None
    text: str = ""


LAST_SIGN = "\U0010ffff"


def search(asked: Asked) -> QuerySet[AuditEvent]:
    """The events that were asked for, newest first; page them by id.

    Owners, admins and auditors see all of the tenant's, everybody else what concerns them.
    """
    exact = {
        "actor_id": asked.actor_id,
        "object_kind": asked.object_kind,
        "object_id": asked.object_id,
        "workspace_id": asked.workspace_id,
        "subject_id": asked.subject_id,
        "at__gte": asked.since,
        "at__lt": asked.until,
    }
    rows = AuditEvent.objects.filter(**{name: value for name, value in exact.items() if value})
    if asked.action:
        rows = rows.filter(action__gte=asked.action, action__lt=asked.action + LAST_SIGN)
    if asked.text:
        rows = rows.filter(Q(actor_name__icontains=asked.text) | Q(object_name__icontains=asked.text))
    return rows.order_by("-id")
