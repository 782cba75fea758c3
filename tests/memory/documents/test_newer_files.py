"""Another file of the same name takes the place of the one that is there, once it is ready."""

from memory import archival, core
from memory.documents import services
from tests.cast import Cast, Person
from tests.memory.documents.uploading import found, fresh, new_archive, passages, read, upload, uploaded

MAY, JUNE = b"The zebra fair is in May.", b"The zebra fair is in June."


def test_there_is_never_neither_and_never_both(alice: Person) -> None:
    archive = new_archive(alice)
    first = uploaded(alice, archive, MAY, "fair.txt")
    second = upload(alice, archive, JUNE, "fair.txt")
    assert (second.version, second.supersedes_id) == (2, first.id)
    assert found(alice, "zebra") == [MAY.decode()]
    read(second)
    assert found(alice, "zebra") == [JUNE.decode()]
    assert found(alice, "zebra", states=["superseded"]) == [MAY.decode()]
    assert all(passage.valid_to for passage in passages(alice, first))


def test_one_that_cannot_be_read_takes_nobodys_place(alice: Person) -> None:
    archive = new_archive(alice)
    uploaded(alice, archive, MAY, "fair.pdf")
    broken = uploaded(alice, archive, b"%PDF-1.7\nnot really", "fair.pdf")
    assert (broken.status, broken.version) == ("failed", 2)
    assert found(alice, "zebra") == [MAY.decode()]


def test_the_newest_stands_in_whichever_order_they_are_read(alice: Person) -> None:
    archive = new_archive(alice)
    first, second = (upload(alice, archive, data, "fair.txt") for data in (MAY, JUNE))
    read(second)
    read(first)
    assert found(alice, "zebra") == [JUNE.decode()]


def test_a_file_of_another_name_or_archive_takes_nobodys_place(alice: Person) -> None:
    uploaded(alice, new_archive(alice), MAY, "fair.txt")
    archive = new_archive(alice)
    uploaded(alice, archive, JUNE, "fair.txt")
    uploaded(alice, archive, b"A zebra paper.", "zebra.txt")
    assert len(found(alice, "zebra")) == 3


def test_an_old_file_that_is_uploaded_again_is_the_newest(alice: Person) -> None:
    archive = new_archive(alice)
    for data in (MAY, JUNE, MAY):
        last = uploaded(alice, archive, data, "fair.txt")
    assert last.version == 3
    assert found(alice, "zebra") == [MAY.decode()]


def test_one_that_is_ready_is_read_anew_by_a_successor(alice: Person) -> None:
    archive = new_archive(alice)
    first = uploaded(alice, archive, MAY, "fair.txt")
    with alice.scope():
        second = services.read_again(first.id)
    assert (second.id == first.id, second.version, second.digest) == (False, 2, first.digest)
    assert found(alice, "zebra") == [MAY.decode()]
    read(second)
    assert found(alice, "zebra") == [MAY.decode()]
    assert {fresh(alice, each).status for each in (first, second)} == {"ready"}


def test_a_correction_of_a_part_goes_with_its_document(alice: Person) -> None:
    archive = new_archive(alice)
    (passage,) = passages(alice, uploaded(alice, archive, MAY, "fair.txt"))
    with alice.scope():
        archival.correct_passage(
            passage.id, "The zebra fair is on 4 May.", actor=core.by_me(), expected_version=1
        )
    assert found(alice, "zebra") == ["The zebra fair is on 4 May."]
    uploaded(alice, archive, JUNE, "fair.txt")
    assert found(alice, "zebra") == [JUNE.decode()]


def test_a_deleted_one_that_comes_back_takes_its_place_again(alice: Person) -> None:
    archive = new_archive(alice)
    uploaded(alice, archive, MAY, "fair.txt")
    second = upload(alice, archive, JUNE, "fair.txt")
    with alice.scope():
        services.retire_document(second.id)
    read(second)
    assert found(alice, "zebra") == [MAY.decode()]
    with alice.scope():
        services.retire_document(second.id, retired=False)
    assert found(alice, "zebra") == [JUNE.decode()]


