"""Documents: uploaded with or without script, told of step by step, shown in parts, offered as files."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from fpdf import FPDF

from memory.documents import pipeline
from memory.models import Document
from tests.cast import Cast, Person
from tests.memory.documents.making import pdf, said
from tests.memory.web.filed import home, new_archive, upload
from tests.memory.web.pages import FRAGMENT, queries_of

MARKDOWN = "# Roof\n\nThe roof leaks.\n\n## Repair\n\nCall Bo in May.\n"
AS_SCRIPT = {"Accept": "application/json"}


def send(person: Person, *files: tuple[str, bytes], to: str = "documents/", **options: Any) -> Any:
    given = [SimpleUploadedFile(name, data) for name, data in files]
    return person.browser.post(home(person, to), {"files": given} | options.pop("fields", {}), **options)


def newest(person: Person) -> Document:
    with person.scope():
        return Document.objects.order_by("-id")[0]


def read(document: Document) -> None:
    """Do the worker's work here and now."""
    pipeline.read(document.tenant_id, document.workspace_id, document.id)


def page_of(person: Person, document: Document, rest: str = "") -> str:
    return person.browser.get(home(person, f"documents/{document.id}/{rest}")).content.decode()


def test_several_files_are_uploaded_by_a_plain_form(alice: Person) -> None:
    new_archive(alice)
    answer = send(alice, ("roof.md", MARKDOWN.encode()), ("plan.txt", b"Ship in May."), follow=True)
    page = answer.content.decode()
    assert "2 files are being read." in page
    assert "roof.md" in page
    assert "plan.txt" in page
    assert "waiting to be read" in page
    assert "every 1500ms" in page


def test_one_bad_file_keeps_no_other_out_and_says_what_to_do(alice: Person) -> None:
    new_archive(alice)
    page = send(alice, ("empty.txt", b""), ("plan.txt", b"Ship in May."), follow=True).content.decode()
    assert "empty.txt: The file is empty." in page
    assert "1 file is being read." in page
    with alice.scope():
        assert [each.name for each in Document.objects.all()] == ["plan.txt"]


def test_a_script_is_told_what_became_of_its_file(alice: Person) -> None:
    new_archive(alice)
    answer = send(alice, ("roof.md", MARKDOWN.encode()), headers=AS_SCRIPT)
    assert answer.status_code == 201
    assert answer.json()["id"] == str(newest(alice).id)
    answer = send(alice, ("a.zip", b"PK\x03\x04" + b"0" * 100), headers=AS_SCRIPT)
    assert answer.status_code == 422
    assert answer.json()["fault"].startswith("a.zip: ")
    again = send(alice, ("other-name.md", MARKDOWN.encode()), headers=AS_SCRIPT)
    assert again.json()["known"] == "This file is in the archive already."


def test_the_first_document_makes_an_archive(alice: Person) -> None:
    send(alice, ("roof.md", MARKDOWN.encode()))
    with alice.scope():
        assert Document.objects.select_related("archive").get().archive.name == "Documents"


@pytest.mark.parametrize(
    ("status", "done", "total", "said"),
    [
        ("waiting", 0, 0, "waiting to be read"),
        ("reading", 2, 120, "reading page 3 of 120"),
        ("reading", 120, 120, "reading page 120 of 120"),
        ("filing", 40, 300, "filing 40 of 300"),
    ],
)
def test_each_step_is_told(alice: Person, status: str, done: int, total: int, said: str) -> None:
    document = upload(alice, new_archive(alice), "roof.md", MARKDOWN)
    with alice.scope():
        Document.objects.filter(id=document.id).update(status=status, done=done, total=total)
    for rest in ("", "state/"):
        assert said in page_of(alice, document, rest)
    assert said in alice.browser.get(home(alice, "documents/")).content.decode()


def test_a_document_that_is_read_shows_its_parts_and_asks_no_more(alice: Person) -> None:
    document = upload(alice, new_archive(alice), "roof.md", MARKDOWN)
    assert "every 1500ms" in page_of(alice, document)
    read(document)
    page = page_of(alice, document)
    assert "every 1500ms" not in page
    assert "<span>Roof</span>" in page
    assert "Call Bo in May." in page
    (place,) = re.findall(r'text/\?at=(\d+)&amp;to=\d+">characters', page)[-1:]
    assert "Call Bo in May." in page_of(alice, document, f"text/?at={place}")
    assert "every 1500ms" not in alice.browser.get(home(alice, "documents/")).content.decode()
    found = alice.browser.get(home(alice, "archive/?q=leaks&by=document")).content.decode()
    assert f"/documents/{document.id}/?at=0#part-0" in found


