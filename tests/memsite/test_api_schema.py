"""The schema of the API: valid, whole, and true to the routes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.urls import URLPattern, get_resolver

from agents.api.events import SHAPES
from memsite.security import POLICY
from tests.cast import Client

PREFIX = "/api/v1/"
# Acts that need no more than their address.
WITHOUT_BODY = tuple(
    f"/{act}/"
    for act in (
        *("stop", "retry", "cancel", "switch", "left-memory", "summaries"),
        *("reopen", "withdraw", "restore", "undo", "return", "ownership"),
        "agents/{agent_id}/blocks/{block_id}",
        "agents/{agent_id}/archives/{archive_id}",
        "agents/{agent_id}/skills/{skill_id}",
    )
)

# Requests that send a file.
FORMS = {f"post {PREFIX}archives/{{archive_id}}/documents/": "multipart/form-data"}


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The schema as the command writes it; a warning is a failure."""
    file: Path = tmp_path_factory.mktemp("schema") / "schema.json"
    call_command(
        "spectacular", "--validate", "--fail-on-warn", "--format", "openapi-json", "--file", str(file)
    )
    return json.loads(file.read_text())


def operations(schema: Any) -> dict[str, Any]:
    return {
        f"{verb} {path}": operation
        for path, verbs in schema["paths"].items()
        for verb, operation in verbs.items()
    }


def test_it_holds_every_route_and_verb(schema: Any) -> None:
    expected = set()

    def walk(patterns: Any, before: str) -> None:
        for pattern in patterns:
            here = before + re.sub(r"<\w+:(\w+)>", r"{\1}", str(pattern.pattern))
            if not isinstance(pattern, URLPattern):
                walk(pattern.url_patterns, here)
            elif here.startswith(PREFIX):
                view = pattern.callback.view_class  # type: ignore[attr-defined]
                verbs = [verb for verb in ("get", "post", "put", "patch", "delete") if hasattr(view, verb)]
                expected.update(f"{verb} {here}" for verb in verbs)

    walk(get_resolver().url_patterns, "/")
    assert set(operations(schema)) == expected


def test_it_says_what_goes_in_and_what_comes_out(schema: Any) -> None:
    for name, operation in operations(schema).items():
        assert operation["description"], name
        assert operation["security"] == [{"key": []}], name
        assert "application/problem+json" in operation["responses"]["default"]["content"], name
        answers = {code: each for code, each in operation["responses"].items() if code.startswith("2")}
        assert answers, name
        assert all(code == "204" or each["content"] for code, each in answers.items()), name
        if name.startswith(("post", "patch")) and not name.endswith(WITHOUT_BODY):
            assert operation["requestBody"]["content"][FORMS.get(name, "application/json")]["schema"], name


def test_it_gives_every_operation_a_name_of_its_own(schema: Any) -> None:
    names = [operation["operationId"] for operation in operations(schema).values()]
    assert len(set(names)) == len(names)


def test_it_documents_each_event(schema: Any) -> None:
    said = operations(schema)[f"get {PREFIX}turns/{{turn_id}}/events/"]["description"]
    for shape in SHAPES:
        assert (shape.__doc__ or "") in said
    sent = operations(schema)[f"post {PREFIX}conversations/{{conversation_id}}/messages/"]["responses"]["200"]
    assert set(sent["content"]) == {"application/json", "text/event-stream"}


def test_it_is_served_to_everyone() -> None:
    response = Client().get("/api/schema/?format=json", headers={"Accept": "application/json"})
    assert response.status_code == 200
    assert "/api/v1/agents/" in response.json()["paths"]
    assert b"openapi: 3" in Client().get("/api/schema/").content


def test_it_shows_its_docs_without_other_hosts_and_inline_scripts() -> None:
    response = Client().get("/api/docs/")
    assert response.status_code == 200
    assert b"//" not in response.content.replace(b"<!DOCTYPE html>", b"")
    assert b"<script>" not in response.content
    assert response.headers["Content-Security-Policy"] == POLICY
    assert "unsafe" not in POLICY
    script = Client().get("/api/docs/?script=")
    assert script.headers["Content-Type"].startswith("application/javascript")
    assert b"/api/schema/" in script.content
