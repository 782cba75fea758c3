"""A real worker is killed while it files a document: the next one does it anew; nothing is filed twice."""

from memory.documents.services import document_queued
from memory.models import Document, Passage
from memory.tasks import enqueue_document
from tests.agents.mortal import MortalSite, until
from tests.cast import Person
from tests.memory.documents.uploading import found, fresh, new_archive, passages, upload

QUICK = {"MEMSITE_DOCUMENT_LEASE": "4", "MEMSITE_SWEEP": "1"}
ALMANAC = "\n\n".join(
    f"# Part {number}\n\n" + f"Sentence {number} of the almanac, which tells of a zebra. " * 25
    for number in range(1_600)
)


def test_it_is_taken_up_and_filed_once(alice: Person) -> None:
    archive = new_archive(alice)
    with MortalSite(**QUICK) as site:
        document = upload(alice, archive, ALMANAC.encode(), "almanac.md")
        until(lambda: _is_half_filed(alice, document), 120)
        site.kill_worker()
        until(lambda: fresh(alice, document).status == Document.Status.READY, 180)
        assert site.deaths == 1
    ready = fresh(alice, document)
    assert ready.attempt == 2
    places = [passage.place for passage in passages(alice, document)]
    assert places == list(range(ready.total))
    assert found(alice, "almanac")


def test_what_the_broker_lost_is_found_by_the_sweep(alice: Person) -> None:
    """The test process publishes nothing: only the sweep can have found it."""
    assert enqueue_document not in [receiver for _, receiver, *_ in document_queued.receivers]
    with MortalSite(**QUICK):
        document = upload(alice, new_archive(alice))
        until(lambda: fresh(alice, document).status == Document.Status.READY, 60)
    assert found(alice, "zebra boxes")


def _is_half_filed(person: Person, document: Document) -> bool:
    now = fresh(person, document)
    with person.scope():
        filed = Passage.objects.filter(document=document).count()
    return now.status == Document.Status.FILING and 0 < filed < now.total