def test_bytes_that_were_replaced_by_a_deleted_file_are_read_anew(alice: Person) -> None:
    archive = new_archive(alice)
    first = uploaded(alice, archive, MAY, "fair.txt")
    second = uploaded(alice, archive, JUNE, "fair.txt")
    with alice.scope():
        services.retire_document(second.id)
    again = upload(alice, archive, MAY, "fair.txt")
    assert (again.is_known, again.id == first.id, again.version) == (False, False, 3)
    read(again)
    assert found(alice, "zebra") == [MAY.decode()]


def test_reading_one_anew_twice_makes_one_successor(alice: Person) -> None:
    first = uploaded(alice, new_archive(alice), MAY, "fair.txt")
    with alice.scope():
        second, third = services.read_again(first.id), services.read_again(first.id)
    assert second.id == third.id
    read(second)
    assert found(alice, "zebra") == [MAY.decode()]


def test_reading_an_old_one_anew_makes_it_the_newest(alice: Person) -> None:
    archive = new_archive(alice)
    first = uploaded(alice, archive, MAY, "fair.txt")
    uploaded(alice, archive, JUNE, "fair.txt")
    with alice.scope():
        third = services.read_again(first.id)
    assert third.version == 3
    read(third)
    assert found(alice, "zebra") == [MAY.decode()]


def test_a_member_ends_nobody_elses_document(cast: Cast) -> None:
    archive = new_archive(cast.alice, cast.team)
    uploaded(cast.alice, archive, MAY, "fair.txt")
    cast.let_bob_in("member")
    his = uploaded(cast.bob, archive, JUNE, "fair.txt")
    assert (his.name, his.version) == ("fair (2).txt", 1)
    assert set(found(cast.alice, "zebra")) == {MAY.decode(), JUNE.decode()}
    newer = uploaded(cast.bob, archive, b"The zebra fair is in July.", "fair (2).txt")
    assert (newer.name, newer.version) == ("fair (2).txt", 2)
    hers = uploaded(cast.alice, archive, b"No zebra fair.", "fair.txt")
    assert (hers.name, hers.version) == ("fair.txt", 2)
    assert set(found(cast.alice, "zebra")) == {"The zebra fair is in July.", "No zebra fair."}


def test_the_version_before_a_deleted_one_stands_again_when_it_is_asked_for(alice: Person) -> None:
    archive = new_archive(alice)
    first = uploaded(alice, archive, MAY, "fair.txt")
    second = uploaded(alice, archive, JUNE, "fair.txt")
    with alice.scope():
        services.retire_document(second.id)
    assert found(alice, "zebra") == []
    with alice.scope():
        services.retire_document(first.id, retired=False)
    assert found(alice, "zebra") == [MAY.decode()]
    with alice.scope():
        services.retire_document(second.id, retired=False)
    assert found(alice, "zebra") == [JUNE.decode()]
    assert found(alice, "zebra", states=["superseded"]) == [MAY.decode()]


def test_a_version_does_not_stand_again_beside_a_newer_one(alice: Person) -> None:
    archive = new_archive(alice)
    first = uploaded(alice, archive, MAY, "fair.txt")
    uploaded(alice, archive, JUNE, "fair.txt")
    with alice.scope():
        services.retire_document(first.id, retired=False)
        services.retire_document(first.id)
        services.retire_document(first.id, retired=False)
    assert found(alice, "zebra") == [JUNE.decode()]


def test_a_version_that_stands_again_has_its_corrections(alice: Person) -> None:
    archive = new_archive(alice)
    first = uploaded(alice, archive, MAY, "fair.txt")
    (passage,) = passages(alice, first)
    with alice.scope():
        archival.correct_passage(
            passage.id, "The zebra fair is on 4 May.", actor=core.by_me(), expected_version=1
        )
    second = uploaded(alice, archive, JUNE, "fair.txt")
    with alice.scope():
        services.retire_document(second.id)
        services.retire_document(first.id, retired=False)
    assert found(alice, "zebra") == ["The zebra fair is on 4 May."]
    assert found(alice, "zebra", states=["superseded"]) == [MAY.decode()]
