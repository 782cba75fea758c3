"""What is taken in as a document, by whom, and what is refused at once."""

import pytest

from memory import archival
from memory.documents.faults import UnreadableDocument
from memory.models import Archive, Document
from tenants.models import AuditEvent
from tenants.permissions import NotAllowed
from tests.cast import Cast, Person
from tests.memory.documents.uploading import NOTES, fresh, new_archive, read, upload, uploaded


def test_it_waits_with_what_is_known_of_it(alice: Person) -> None:
    document = upload(alice, new_archive(alice), tags=["garden"])
    assert (document.status, document.kind, document.size) == ("waiting", "markdown", len(NOTES))
    assert (document.trust, document.version, document.tags) == (1, 1, ["garden"])
    with alice.scope():
        event = AuditEvent.objects.get(action="document.added", object_id=document.id)
    assert event.details == {"size": len(NOTES)}


@pytest.mark.parametrize(
    ("data", "name", "code"),
    [
        (b"", "empty.txt", "empty"),
        (b"x" * 20_000_001, "large.txt", "too_large"),
        (b"\x89PNG\r\n\x1a\n" + bytes(50), "picture.pdf", "picture"),
        (bytes(range(256)) * 20, "program.exe", "unknown_type"),
    ],
)
def test_what_is_no_document_is_refused_at_once(alice: Person, data: bytes, name: str, code: str) -> None:
    archive = new_archive(alice)
    with pytest.raises(UnreadableDocument) as refused:
        upload(alice, archive, data, name)
    assert refused.value.code == code
    with alice.scope():
        assert not Document.objects.filter(archive=archive).exists()


def test_the_same_bytes_are_there_once(alice: Person) -> None:
    archive = new_archive(alice)
    first = uploaded(alice, archive)
    again = upload(alice, archive, name="another name.md")
    assert (again.id, again.is_known, again.status) == (first.id, True, "ready")
    assert not upload(alice, new_archive(alice)).is_known


def test_the_same_bytes_are_read_again_where_that_failed(alice: Person) -> None:
    archive = new_archive(alice)
    first = upload(alice, archive)
    with alice.scope():
        Document.objects.filter(id=first.id).update(status="failed", fault="crashed", attempt=3)
    again = upload(alice, archive)
    assert (again.id, again.status, again.fault) == (first.id, "waiting", "")
    read(again)
    assert fresh(alice, again).status == "ready"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../etc/passwd.txt", "passwd.txt"),
        ("C:\\papers\\plan.txt", "plan.txt"),
        ("in\u202evoice\r\n.txt", "invoice.txt"),
        ("  ", "document"),
        ("长" * 300 + ".txt", "长" * 251 + ".txt"),
    ],
)
def test_a_name_is_a_name_and_no_path(alice: Person, given: str, kept: str) -> None:
    assert upload(alice, new_archive(alice), b"some text", given).name == kept


@pytest.mark.parametrize(("role", "may"), [("viewer", False), ("member", True)])
def test_members_upload(cast: Cast, role: str, may: bool) -> None:
    archive = new_archive(cast.alice, cast.team)
    cast.let_bob_in(role)
    if may:
        assert upload(cast.bob, archive).actor_id == cast.bob.user.id
        return
    with pytest.raises(NotAllowed):
        upload(cast.bob, archive)


def test_strangers_have_no_archive_to_upload_to(cast: Cast) -> None:
    archive = new_archive(cast.alice, cast.team)
    for stranger in (cast.bob, cast.charlie):
        with pytest.raises(Archive.DoesNotExist):
            upload(stranger, archive)


def test_a_deleted_archive_takes_nothing_in(alice: Person) -> None:
    archive = new_archive(alice)
    with alice.scope():
        archival.retire_archive(archive.id)
    with pytest.raises(Archive.DoesNotExist):
        upload(alice, archive)
