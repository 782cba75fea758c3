"""The audit log: who reads it, filters in the address, pages, and its export."""

from __future__ import annotations

import csv
import io
import json
import uuid
from typing import Any

import pytest
from asgiref.sync import async_to_sync

from tenants import audit, people, services
from tenants.models import AuditEvent, Membership
from tests.cast import NOBODY, Cast, Person
from tests.tenants.web.pages import page


def log_of(person: Person) -> str:
    return f"/w/{person.personal}/audit/"


def exported(person: Person, query: str = "") -> str:
    """The whole of a stream."""
    answer = person.browser.get(f"{log_of(person)}export/?{query}")
    assert answer.status_code == 200

    async def drain() -> bytes:
        return b"".join([part async for part in answer.streaming_content])

    return async_to_sync(drain)().decode()


def make(cast: Cast, role: str) -> None:
    with cast.alice.scope():
        seat = Membership.objects.get(user=cast.bob.user)
        people.change_role(membership_id=seat.id, role=role)


def note(person: Person, *names: str, action: str = "block.edited", **details: Any) -> None:
    with person.scope():
        for name in names:
            audit.record(action, kind="block", object_id=uuid.uuid4(), name=name, **details)


@pytest.mark.parametrize(("role", "status"), [("member", 403), ("admin", 200), ("auditor", 200)])
def test_owners_admins_and_auditors_read_it(cast: Cast, role: str, status: int) -> None:
    note(cast.alice, "zebra facts")
    make(cast, role)
    answer = cast.bob.browser.get(log_of(cast.bob))
    assert answer.status_code == status
    assert ("zebra facts" in answer.content.decode()) is (status == 200)
    assert cast.bob.browser.get(f"{log_of(cast.bob)}export/").status_code == status
    assert "zebra facts" not in page(cast.charlie, log_of(cast.charlie))


def test_it_says_who_did_what_in_words(cast: Cast) -> None:
    note(cast.alice, "zebra facts", version=7)
    text = page(cast.alice, log_of(cast.alice), fragment=True)
    assert "<html" not in text
    for words in ("Alice", "changed a memory block", "zebra facts", "<dd>7</dd>", "block.edited"):
        assert words in text


def test_it_is_filtered_by_who_what_which_and_when(cast: Cast) -> None:
    make(cast, "admin")
    note(cast.alice, "zebra facts")
    note(cast.bob, "lion facts", action="block.created")
    here = log_of(cast.alice)
    with cast.alice.scope():
        thing = AuditEvent.objects.get(object_name="lion facts").object_id
    for query, inside, outside in (
        (f"actor={cast.bob.user.id}", "lion facts", "zebra facts"),
        ("action=block.edited", "zebra facts", "lion facts"),
        ("text=LION", "lion facts", "zebra facts"),
        (f"object={thing}", "lion facts", "zebra facts"),
        (f"action=block.&actor={cast.alice.user.id}", "zebra facts", "lion facts"),
        ("since=2001-01-01&text=lion", "lion facts", "zebra facts"),
    ):
        text = page(cast.alice, f"{here}?{query}")
        assert inside in text, query
        assert outside not in text, query
    assert "Nothing like this was recorded." in page(cast.alice, f"{here}?until=2001-01-01")


@pytest.mark.parametrize(
    "query",
    [
        "since=yesterday",
        "until=2026-02-31",
        "before=nonsense",
        "action=%00",
        "action=never.heard",
        f"actor={'x' * 5000}",
        f"actor={NOBODY}",
        f"object={NOBODY}",
        "object=nonsense",
        "text=%25_",
    ],
)
def test_a_filter_that_means_nothing_finds_nothing(alice: Person, query: str) -> None:
    note(alice, "zebra facts")
    assert "zebra facts" in page(alice, log_of(alice))
    assert query == "action=%00" or "zebra facts" not in page(alice, f"{log_of(alice)}?{query}")


def test_it_goes_page_by_page(alice: Person) -> None:
    note(alice, *(f"fact {number}." for number in range(60)))
    first = page(alice, f"{log_of(alice)}?text=fact")
    assert "fact 59." in first
    assert "fact 3." not in first
    last_shown = first.split("text=fact&before=")[1][:36]
    second = page(alice, f"{log_of(alice)}?text=fact&before={last_shown}")
    assert "fact 3." in second
    assert "fact 59." not in second
    assert "To the newest" in second


def test_it_is_exported_as_csv_with_the_filter_of_the_page(alice: Person) -> None:
    formula = '=HYPERLINK("http://evil")'
    note(alice, "zebra, with a comma", formula, "＝1+2", "lion", "季度目标", version=3)
    text = exported(alice, "format=csv&action=block.edited")
    assert text.startswith("\ufeff")
    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))
    names = [row["object_name"] for row in rows]
    assert names == ["zebra, with a comma", f"'{formula}", "'＝1+2", "lion", "季度目标"]
    assert {row["actor_name"] for row in rows} == {"Alice"}
    assert json.loads(rows[0]["details"]) == {"version": 3}


def test_a_filter_that_means_nothing_exports_nothing(alice: Person) -> None:
    note(alice, "zebra facts")
    assert alice.browser.get(f"{log_of(alice)}export/?since=yesterday").status_code == 400
    assert "zebra" in exported(alice, "since=2001-01-01")


def test_it_is_exported_as_lines_of_json_and_that_is_recorded(alice: Person) -> None:
    note(alice, "zebra", "lion")
    lines = [json.loads(line) for line in exported(alice, "format=jsonl&text=zebra").splitlines()]
    assert [line["object_name"] for line in lines] == ["zebra"]
    with alice.scope():
        noted = AuditEvent.objects.get(action="audit.exported")
    assert noted.details["format"] == "jsonl"
    assert "exported the audit log" in page(alice, log_of(alice))


def test_an_export_is_whole_however_long(alice: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tenants.audit_export.CHUNK", 7)
    note(alice, *(f"fact {number}" for number in range(30)))
    lines = exported(alice, "format=jsonl&text=fact").splitlines()
    assert [json.loads(line)["object_name"] for line in lines] == [f"fact {number}" for number in range(30)]


def test_a_new_organisation_has_hardly_anything_in_it(alice: Person) -> None:
    assert "Nothing like this was recorded." in page(alice, f"{log_of(alice)}?action=turn.read")


def test_a_closed_workspace_stays_in_the_log(cast: Cast) -> None:
    with cast.alice.scope():
        services.close_workspace(workspace_id=cast.team)
    assert "closed a workspace" in page(cast.alice, log_of(cast.alice))


def test_an_auditor_has_a_start_and_a_navigation_of_their_own(cast: Cast) -> None:
    make(cast, "auditor")
    assert cast.bob.browser.get("/")["Location"].endswith("/audit/")
    text = page(cast.bob, log_of(cast.bob))
    navigation = text.split("</nav>")[0]
    assert "Audit log" in navigation
    for dead in ("settings/people/", "settings/models/", "workspaces/new/", f"/w/{cast.team}"):
        assert dead not in text