def test_what_could_not_be_read_says_what_to_do_and_is_tried_again(alice: Person) -> None:
    document = upload(alice, new_archive(alice), "roof.md", MARKDOWN)
    with alice.scope():
        Document.objects.filter(id=document.id).update(status="failed", fault="encrypted")
    page = page_of(alice, document)
    assert "protected by a password" in page
    alice.browser.post(home(alice, f"documents/{document.id}/retry/"))
    assert newest(alice).status == "waiting"


def test_reading_is_cancelled(alice: Person) -> None:
    document = upload(alice, new_archive(alice), "roof.md", MARKDOWN)
    page = alice.browser.post(home(alice, f"documents/{document.id}/cancel/"), follow=True).content.decode()
    assert newest(alice).status == "cancelled"
    assert "Read again" in page
    assert "every 1500ms" not in page


def test_the_original_is_kept_and_never_shown(alice: Person) -> None:
    evil = b"<html><script>alert(1)</script><p>Hello.</p></html>"
    document = upload(alice, new_archive(alice), '周报 "1".html', evil)
    answer = alice.browser.get(home(alice, f"documents/{document.id}/file/"))
    assert answer.content == evil
    assert answer.headers["Content-Disposition"].startswith("attachment; filename*=utf-8''")
    assert answer.headers["Content-Type"] == "application/octet-stream"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in answer.headers["Content-Security-Policy"]
    assert "no-store" in answer.headers["Cache-Control"]


def test_a_newer_version_takes_its_place(alice: Person) -> None:
    document = upload(alice, new_archive(alice), "roof.md", MARKDOWN)
    read(document)
    path = f"documents/{document.id}/replace/"
    said = send(alice, ("other.md", MARKDOWN.encode()), to=path, follow=True).content.decode()
    assert "This is the same file: nothing changed." in said
    send(alice, ("other.md", MARKDOWN.replace("May", "June").encode()), to=path)
    newer = newest(alice)
    assert (newer.name, newer.version) == ("roof.md", 2)
    assert "until it is read, this one is found" in page_of(alice, document)
    read(newer)
    assert "A newer version has taken the place of this one." in page_of(alice, document)
    assert "June" in page_of(alice, newer)
    listed = alice.browser.get(home(alice, "documents/")).content.decode()
    assert str(newer.id) in listed
    assert str(document.id) not in listed


def test_it_is_deleted_and_comes_back(alice: Person) -> None:
    document = upload(alice, new_archive(alice), "roof.md", MARKDOWN)
    read(document)
    found = home(alice, "archive/?q=leaks")
    assert "<mark>leaks</mark>" in alice.browser.get(found).content.decode()
    alice.browser.post(home(alice, f"documents/{document.id}/delete/"))
    assert "<mark>leaks</mark>" not in alice.browser.get(found).content.decode()
    assert "roof.md" in alice.browser.get(home(alice, "documents/?status=deleted")).content.decode()
    alice.browser.post(home(alice, f"documents/{document.id}/return/"))
    assert "<mark>leaks</mark>" in alice.browser.get(found).content.decode()


def test_the_version_before_a_deleted_one_is_offered_and_used_again(alice: Person) -> None:
    archive = new_archive(alice)
    first, second = (upload(alice, archive, "roof.md", f"{MARKDOWN}{more}") for more in ("", "\nTwice.\n"))
    for each in (first, second):
        read(each)
    found = home(alice, "archive/?q=leaks")
    assert "Use this version again" not in page_of(alice, first)
    delete = home(alice, f"documents/{second.id}/delete/")
    listed = alice.browser.post(delete, follow=True).content.decode()
    (address,) = re.findall(r'<a href="([^"]*)">Version 1 can be used again.', listed)
    assert "replaced, not in use" in listed
    assert "<mark>leaks</mark>" not in alice.browser.get(found).content.decode()
    page = alice.browser.get(address).content.decode()
    assert "What had taken the place of this version is deleted" in page
    assert "Use this version again" in page
    (use,) = re.findall(r'action="([^"]*/return/)"', page)
    alice.browser.post(use)
    assert "<mark>leaks</mark>" in alice.browser.get(found).content.decode()
    assert "not in use" not in alice.browser.get(home(alice, "documents/")).content.decode()


def test_members_add_and_viewers_read(cast: Cast) -> None:
    archive = new_archive(cast.alice, workspace_id=cast.team)
    document = upload(cast.alice, archive, "roof.md", MARKDOWN)
    cast.let_bob_in("viewer")
    path = f"/w/{cast.team}/documents/"
    assert 'type="file"' not in cast.bob.browser.get(path).content.decode()
    given = {"files": SimpleUploadedFile("plan.txt", b"Ship.")}
    assert cast.bob.browser.post(path, given).status_code == 403
    page = cast.bob.browser.get(f"{path}{document.id}/").content.decode()
    assert "roof.md" in page
    assert "Upload a newer version" not in page
    assert cast.bob.browser.post(f"{path}{document.id}/delete/").status_code == 403


