"""A document is claimed by a lease, fenced by the attempt; cancelled ones and deadly ones end."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from memory.documents import pipeline, services
from memory.documents.faults import UnreadableDocument
from memory.documents.services import DocumentBusy
from memory.models import Document, Passage
from tenants.permissions import NotAllowed
from tenants.scope import Identity, scope
from tests.cast import Cast, Person
from tests.memory.documents.uploading import found, fresh, new_archive, passages, read, upload, uploaded


def background(document: Document) -> Identity:
    return Identity(document.tenant_id, None, frozenset({document.workspace_id}))


def claim(document: Document) -> pipeline.Work | None:
    return pipeline.claim(background(document), document.id)


def leave_alone(person: Person, document: Document) -> None:
    """Its worker died a while ago."""
    with person.scope():
        Document.objects.filter(id=document.id).update(lease_until=timezone.now() - timedelta(seconds=1))


def left_alone(patience: str = "0 seconds") -> set[object]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT document FROM documents_left_alone(%s)", [patience])
        return {row[0] for row in cursor.fetchall()}


def test_only_one_has_it(alice: Person) -> None:
    document = upload(alice, new_archive(alice))
    assert claim(document) is not None
    assert claim(document) is None
    read(document)  # nothing to be had
    assert fresh(alice, document).status == "reading"


def test_one_that_was_left_alone_is_taken_up_and_filed_once(alice: Person) -> None:
    document = upload(alice, new_archive(alice))
    dead = claim(document)
    assert dead is not None
    reading = pipeline._read(dead)
    parts = pipeline.chunks(reading.pieces)
    with scope(dead.identity):
        pipeline._store(dead, parts, 0)
    leave_alone(alice, document)
    read(document)
    done = fresh(alice, document)
    assert (done.status, done.attempt) == ("ready", 2)
    assert len(passages(alice, document)) == len(parts) == done.total
    with pytest.raises(pipeline.Lost):
        pipeline._file(dead, reading)
    assert len(passages(alice, document)) == len(parts)


def test_a_file_that_kills_its_workers_fails_after_three(alice: Person) -> None:
    document = upload(alice, new_archive(alice))
    for _ in range(3):
        assert claim(document) is not None
        leave_alone(alice, document)
    assert claim(document) is None
    failed = fresh(alice, document)
    assert (failed.status, failed.fault) == ("failed", "crashed")
    assert document.id not in left_alone()
    with alice.scope():
        services.read_again(document.id)
    read(document)
    assert fresh(alice, document).status == "ready"


def make_old(person: Person, *documents: Document) -> None:
    """Older than what other tests have left."""
    with person.scope():
        Document.objects.filter(id__in=[document.id for document in documents]).update(
            created_at=timezone.now() - timedelta(days=3650)
        )


def test_the_sweep_finds_what_waits_and_what_was_left(cast: Cast) -> None:
    waiting, held = (upload(cast.alice, new_archive(cast.alice)) for _ in range(2))
    dead = upload(cast.charlie, new_archive(cast.charlie))
    make_old(cast.alice, waiting, held)
    make_old(cast.charlie, dead)
    for document in (dead, held):
        assert claim(document) is not None
    leave_alone(cast.charlie, dead)
    assert left_alone("2 seconds") >= {waiting.id, dead.id}
    assert held.id not in left_alone("2 seconds")


def test_nobody_waits_for_somebody_elses_many(cast: Cast) -> None:
    archive = new_archive(cast.alice)
    many = [upload(cast.alice, archive, f"paper {number}".encode(), f"{number}.txt") for number in range(25)]
    make_old(cast.alice, *many)
    last = upload(cast.charlie, new_archive(cast.charlie))
    make_old(cast.charlie, last)
    found = left_alone()
    assert last.id in found
    assert len(found & {document.id for document in many}) < 25


def test_a_cancelled_one_is_not_read_and_leaves_nothing(alice: Person) -> None:
    document = upload(alice, new_archive(alice))
    work = claim(document)
    assert work is not None
    reading = pipeline._read(work)
    with scope(work.identity):
        pipeline._store(work, pipeline.chunks(reading.pieces), 0)
    with alice.scope():
        cancelled = services.cancel(document.id)
        assert not Passage.objects.filter(document=document).exists()
    assert (cancelled.status, cancelled.fault) == ("cancelled", "cancelled")
    with pytest.raises(pipeline.Lost):
        pipeline._file(work, reading)
    assert found(alice, "zebra boxes") == []


def test_its_reader_is_told_to_stop(alice: Person) -> None:
    document = upload(alice, new_archive(alice))
    work = claim(document)
    assert work is not None
    pulse = pipeline._Pulse(work)
    assert pulse(1, 10)
    assert (fresh(alice, document).done, fresh(alice, document).total) == (1, 10)
    with alice.scope():
        services.cancel(document.id)
    pulse.told_at = 0
    assert not pulse(2, 10)
    with pytest.raises(UnreadableDocument) as stopped:
        pipeline.isolation.read_document(b"some text", "x.txt", on_progress=lambda *_: False)
    assert stopped.value.code == "cancelled"


def test_one_that_is_being_read_is_not_read_again(alice: Person) -> None:
    document = upload(alice, new_archive(alice))
    assert claim(document) is not None
    with alice.scope(), pytest.raises(DocumentBusy):
        services.read_again(document.id)


def test_cancelling_one_that_is_ready_changes_nothing(alice: Person) -> None:
    document = uploaded(alice, new_archive(alice))
    with alice.scope():
        assert services.cancel(document.id).status == "ready"
    assert found(alice, "zebra boxes")


@pytest.mark.parametrize(
    ("role", "whose", "may"),
    [
        ("viewer", "Alice", False),
        ("member", "Alice", False),
        ("member", "Bob", True),
        ("editor", "Alice", True),
    ],
)
def test_what_others_uploaded_is_for_editors(cast: Cast, role: str, whose: str, may: bool) -> None:
    archive = new_archive(cast.alice, cast.team)
    cast.let_bob_in(role)
    document = upload(cast.alice if whose == "Alice" else cast.bob, archive)
    for act in (services.cancel, services.retire_document, services.read_again):
        with cast.bob.scope():
            if may:
                act(document.id)
                continue
            with pytest.raises(NotAllowed):
                act(document.id)


def test_strangers_have_nothing_to_act_on(cast: Cast) -> None:
    document = upload(cast.alice, new_archive(cast.alice, cast.team))
    acts = (
        *(services.cancel, services.retire_document, services.read_again),
        *(services.file_of, services.text_of),
    )
    for stranger in (cast.bob, cast.charlie):
        for act in acts:
            with stranger.scope(), pytest.raises(Document.DoesNotExist):
                act(document.id)  # type: ignore[operator]
