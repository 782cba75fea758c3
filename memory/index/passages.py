"""Passages, summaries and skills in the index: each by its own words and by what names it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memory import lexical
from memory.actors import ActorKind
from memory.index.entries import entry, write
from memory.index.states import supersede
from memory.models import IndexEntry, Message, Passage, Skill, Summary

HIDDEN, CURRENT, SUPERSEDED = (
    IndexEntry.State.HIDDEN,
    IndexEntry.State.CURRENT,
    IndexEntry.State.SUPERSEDED,
)


def index_passage(passage: Passage) -> None:
    """Make a passage findable."""
    index_passages([passage])


def index_passages(passages: Sequence[Passage], *, hidden: bool = False) -> None:
    """Make passages findable, in one statement; `hidden` has them ready until they are shown."""
    write([passage_entry(each, hidden=hidden) for each in passages])


def passage_entry(passage: Passage, *, hidden: bool = False) -> IndexEntry:
    """The row of a passage; the document, the headings above it and the tags name it."""
    state = CURRENT if passage.valid_to is None else SUPERSEDED
    document = [passage.document.name] if passage.document_id else []
    named = lexical.words(" ".join([*document, *passage.headings, *passage.tags]))
    return entry(
        IndexEntry.Kind.PASSAGE,
        passage,
        passage.archive_id,
        passage.content,
        [("B", named)],
        role=came_by(passage),
        place=passage.place,
        occurred_at=passage.occurred_at,
        valid_from=_since(passage),
        valid_to=passage.valid_to,
        expires_at=passage.expires_at,
        state=HIDDEN if hidden or passage.retired_at else state,
        trust=passage.trust,
        importance=passage.importance,
        tags=passage.tags,
    )


def _since(passage: Passage) -> datetime | None:
    """From when on a passage was held to be true, where that is not when it occurred: a correction, and what
    was told before it comes."""
    is_from_the_start = passage.version == 1 and passage.occurred_at <= passage.valid_from
    return None if is_from_the_start else passage.valid_from


def came_by(passage: Passage) -> str:
    """How a passage came, as searches ask for it: by hand, by an agent, or as a part of a document."""
    if passage.document_id:
        return "document"
    by_agent = passage.actor_kind in {ActorKind.AGENT, ActorKind.SLEEPTIME}
    return Message.Role.ASSISTANT.value if by_agent else Message.Role.USER.value


def index_summary(summary: Summary, *, hidden: bool = False) -> None:
    """Make a summary of evicted messages findable, in its conversation; it supersedes the one that it took
    in, and the one that it replaces."""
    row = summary_entry(summary)
    if hidden:
        row.state = HIDDEN
    write([row])
    before = [each for each in (summary.previous_id, summary.replaces_id) if each]
    if before:
        supersede(IndexEntry.Kind.SUMMARY, before, summary.created_at)


def summary_entry(summary: Summary) -> IndexEntry:
    """The row of a summary."""
    return entry(
        IndexEntry.Kind.SUMMARY,
        summary,
        summary.conversation_id,
        summary.content,
        place=summary.to_position,
        occurred_at=summary.created_at,
    )


def index_skill(skill: Skill) -> None:
    """Make a skill findable by its name, description and text, or hide one that was retired."""
    write([skill_entry(skill)])


def skill_entry(skill: Skill) -> IndexEntry:
    """The row of a skill, its own container: found by what it is for rather than by what it says."""
    return entry(
        IndexEntry.Kind.SKILL,
        skill,
        skill.id,
        f"{skill.name}. {skill.description}",
        [("C", lexical.words(skill.content))],
        occurred_at=skill.updated_at,
        state=HIDDEN if skill.retired_at else CURRENT,
    )