def test_the_list_without_script_is_a_page(alice: Person) -> None:
    upload(alice, new_archive(alice), "roof.md", MARKDOWN)
    path = home(alice, "documents/?q=roof")
    assert "<html" in alice.browser.get(path).content.decode()
    part = alice.browser.get(path, headers=FRAGMENT).content.decode()
    assert "<html" not in part
    assert "roof.md" in part
    assert (
        "No document is like this." in alice.browser.get(home(alice, "documents/?q=zebra")).content.decode()
    )


def test_fifty_documents_take_no_more_queries_than_five(alice: Person) -> None:
    archive = new_archive(alice)
    for number in range(5):
        upload(alice, archive, f"{number}.txt", f"Note {number}.")
    few = queries_of(alice, home(alice, "documents/"))
    for number in range(5, 50):
        upload(alice, archive, f"{number}.txt", f"Note {number}.")
    assert queries_of(alice, home(alice, "documents/")) == few


def test_a_file_that_is_there_already_is_named_with_a_link(alice: Person) -> None:
    document = upload(alice, new_archive(alice), "roof.md", MARKDOWN)
    given = ("other.md", MARKDOWN.encode()), ("plan.txt", b"Ship in May.")
    page = send(alice, *given, follow=True).content.decode()
    link = f'<a href="/w/{alice.personal}/documents/{document.id}/">roof.md</a>'
    assert f"{link}: This file is in the archive already." in page
    assert "1 file is being read." in page


def test_a_name_of_markup_is_text_where_the_file_is_known(alice: Person) -> None:
    upload(alice, new_archive(alice), "<b>x<b>.md", MARKDOWN)
    page = send(alice, ("other.md", MARKDOWN.encode()), follow=True).content.decode()
    assert "&lt;b&gt;x&lt;b&gt;.md</a>: This file is in the archive already." in page


def test_a_newer_version_that_is_another_document_is_said_to_be_there(alice: Person) -> None:
    archive = new_archive(alice)
    document, other = (upload(alice, archive, name, name) for name in ("roof.txt", "wall.txt"))
    page = send(alice, ("roof.txt", b"wall.txt"), to=f"documents/{document.id}/replace/", follow=True)
    said = f'<a href="/w/{alice.personal}/documents/{other.id}/">wall.txt</a>: This file is in the archive'
    assert said in page.content.decode()


def test_what_is_cancelled_in_the_list_leads_back_to_the_list(alice: Person) -> None:
    document = upload(alice, new_archive(alice), "roof.md", MARKDOWN)
    listed = alice.browser.get(home(alice, "documents/?q=roof")).content.decode()
    assert '<input type="hidden" name="list" value="q=roof">' in listed
    address = home(alice, f"documents/{document.id}/cancel/")
    answer = alice.browser.post(address, {"list": "q=roof\r\nX: 1"})
    assert "/documents/?q=roof%0D" in answer.headers["Location"]
    answer = alice.browser.post(home(alice, f"documents/{document.id}/retry/"), {"list": ""})
    assert answer.headers["Location"].endswith("/documents/")
    assert newest(alice).status == "waiting"
    assert 'name="list"' not in page_of(alice, document)
    assert alice.browser.post(address).headers["Location"].endswith(f"/documents/{document.id}/")


@pytest.mark.parametrize(
    ("fault", "helps"), [("encrypted", False), ("scanned", False), ("damaged", False), ("crashed", True)]
)
def test_reading_again_is_offered_where_it_may_help(alice: Person, fault: str, helps: bool) -> None:
    document = upload(alice, new_archive(alice), "roof.md", MARKDOWN)
    with alice.scope():
        Document.objects.filter(id=document.id).update(status="failed", fault=fault)
    for page in (page_of(alice, document), alice.browser.get(home(alice, "documents/")).content.decode()):
        assert ("Read again" in page) is helps


def test_pages_without_text_are_told(alice: Person) -> None:
    def draw(sheet: FPDF) -> None:
        said(sheet, "The roof leaks, and it is repaired in May.")
        sheet.add_page()
        sheet.add_page()
        said(sheet, "The door is turquoise, and it is painted in June.")

    document = upload(alice, new_archive(alice), "book.pdf", pdf(draw))
    read(document)
    page = page_of(alice, document)
    assert "3 pages" in page
    assert "1 page holds no text, so nothing on it is found." in page
