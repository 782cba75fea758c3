"""A document that was read: its passages, where they stand in it, and when they are found."""

from memory import archival, core
from memory.documents import pipeline, services
from memory.models import Derivation, Document, Source
from tests.cast import Cast, Person
from tests.memory.documents.making import pdf, said
from tests.memory.documents.uploading import (
    NOTES,
    found,
    fresh,
    new_archive,
    passages,
    read,
    upload,
    uploaded,
)

LONG = "\n\n".join(
    f"# Part {number}\n\n" + f"Sentence {number} of the almanac. " * 60 for number in range(450)
)


def test_it_is_found_with_its_place_in_the_document(alice: Person) -> None:
    document = uploaded(alice, new_archive(alice))
    assert (document.status, document.done, document.total) == ("ready", document.total, document.total)
    (passage,) = [each for each in passages(alice, document) if "zebra" in each.content]
    with alice.scope():
        text = services.text_of(document.id)
        source = Source.objects.get(id=passage.source_id)
        assert Derivation.objects.filter(parent_id=document.id, child_id=passage.id).exists()
    assert text[passage.start : passage.end] == passage.content
    assert passage.headings[:1] == ["Garden"]
    assert (source.kind, source.reference, source.title) == ("document", str(document.id), "garden.md")
    assert any("zebra" in text for text in found(alice, "zebra boxes"))


def test_its_text_is_not_trusted(alice: Person) -> None:
    document = uploaded(alice, new_archive(alice))
    assert {passage.trust for passage in passages(alice, document)} == {1}
    assert found(alice, "zebra boxes", min_trust=2) == []


def test_what_somebody_files_in_its_words_is_another_passage(alice: Person) -> None:
    archive = new_archive(alice)
    document = uploaded(alice, archive, b"The ibis eats rice.", "zoo.txt")
    with alice.scope():
        by_hand = archival.insert_passage(archive, content="The ibis eats rice.", actor=core.by_me())
        services.retire_document(document.id)
    assert (by_hand.is_known, by_hand.trust) == (False, 3)
    assert found(alice, "ibis") == ["The ibis eats rice."]


def test_it_tells_how_many_pages_hold_no_text(alice: Person) -> None:
    data = pdf(lambda document: (said(document, "The ibis eats rice. " * 20), document.add_page()))
    document = uploaded(alice, new_archive(alice), data, "zoo.pdf")
    assert (document.status, document.pages, document.fault_facts) == ("ready", 2, {"empty_pages": 1})
    assert {(each.page, each.page_to) for each in passages(alice, document)} == {(1, 1)}


def test_its_passages_carry_its_tags(alice: Person) -> None:
    document = upload(alice, new_archive(alice), tags=["garden"])
    read(document)
    assert {tuple(passage.tags) for passage in passages(alice, document)} == {("garden",)}


def test_a_long_one_is_filed_in_batches_and_shown_all_at_once(alice: Person, monkeypatch: object) -> None:
    document = upload(alice, new_archive(alice), LONG.encode(), "almanac.md")
    seen: list[tuple[int, list[str]]] = []
    before = pipeline._store

    def looked_at(work: object, parts: object, start: int) -> None:
        before(work, parts, start)  # type: ignore[arg-type]
        seen.append((start, found(alice, "almanac")))

    monkeypatch.setattr(pipeline, "_store", looked_at)  # type: ignore[attr-defined]
    read(document)
    assert [start for start, _ in seen] == list(range(0, fresh(alice, document).total, pipeline.BATCH))
    assert len(seen) > 1
    assert all(hits == [] for _, hits in seen)
    assert found(alice, "almanac")
    places = [passage.place for passage in passages(alice, document)]
    assert places == list(range(len(places)))


def test_others_find_nothing_of_it(cast: Cast) -> None:
    uploaded(cast.alice, new_archive(cast.alice, cast.team))
    assert found(cast.alice, "zebra boxes")
    assert found(cast.bob, "zebra boxes") == []
    assert found(cast.charlie, "zebra boxes") == []


def test_one_that_cannot_be_read_says_why_and_can_be_tried_again(alice: Person) -> None:
    document = uploaded(alice, new_archive(alice), b"%PDF-1.7\nnot really", "broken.pdf")
    assert (document.status, document.fault, document.lease_until) == ("failed", "damaged", None)
    assert passages(alice, document) == []
    with alice.scope():
        again = services.read_again(document.id)
    assert (again.id, again.status, again.fault) == (document.id, "waiting", "")


def test_the_file_is_kept_byte_for_byte(alice: Person) -> None:
    document = uploaded(alice, new_archive(alice))
    with alice.scope():
        assert services.file_of(document.id) == ("garden.md", "text/markdown", NOTES)


def test_a_deleted_document_is_not_found_and_comes_back(alice: Person) -> None:
    archive = new_archive(alice)
    document = uploaded(alice, archive)
    other = uploaded(alice, archive, b"Another paper about zebra stripes.", "other.txt")
    with alice.scope():
        services.retire_document(document.id)
    assert found(alice, "zebra") == ["Another paper about zebra stripes."]
    with alice.scope():
        services.retire_document(document.id, retired=False)
        assert Document.objects.get(id=other.id).retired_at is None
    assert len(found(alice, "zebra")) == 2
