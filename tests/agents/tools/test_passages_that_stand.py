"""What a document said is neither read, nor counted, nor called current once the document is gone."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from agents import archives
from memory import archival, core
from memory.documents import services
from memory.models import Document, Passage
from tests.agents.tools.calling import Tools
from tests.api_calls import get
from tests.memory.documents.uploading import new_archive, passages, uploaded

SAID = "The axolotl code is 4711-AX."


@pytest.fixture
def document(tools: Tools) -> Document:
    made = uploaded(tools.person, new_archive(tools.person), SAID.encode(), "gone.txt")
    with tools.person.scope():
        archives.attach(tools.agent.id, made.archive_id)
    return made


def stands(tools: Tools, passage_id: uuid.UUID) -> tuple[bool, int, int, bool]:
    """Whether an agent reads a passage, how many it and its page count, and what the API calls it."""
    answer = tools.call("message_read", id=str(passage_id))
    with tools.person.scope():
        count = archives.passage_count(tools.agent)
    page = tools.person.browser.get(f"/w/{tools.person.personal}/agents/{tools.agent.id}/equipment/")
    (row,) = (each for each in page.context["archives"] if each.archive.name == "papers")
    shown = get(tools.person, f"passages/{passage_id}/")
    return answer.get("content") == SAID, count, row.passage_count, shown["is_current"]


STANDS, GONE = (True, 1, 1, True), (False, 0, 0, False)


def test_a_deleted_document_and_one_that_is_back(tools: Tools, document: Document) -> None:
    (part,) = passages(tools.person, document)
    assert stands(tools, part.id) == STANDS
    with tools.person.scope():
        services.retire_document(document.id)
    assert stands(tools, part.id) == GONE
    with tools.person.scope():
        services.retire_document(document.id, retired=False)
    assert stands(tools, part.id) == STANDS


@pytest.mark.parametrize("status", [each for each in Document.Status.values if each != "ready"])
def test_a_document_that_is_not_ready(tools: Tools, document: Document, status: str) -> None:
    (part,) = passages(tools.person, document)
    assert stands(tools, part.id) == STANDS
    with tools.person.scope():
        Document.objects.filter(id=document.id).update(status=status)
    assert stands(tools, part.id) == GONE


def test_a_document_that_was_replaced_is_read_as_no_longer_true(tools: Tools, document: Document) -> None:
    (part,) = passages(tools.person, document)
    assert stands(tools, part.id) == STANDS
    assert "no_longer_true_since" not in tools.call("message_read", id=str(part.id))
    with tools.person.scope():
        archive = Document.objects.select_related("archive").get(id=document.id).archive
    uploaded(tools.person, archive, b"The axolotl code is 5822-BX.", "gone.txt")
    assert stands(tools, part.id) == (True, 1, 1, False)
    (hit,) = (
        each
        for each in tools.call("archival_memory_search", query="axolotl code", history=True)["results"]
        if each["id"] == str(part.id)
    )
    read = tools.call("message_read", id=hit["id"])
    assert (read["content"], read["no_longer_true_since"]) == (SAID, hit["no_longer_true_since"])
    with tools.person.scope():
        services.retire_document(document.id)
    assert stands(tools, part.id) == (False, 1, 1, False)


def test_the_parts_beside_one_that_was_replaced_are_those_that_went_with_it(tools: Tools) -> None:
    long = "\n\n".join(f"# Part {n}\n\n" + f"Word {n} of the ferry. " * 120 for n in range(2))
    archive = new_archive(tools.person)
    old = uploaded(tools.person, archive, long.encode(), "long.md")
    with tools.person.scope():
        archives.attach(tools.agent.id, archive.id)
    uploaded(tools.person, archive, b"Short now.", "long.md")
    first, second, *_ = passages(tools.person, old)
    assert tools.call("message_read", id=str(first.id))["next"] == str(second.id)


def test_a_passage_whose_time_is_over(tools: Tools, document: Document) -> None:
    (part,) = passages(tools.person, document)
    assert stands(tools, part.id) == STANDS
    with tools.person.scope():
        Passage.objects.filter(id=part.id).update(expires_at=timezone.now() - timedelta(days=1))
    assert stands(tools, part.id) == GONE


def test_the_next_part_is_not_named_where_it_was_deleted(tools: Tools) -> None:
    long = "\n\n".join(f"# Part {n}\n\n" + f"Word {n} of the ferry. " * 120 for n in range(3))
    made = uploaded(tools.person, new_archive(tools.person), long.encode(), "long.md")
    with tools.person.scope():
        archives.attach(tools.agent.id, made.archive_id)
    first, second, *_ = passages(tools.person, made)
    assert tools.call("message_read", id=str(first.id))["next"] == str(second.id)
    with tools.person.scope():
        archival.retire_passages([second.id])
    assert "next" not in tools.call("message_read", id=str(first.id))


def test_what_was_corrected_by_hand_is_read_as_no_longer_true(tools: Tools) -> None:
    stored = tools.call("archival_memory_insert", content="Tea from Assam")
    with tools.person.scope():
        archival.correct_passage(
            uuid.UUID(stored["id"]), "Tea from Ceylon", actor=core.by_me(), expected_version=1
        )
    read = tools.call("message_read", id=stored["id"])
    assert (read["content"], "no_longer_true_since" in read) == ("Tea from Assam", True)
