"""A job that comes late brings nothing back: what changed while the model worked stays as it was changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from memory import archival, core, recall, skills
from memory.embedding import embed_pending
from memory.embedding.vectors import digest_of
from memory.models import Conversation, Embedding, IndexEntry
from tests.cast import Person
from tests.memory.embedding.embedded import cached, current_stub, embed, meanwhile, rows, say
from tests.memory.embedding.stub_endpoint import StubEndpoint


@pytest.fixture
def stub(database: None, settings: Any) -> Iterator[StubEndpoint]:
    with current_stub(settings) as server:
        yield server


def embed_while(person: Person, stub: StubEndpoint, act: Callable[[], object], *, once: bool = False) -> int:
    """Embed to the end, or one batch; `act` happens in a scope of the person's while the model works."""

    def scoped() -> None:
        with person.scope():
            act()

    stub.queue(meanwhile(scoped))
    if once:
        return embed_pending(tenant_id=person.identity.tenant_id, workspace_id=person.personal)
    return embed(person)


def entry_of(person: Person, record_id: Any) -> IndexEntry:
    with person.scope():
        return IndexEntry.objects.get(record_id=record_id)


def erase(chat: Conversation) -> None:
    IndexEntry.objects.filter(container_id=chat.id).delete()


def test_what_was_erased_stays_erased(alice: Person, stub: StubEndpoint) -> None:
    kept, gone = say(alice, "kept"), say(alice, "a secret")
    assert embed_while(alice, stub, lambda: erase(gone)) == 2
    assert [row.vector is None for row in rows(alice, kept)] == [False], "by the same path"
    assert rows(alice, gone) == []
    assert cached(alice) == 1, "no vector of the secret is remembered either"


def test_what_was_hidden_stays_hidden(alice: Person, stub: StubEndpoint) -> None:
    kept, gone = say(alice, "kept"), say(alice, "deleted in the meantime")
    embed_while(alice, stub, lambda: recall.delete(gone.id))
    assert [row.state for row in rows(alice, kept)] == ["current"]
    assert [row.state for row in rows(alice, gone)] == ["hidden"]


def test_a_text_that_changed_keeps_no_vector_of_the_old_one(alice: Person, stub: StubEndpoint) -> None:
    with alice.scope():
        skill = skills.create_skill(
            workspace_id=alice.personal, name="tea", description="Tea", content="Boil it.", actor=core.by_me()
        )
    fields = skills.SkillFields(content="Do not boil it.")
    embed_while(
        alice,
        stub,
        lambda: skills.edit_skill(skill.id, fields, expected_version=1, actor=core.by_me()),
    )
    sent = [text for texts in stub.texts() for text in texts]
    assert ["Do not" in text for text in sent] == [False, True], "the new text is embedded after the old one"
    with alice.scope():
        assert Embedding.objects.get().digest == digest_of(sent[1])
    assert entry_of(alice, skill.id).vector is not None


def test_a_corrected_passage_does_not_come_back_as_current(alice: Person, stub: StubEndpoint) -> None:
    with alice.scope():
        archive = archival.create_archive(workspace_id=alice.personal, name="notes")
        old = archival.insert_passage(archive, content="The safe is red.", actor=core.by_me())
    corrected: list[Any] = []

    def correct() -> None:
        corrected.append(
            archival.correct_passage(old.id, "The safe is blue.", actor=core.by_me(), expected_version=1)
        )

    embed_while(alice, stub, correct)
    embed(alice)
    assert entry_of(alice, old.id).state == "superseded"
    new = entry_of(alice, corrected[0].id)
    assert new.state == "current"
    assert new.vector is not None


def test_a_model_change_in_the_meantime_is_not_overwritten(alice: Person, stub: StubEndpoint) -> None:
    chat = say(alice, "one")

    def taken() -> None:
        IndexEntry.objects.filter(container_id=chat.id).update(embedded_by="another")

    embed_while(alice, stub, taken, once=True)
    assert [row.embedded_by for row in rows(alice, chat)] == ["another"]
    assert [row.vector for row in rows(alice, chat)] == [None]
