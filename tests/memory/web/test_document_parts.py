"""The parts of a document on its page: each once, as it reads now, with what became of it."""

from __future__ import annotations

import re

from memory import archival
from memory.documents import pipeline
from memory.models import Document, Passage
from tests.cast import Person
from tests.memory.web.filed import correct, home, new_archive, upload

MARKDOWN = "# Roof\n\nThe roof leaks.\n\n## Repair\n\nCall Bo in May.\n"


def read(document: Document) -> None:
    """Do the worker's work here and now."""
    pipeline.read(document.tenant_id, document.workspace_id, document.id)


def page_of(person: Person, document: Document) -> str:
    return person.browser.get(home(person, f"documents/{document.id}/")).content.decode()


def test_a_part_that_was_corrected_is_counted_and_shown_once(alice: Person) -> None:
    document = upload(alice, new_archive(alice), "roof.md", MARKDOWN)
    read(document)
    parts = re.findall(r'<li id="(part-\d+)"', page_of(alice, document))
    with alice.scope():
        (first,) = Passage.objects.filter(document=document, place=0)
    correct(alice, first, "The roof leaks no more.")
    page = page_of(alice, document)
    assert re.findall(r'<li id="(part-\d+)"', page) == parts
    assert f"<h2>{len(parts)} passage" in page
    assert "The roof leaks no more." in page
    assert "The roof leaks." not in page
    assert "<span>v2</span>" in page
    assert "no longer current" not in page
    assert f"<span>{len(parts)} passage" in alice.browser.get(home(alice, "documents/")).content.decode()


def test_a_deleted_part_is_called_deleted_and_counted_apart(alice: Person) -> None:
    document = upload(alice, new_archive(alice), "plan.txt", "\n\n".join(["Ship it in May. " * 60] * 5))
    read(document)
    before = page_of(alice, document)
    count = before.count('<li id="part-')
    assert f"<h2>{count} passages</h2>" in before
    assert "deleted passage" not in before
    with alice.scope():
        archival.retire_passages([Passage.objects.get(document=document, place=1).id])
    page = page_of(alice, document)
    assert f"<h2>{count - 1} passage" in page
    assert "1 deleted passage</p>" in page
    (part,) = re.findall(r'<li id="part-1".*?</li>', page, re.S)
    assert '<span class="tag error">deleted</span>' in part
    assert "no longer current" not in page


def test_the_parts_of_a_replaced_document_are_no_longer_current(alice: Person) -> None:
    archive = new_archive(alice)
    first, second = (upload(alice, archive, "roof.md", f"{MARKDOWN}{more}") for more in ("", "\nTwice.\n"))
    read(first)
    assert "no longer current" not in page_of(alice, first)
    read(second)
    page = page_of(alice, first)
    assert "no longer current" in page
    assert ">deleted</span>" not in page
    assert re.search(r"<h2>[1-9] passages?</h2>", page)
