"""Asking every route of the site as somebody: which routes there are, and one request of each."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tenants.scope import Identity, scope
from tests.cast import Client
from tests.tenants.routes import ASKS, Ask
from tests.tenants.world import World

VERBS = ("GET", "POST", "PUT", "PATCH", "DELETE")


@dataclass(frozen=True)
class Route:
    """An address of the site with its name and the names of the values in it."""

    name: str
    address: str
    values: tuple[str, ...]

    @property
    def is_api(self) -> bool:
        return self.address.startswith("api/")


def routes(space: str = "") -> list[Route]:
    """Every route that the resolver knows: those of the product, or those of a namespace with its walk."""
    found = _below(get_resolver(), "", (), "")
    return [route for route in found if route.name.rpartition(":")[0] == space]


def namespaces() -> set[str]:
    """The namespaces that there are beside the product."""
    return {route.name.rpartition(":")[0] for route in _below(get_resolver(), "", (), "")} - {""}


def _below(resolver: URLResolver, before: str, values: tuple[str, ...], space: str) -> Iterator[Route]:
    for each in resolver.url_patterns:
        address = before + str(each.pattern)
        known = (*values, *each.pattern.converters)
        if isinstance(each, URLPattern):
            yield Route(space + (each.name or address), address, known)
        else:
            inside = f"{each.namespace}:" if each.namespace else ""
            yield from _below(each, address, known, space + inside)


@dataclass(frozen=True)
class Step:
    """One request of the walk."""

    route: Route
    verb: str
    ask: Ask

    def __str__(self) -> str:
        return (
            f"{self.verb} {self.route.name} {dict(self.ask.query) or ''}{dict(self.ask.body) or ''}".strip()
        )

    @property
    def shows(self) -> str:
        return self.ask.shows


def steps() -> list[Step]:
    """Every request of the strangers' walk."""
    return [
        Step(route, verb, ask)
        for route in routes()
        for verb in VERBS
        for ask in ASKS.get(f"{verb} {route.name}", [])
    ]


@dataclass(frozen=True)
class Answer:
    """A status, and everything that it says: headers that lead on, and the body."""

    status: int
    location: str
    said: str
    # Whether rows were changed that the asker may not change.
    changes: bool = False

    @property
    def is_success(self) -> bool:
        """2xx, or a redirect to anywhere but the ways in."""
        return self.status < 400 and not self.location.startswith(("/accounts/", "/welcome/"))


def request(
    client: Client, route: Route, verb: str, ask: Ask, values: Mapping[str, Any], headers: Mapping[str, str]
) -> Answer:
    """One request; `values` are those of the path, the query, the body and the headers."""
    path = {name: _filled(ask.path.get(name, f"${name}"), values) for name in route.values}
    query = _filled(dict(ask.query), values)
    body = _filled(dict(ask.body), values)
    kind, data = _form(ask, body) if ask.file else _plain(body, is_api=route.is_api)
    client.raise_request_exception = False  # a 500 is an answer too, and the wrong one
    answer = client.generic(
        verb,
        reverse(route.name, kwargs=path),
        data if verb != "GET" else "",
        content_type=kind,
        query_params=query,
        headers=_filled(dict(ask.headers), values) | dict(headers),
    )
    said = "" if answer.streaming else answer.content.decode()
    return Answer(answer.status_code, answer.headers.get("Location", ""), said)


def _plain(body: Mapping[str, Any], *, is_api: bool) -> tuple[str, str | bytes]:
    if is_api:
        return "application/json", json.dumps(body)
    return "application/x-www-form-urlencoded", urlencode(body)


def _form(ask: Ask, body: Mapping[str, Any]) -> tuple[str, str | bytes]:
    given = SimpleUploadedFile("walk.txt", ask.file.encode(), "text/plain")
    return MULTIPART_CONTENT, encode_multipart(BOUNDARY, {"file": given, **body})


def _filled(value: Any, values: Mapping[str, Any]) -> Any:
    """A value with `$name` replaced; a whole `$name` keeps its type unless it is an id."""
    if isinstance(value, dict):
        return {key: _filled(item, values) for key, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, values) for item in value]
    if not isinstance(value, str) or "$" not in value:
        return value
    for name in sorted(values, key=len, reverse=True):
        value = value.replace(f"${name}", str(values[name]))
    return value


def values_for(asker: World, alice: World, ask: Ask, also_own: tuple[str, ...] = ()) -> World:
    """Alice's values, but for those of the path that are the asker's own."""
    return alice | {name: asker[name] for name in (*ask.own, *also_own)}


class undone:
    """A block whose effects on the database are undone."""

    def __enter__(self) -> None:
        self.atomic = transaction.atomic()
        self.atomic.__enter__()

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        transaction.set_rollback(True)
        self.atomic.__exit__(kind, error, trace)


def rows_written(tables: list[str]) -> int:
    """How many rows of these tables the open transaction has added, changed or deleted, undone or not.

    Rows of transactions before it may be among them, always as many: what tells is the difference.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0) FROM pg_stat_xact_user_tables "
            "WHERE relname = ANY(%s)",
            [tables],
        )
        return int(cursor.fetchone()[0])


EVERY_ROW = "SELECT '{0}', md5(coalesce(string_agg(t::text, chr(10) ORDER BY id), '')) FROM \"{0}\" t"


def fingerprint(identity: Identity, tables: list[str]) -> dict[str, str]:
    """A digest of everything that somebody sees, by table."""
    with scope(identity), connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(EVERY_ROW.format(table) for table in tables))
        return dict(cursor.fetchall())
