"""Documents over the API: uploaded as a form, followed, got back as they were."""

from __future__ import annotations

import json
import uuid
from typing import Any

from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from memory.documents import pipeline
from memory.models import Document
from tests.api_calls import call, client, everything, get, post, problem
from tests.cast import Cast, Person
from tests.memory.documents.uploading import NOTES


class File:
    """An open file, as Django's encoder takes it."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name, self.data = name, data

    def read(self) -> bytes:
        return self.data


def archive_of(person: Person, **fields: Any) -> str:
    return str(post(person, "archives/", {"name": "Papers"} | fields)["id"])


def send(person: Person, archive: str, name: str = "garden.md", data: bytes = NOTES, **fields: Any) -> Any:
    form = encode_multipart(BOUNDARY, {"file": File(name, data)} | fields)
    return call(person, "POST", f"archives/{archive}/documents/", form, **{"Content-Type": MULTIPART_CONTENT})


def read(person: Person, document: str) -> None:
    with person.scope():
        row = Document.objects.get(id=document)
    pipeline.read(row.tenant_id, row.workspace_id, row.id)


def test_it_is_uploaded_read_and_found(alice: Person) -> None:
    archive = archive_of(alice)
    response = send(alice, archive, tags=["garden", "fair"])
    assert response.status_code == 201, response.content
    made = response.json()
    assert (made["status"], made["tags"], made["trust"]) == ("waiting", ["garden", "fair"], "untrusted")
    assert everything(alice, f"documents/{made['id']}/passages/") == []
    read(alice, made["id"])
    ready = get(alice, f"documents/{made['id']}/")
    assert (ready["status"], ready["done"], ready["fault"]) == ("ready", ready["total"], None)
    parts = everything(alice, f"documents/{made['id']}/passages/?limit=1")
    assert [each["place"] for each in parts] == list(range(ready["total"]))
    (hit,) = get(alice, "search/?q=zebra+boxes&limit=1")["results"]
    assert (hit["document"], hit["source"]["kind"]) == (made["id"], "document")
    assert hit["headings"][:1] == ["Garden"]


def test_the_file_comes_back_to_be_kept_and_not_shown(alice: Person) -> None:
    page = b"<!DOCTYPE html><html><body><script>alert(1)</script><p>Zebra.</p></body></html>"
    made = send(alice, archive_of(alice), 'a "page".html', page).json()
    response = call(alice, "GET", f"documents/{made['id']}/file/")
    assert response.content == page
    assert response.headers["Content-Disposition"].startswith("attachment; filename=")
    assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_the_same_bytes_are_known(alice: Person) -> None:
    archive = archive_of(alice)
    made = send(alice, archive).json()
    again = send(alice, archive, "another.md")
    assert (again.status_code, again.json()["id"], again.json()["known"]) == (200, made["id"], True)
    assert len(everything(alice, f"archives/{archive}/documents/")) == 1


def test_what_is_no_document_is_refused_with_what_to_do(alice: Person) -> None:
    archive = archive_of(alice)
    refused = problem(send(alice, archive, "empty.txt", b""), 422)
    assert refused["code"] == "empty"
    assert "upload it again" in refused["detail"]
    problem(send(alice, archive, "large.txt", b"x" * 20_200_000), 413)
    problem(call(alice, "POST", f"archives/{archive}/documents/", {"file": "text"}), 400)
    problem(send(alice, archive, other="field"), 400)
    broken = client().generic(
        "POST",
        f"/api/v1/archives/{archive}/documents/",
        b"no form at all",
        content_type=MULTIPART_CONTENT,
        headers={"Authorization": f"Bearer {alice.key}"},
    )
    problem(broken, 400)
    assert everything(alice, f"archives/{archive}/documents/") == []


def test_one_that_cannot_be_read_says_why_and_is_tried_again(alice: Person) -> None:
    made = send(alice, archive_of(alice), "x.pdf", b"%PDF-1.7\nnothing").json()
    read(alice, made["id"])
    failed = get(alice, f"documents/{made['id']}/")
    assert (failed["status"], failed["fault"]["code"]) == ("failed", "damaged")
    assert "upload" in failed["fault"]["text"]
    again = post(alice, f"documents/{made['id']}/retry/", None, 200)
    assert (again["id"], again["status"], again["fault"]) == (made["id"], "waiting", None)
    problem(call(alice, "POST", f"documents/{made['id']}/retry/"), 409)


def test_it_is_cancelled_deleted_and_brought_back(alice: Person) -> None:
    archive = archive_of(alice)
    made = send(alice, archive).json()
    assert post(alice, f"documents/{made['id']}/cancel/", None, 200)["status"] == "cancelled"
    post(alice, f"documents/{made['id']}/retry/", None, 200)
    read(alice, made["id"])
    assert call(alice, "DELETE", f"documents/{made['id']}/").status_code == 204
    assert everything(alice, f"archives/{archive}/documents/") == []
    assert get(alice, "search/?q=zebra+boxes&kind=passage")["results"] == []
    post(alice, f"documents/{made['id']}/return/", None, 200)
    assert get(alice, "search/?q=zebra+boxes&kind=passage")["results"]


def test_search_is_narrowed_to_documents_and_trust(alice: Person) -> None:
    archive = archive_of(alice)
    made = send(alice, archive).json()
    read(alice, made["id"])
    post(alice, f"archives/{archive}/passages/", {"content": "A zebra by hand."})
    by_document = get(alice, f"search/?q=zebra&document={made['id']}")["results"]
    assert {hit["document"] for hit in by_document} == {made["id"]}
    trusted = get(alice, "search/?q=zebra&min_trust=trusted")["results"]
    assert [hit["text"] for hit in trusted] == ["A zebra by hand."]
    problem(call(alice, "GET", f"search/?q=zebra&document={uuid.UUID(int=7)}"), 404)


def test_strangers_get_404(cast: Cast) -> None:
    archive = archive_of(cast.alice, workspace=str(cast.team))
    made = send(cast.alice, archive).json()
    for stranger in (cast.bob, cast.charlie):
        problem(send(stranger, archive), 404)
        for verb, path in (
            ("GET", ""),
            ("GET", "file/"),
            ("GET", "passages/"),
            ("DELETE", ""),
            ("POST", "cancel/"),
            ("POST", "retry/"),
            ("POST", "return/"),
        ):
            problem(call(stranger, verb, f"documents/{made['id']}/{path}"), 404)
    assert json.loads(call(cast.alice, "GET", f"documents/{made['id']}/").content)["status"] == "waiting"
