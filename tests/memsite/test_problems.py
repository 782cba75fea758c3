"""Refusals of the API: problem+json whatever went wrong, and never a traceback."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.urls import clear_url_caches, path

from memsite import urls
from tenants import keys
from tenants.api.views import ScopedView
from tenants.models import ApiKey, Membership
from tests.api_calls import ROOT, call, get, problem, state_of
from tests.cast import Client, Person, new_agent

NOBODY = "01900000-0000-7000-8000-000000000000"


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Addresses that fail in ways for which nobody is prepared."""

    class Failing(ScopedView):
        def get(self, request: Any, kind: str) -> Any:
            errors = {"integrity": IntegrityError, "database": OperationalError}
            raise errors.get(kind, RuntimeError)("secret words of a library")

    def failing_page(request: HttpRequest) -> HttpResponse:
        raise RuntimeError("secret words of a library")

    added = [path("api/v1/failing/<str:kind>/", Failing.as_view()), path("api/failing/", failing_page)]
    monkeypatch.setattr(urls, "urlpatterns", [*added, *urls.urlpatterns])
    clear_url_caches()
    yield
    clear_url_caches()


@pytest.mark.parametrize(
    ("verb", "path", "status"),
    [
        ("GET", "nowhere/", 404),
        ("POST", "nowhere/", 404),
        ("GET", "/api/nowhere/", 404),
        ("GET", "agents/garbage/", 404),
        ("GET", "blocks/00000000-0000-0000-0000-00000000000g/", 404),
        ("GET", "agents/%00/", 404),
        ("GET", "agents/%ff%fe/", 404),
        ("GET", f"agents/{NOBODY}/", 404),
        ("PUT", "agents/", 405),
        ("DELETE", "agents/", 405),
        ("POST", "blocks/", 405),
        ("POST", "models/", 405),
        ("TRACE", "agents/", 405),
        ("BREW", "agents/", 405),
        ("GET", f"turns/{NOBODY}/stop/", 405),
        ("HEAD", f"turns/{NOBODY}/events/", 405),
    ],
)
def test_it_refuses_wrong_addresses_and_verbs(alice: Person, verb: str, path: str, status: int) -> None:
    response = call(alice, verb, path)
    if verb == "HEAD":
        assert response.status_code == status
    else:
        problem(response, status)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        (b"", 400),
        (b"null", 400),
        (b"[]", 400),
        (b'"text"', 400),
        (b"7", 400),
        (b'{"name": "x"', 400),
        (b'{"name": NaN}', 400),
        (b'{"name": Infinity}', 400),
        (b'{"window": ' + b"9" * 5000 + b"}", 400),
        (b'{"window": 1e999, "name": "x"}', 400),
        (b"\xff\xfe", 400),
        (b'\xef\xbb\xbf{"name": "x"}', 400),
        (b"[" * 100_000, 400),
        (b"[" * 100_000 + b"]" * 100_000, 400),
        (b'{"name":' * 500 + b"1" + b"}" * 500, 400),
        (b'{"name": ' + b"[" * 40 + b"]" * 40 + b"}", 400),
        (b'{"\\ud800": 1}', 400),
        (b'{"\\u0000": 1}', 400),
        (b'{"name": "a\\u0000"}', 400),
        (b'{"name": "a\\udfff"}', 400),
        (b'{"name": ["\\ud800"]}', 400),
        (b'{"name": "' + b"x" * 9_000_000 + b'"}', 413),
    ],
)
def test_it_refuses_bodies_that_cannot_be_read(alice: Person, body: bytes, status: int) -> None:
    before = state_of(alice.identity.tenant_id)
    problem(call(alice, "POST", "agents/", body), status)
    assert state_of(alice.identity.tenant_id) == before


@pytest.mark.parametrize(
    "content_type",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/xml"],
)
def test_it_takes_json_only(alice: Person, content_type: str) -> None:
    problem(call(alice, "POST", "agents/", b"name=x", Content_Type=content_type), 415)


def test_it_reads_utf_8_whatever_the_header_claims(alice: Person) -> None:
    body = '{"name": "李雷"}'.encode()
    response = call(alice, "POST", "agents/", body, Content_Type="application/json; charset=latin-1")
    assert response.json()["name"] == "李雷"


def test_it_answers_json_or_nothing(alice: Person) -> None:
    problem(call(alice, "GET", "agents/", Accept="image/png"), 406)
    problem(call(alice, "GET", "agents/", Accept="text/event-stream"), 406)
    problem(call(alice, "GET", f"turns/{NOBODY}/events/", Accept="application/json"), 406)


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Bearer ms_wrong", "Basic YTpi", "ms_wrong", "Bearer \x7f\xe9"]
)
def test_it_asks_for_a_key(alice: Person, header: str) -> None:
    headers = {"Authorization": header} if header else {}
    for verb, address in [("GET", "agents/"), ("POST", "agents/"), ("GET", f"turns/{NOBODY}/events/")]:
        response = Client(headers=headers).generic(verb, ROOT + address)
        problem(response, 401)
        assert response.headers["WWW-Authenticate"] == "Bearer"


def test_it_takes_no_session(alice: Person) -> None:
    problem(alice.browser.get(f"{ROOT}agents/"), 401)


def test_it_refuses_keys_that_are_over(alice: Person) -> None:
    get(alice, "agents/")
    with alice.scope():
        ApiKey.objects.update(revoked_at="2026-01-01T00:00:00Z")
    problem(call(alice, "GET", "agents/"), 401)


def test_it_refuses_people_who_left(bob: Person) -> None:
    with bob.scope():
        Membership.objects.filter(user_id=bob.user.id).update(is_active=False)
    problem(call(bob, "GET", "agents/"), 401)


def test_it_holds_a_key_to_its_scopes(alice: Person) -> None:
    agent = new_agent(alice)
    with alice.scope():
        reader = keys.create_key(name="reader", scopes=["read"])
    alice.key = reader
    get(alice, f"agents/{agent.id}/")
    before = state_of(alice.identity.tenant_id)
    problem(call(alice, "POST", "agents/", {"name": "Memo"}), 403)
    problem(call(alice, "DELETE", f"agents/{agent.id}/"), 403)
    problem(call(alice, "GET", f"agents/{NOBODY}/"), 404)
    assert state_of(alice.identity.tenant_id) == before


def test_it_clips_what_it_quotes(alice: Person) -> None:
    refused = problem(call(alice, "POST", "agents/", {"name": "Memo", "model": "x" * 100_000}), 400)
    assert len(str(refused)) < 2_000
    refused = problem(call(alice, "POST", "agents/", {f"field{n}": 1 for n in range(1_000)}), 400)
    assert len(str(refused)) < 5_000


@pytest.mark.parametrize(("kind", "status"), [("integrity", 409), ("database", 503)])
@pytest.mark.usefixtures("broken")
def test_it_keeps_the_databases_words_to_itself(alice: Person, kind: str, status: int) -> None:
    response = call(alice, "GET", f"failing/{kind}/")
    problem(response, status)
    assert b"secret" not in response.content
    assert ("Retry-After" in response.headers) == (status == 503)


@pytest.mark.parametrize("address", ["failing/bug/", "/api/failing/"])
@pytest.mark.usefixtures("broken")
def test_it_gives_a_reference_for_its_own_faults(
    alice: Person, capsys: pytest.CaptureFixture[str], address: str
) -> None:
    client = alice.api
    client.raise_request_exception = False
    response = client.get(address if address.startswith("/") else ROOT + address)
    reference = problem(response, 500)["reference"]
    assert b"secret" not in response.content
    assert reference in capsys.readouterr().out
