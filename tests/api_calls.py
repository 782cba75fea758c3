"""Calling the API in this process, and looking at what a refused call left behind."""

from __future__ import annotations

import json
import uuid
from functools import cache
from typing import Any

from django.apps import apps
from django.db import connections

from tests.cast import Client, Person

ROOT = "/api/v1/"
PROBLEM = "application/problem+json"


def call(person: Person, verb: str, path: str, body: Any = None, **headers: str) -> Any:
    """One request; `path` begins after /api/v1/ or is whole, `body` is sent as JSON (bytes as they are)."""
    whole = path if path.startswith(("/", "http")) else ROOT + path
    data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    content_type = named.pop("Content-Type", "application/json")
    named = {"Authorization": f"Bearer {person.key}"} | named
    return client().generic(verb, whole, data, content_type=content_type, headers=named)


@cache
def client() -> Client:
    """One client for all: a new one would load the middleware again, and with it every static file."""
    return Client()


def get(person: Person, path: str, **headers: str) -> Any:
    """GET, and the answer's JSON."""
    response = call(person, "GET", path, **headers)
    assert response.status_code == 200, response.content
    return response.json()


def post(person: Person, path: str, body: Any, status: int = 201) -> Any:
    """POST, and the answer's JSON."""
    response = call(person, "POST", path, body)
    assert response.status_code == status, response.content
    return response.json()


def problem(response: Any, status: int) -> dict[str, Any]:
    """The body of a refusal that looks as RFC 9457 wants it."""
    assert response.status_code == status, response.content[:500]
    assert response.headers["Content-Type"] == PROBLEM
    body: dict[str, Any] = response.json()
    assert body["status"] == status
    assert body["title"]
    assert body["detail"]
    return body


def state_of(tenant_id: uuid.UUID) -> dict[str, tuple[int, str]]:
    """Every row of a tenant, digested table by table; when a key was last used does not count, nor that a
    refusal was noted."""
    found = {}
    with connections["owner"].cursor() as cursor:
        for model in apps.get_models():
            if not getattr(model, "is_scoped", False) or model.__name__ in {"ApiKey", "AuditEvent"}:
                continue
            table, column = model._meta.db_table, model.tenant_field
            cursor.execute(
                f"SELECT count(*), coalesce(md5(string_agg(row::text, '|' ORDER BY id)), '') "
                f'FROM "{table}" row WHERE {column} = %s',
                [tenant_id],
            )
            found[table] = cursor.fetchone()
    return found


def everything(person: Person, path: str) -> list[Any]:
    """All rows of a list, page by page."""
    rows: list[Any] = []
    address: str | None = path
    while address:
        page = get(person, address)
        rows += page["results"]
        address = page["next"]
    return rows
