"""What is filed in a person's world: archives, passages, documents and skills, one of each kind and state."""

import uuid
from typing import Any

from django.utils import timezone

from agents import archives
from agents import skills as agent_skills
from agents.models import Agent
from agents.services import start_chat
from memory import archival, core, recall, skills, summaries
from memory.archival import NewPassage
from memory.archival.states import show_documents
from memory.documents import services
from memory.models import Archive, Document, DocumentFile, IndexEntry, Passage
from memory.summaries import Written
from tests.cast import Person


def filed(person: Person, home: uuid.UUID, agent: Agent, marker: str) -> dict[str, Any]:
    """Ids by name, each with `_id` too. Texts hold the marker."""
    with person.scope():
        world = {**_archives(home, agent, marker), **_skills(home, agent, marker)}
        world |= _folded(home, agent, marker)
        archive = Archive.objects.get(id=world["archive"])
        world |= _passages(archive, marker) | _documents(archive, marker)
    ids = {f"{name}_id": world[name] for name in ("archive", "passage", "document", "skill", "summary")}
    return world | ids


def _archives(home: uuid.UUID, agent: Agent, marker: str) -> dict[str, Any]:
    made = {name: archival.create_archive(workspace_id=home, name=f"{name} {marker}").id for name in ARCHIVES}
    archives.attach(agent.id, made["archive"])
    archival.retire_archive(made["deleted_archive"])
    return made


ARCHIVES = ("archive", "loose_archive", "deleted_archive")


def _passages(archive: Archive, marker: str) -> dict[str, Any]:
    texts = [f"{name} of {marker}" for name in ("harvest", "thrown away", "corrected")]
    passage, deleted, before = archival.insert_passages(
        archive, [NewPassage(text, tags=["note"]) for text in texts], actor=core.by_me()
    )
    archival.retire_passages([deleted.id])
    after = archival.correct_passage(
        before.id, f"right now {marker}", actor=core.by_me(), expected_version=before.version
    )
    return {
        "passage": passage.id,
        "passage_version": passage.version,
        "deleted_passage": deleted.id,
        "corrected_passage": before.id,
        "correction": after.id,
        "deleted_at": Passage.objects.values_list("retired_at", flat=True).get(id=deleted.id).isoformat(),
    }


def _documents(archive: Archive, marker: str) -> dict[str, Any]:
    names = ("document", "waiting_document", "failed_document", "deleted_document")
    made = {name: _uploaded(archive, f"{name} {marker}") for name in names}
    _ready(made["document"], marker)
    failed = made["failed_document"]
    Document.objects.filter(id=failed.id).update(status=Document.Status.FAILED, fault="no_text")
    services.retire_document(made["deleted_document"].id)
    return {name: each.id for name, each in made.items()}


def _uploaded(archive: Archive, text: str) -> Document:
    return services.upload(archive.id, f"{text}.txt", text.encode(), actor=core.by_me())


def _ready(document: Document, marker: str) -> None:
    """As the worker leaves it: with its text, and one part that is found."""
    text = f"The harvest is told in a document of {marker}."
    DocumentFile.objects.filter(document=document).update(text=text)
    Document.objects.filter(id=document.id).update(
        status=Document.Status.READY, characters=len(text), ready_at=timezone.now()
    )
    (part,) = archival.insert_passages(document.archive, [NewPassage(text)], actor=core.by_me())
    Passage.objects.filter(id=part.id).update(document=document, place=0, start=0, end=len(text))
    IndexEntry.objects.filter(record_id=part.id).update(role="document", place=0)
    show_documents([document.id])


def _folded(home: uuid.UUID, agent: Agent, marker: str) -> dict[str, Any]:
    """A chat whose message was folded into a summary."""
    context = start_chat(agent_id=agent.id, workspace_id=home)
    message = recall.add_message(
        context.conversation, role="user", content=f"Said before: {marker}", actor=core.by_me()
    )
    text = Written(f"What was said before: {marker}")
    context.summary = summaries.store(context.conversation, text, [message], previous=None)
    context.save()
    return {"folded_chat": context.conversation_id, "summary": context.summary.id}


def _skills(home: uuid.UUID, agent: Agent, marker: str) -> dict[str, Any]:
    names = {"skill": "reap", "loose_skill": "sow", "deleted_skill": "burn"}
    made = {
        name: skills.create_skill(
            workspace_id=home,
            name=f"{word}-{marker}",
            description=f"How to {word}: {marker}",
            content=f"First {word} the {marker}.",
            actor=core.by_me(),
        ).id
        for name, word in names.items()
    }
    agent_skills.attach(agent.id, made["skill"])
    skills.retire_skill(made["deleted_skill"])
    return made
