"""Changing what was filed: a correction is a new passage that supersedes the one before; nothing is lost.

Who added a passage may correct and delete it; what others added is for editors.
"""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from enum import Enum
from typing import Any

from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from memory import audited, core, provenance
from memory.actors import Actor, ActorKind
from memory.archival.passages import (
    BadPassage,
    check_importance,
    check_moments,
    check_text,
    checked_tags,
    show_anew,
    trust_of,
)
from memory.archival.rights import needed_role
from memory.archival.states import show_passages
from memory.archival.storing import store
from memory.models import Archive, Passage
from memory.stale import StaleVersion
from tenants.permissions import require_role
from tenants.scope import current_scope

# Along corrections, in one statement: a text may have been corrected hundreds of times.
_ALONG = """
WITH RECURSIVE chain AS (
  SELECT p.id, p.supersedes_id FROM memory_passage p
  WHERE p.tenant_id = %(tenant)s AND p.workspace_id = ANY (%(mine)s) AND p.id = ANY (%(ids)s)
  UNION
  SELECT p.id, p.supersedes_id FROM memory_passage p JOIN chain ON {way}
  WHERE p.tenant_id = %(tenant)s AND p.workspace_id = ANY (%(mine)s))
SELECT id FROM chain
"""
EARLIER = _ALONG.format(way="p.id = chain.supersedes_id")
LATER = _ALONG.format(way="p.supersedes_id = chain.id")
# What a correction takes over from the passage that it corrects.
_KEPT = (
    *("tags", "importance", "expires_at", "occurred_at", "document_id"),
    *("place", "page", "page_to", "start", "end", "headings"),
)


class Keep(Enum):
    """The value that is there."""

    IT = "keep"


KEEP = Keep.IT


def correct_passage(passage_id: uuid.UUID, content: str, *, actor: Actor, expected_version: int) -> Passage:
    """The passage that says `content` in the place of this one, from now on.

    Raises Passage.DoesNotExist, NotAllowed, BadPassage, StaleVersion where it was corrected or deleted since.
    """
    passage = _changeable(passage_id)
    check_text(content)
    if passage.valid_to is not None or passage.version != expected_version:
        newest = newest_of(passage)
        raise StaleVersion(newest.version, newest.id)
    if content == passage.content:
        return passage
    now = timezone.now()
    made = Passage(
        workspace_id=passage.workspace_id,
        archive=passage.archive,
        content=content,
        trust=trust_of(actor, None if actor.kind == ActorKind.USER else passage.trust),
        actor_kind=actor.kind,
        actor_id=actor.id,
        source=provenance.source_of_person(passage.workspace_id, actor.id),
        version=passage.version + 1,
        supersedes=passage,
        valid_from=now,
        created_at=now,
        **{name: getattr(passage, name) for name in _KEPT},
    )
    passage.valid_to = now
    passage.save(update_fields=["valid_to"])
    store([made], parent=("passage", passage.id))
    show_passages([passage.id, made.id])
    audited.record("passage.corrected", made, actor, name=passage.archive.name, version=made.version)
    return made


def describe_passage(
    passage_id: uuid.UUID,
    *,
    tags: Sequence[str] | None = None,
    importance: float | None = None,
    expires_at: datetime | None | Keep = KEEP,
) -> Passage:
    """Change what is said about a passage, in place; None and KEEP leave what is there.

    Raises Passage.DoesNotExist, NotAllowed, BadPassage.
    """
    passage = _changeable(passage_id)
    check_importance(importance)
    check_moments(None if expires_at is KEEP else expires_at)
    given: dict[str, Any] = {
        "tags": None if tags is None else checked_tags(tags),
        "importance": importance,
    }
    changes = {name: value for name, value in given.items() if value is not None}
    if expires_at is not KEEP:
        changes["expires_at"] = expires_at
    changes = {name: value for name, value in changes.items() if value != getattr(passage, name)}
    if changes:
        Passage.objects.filter(id=passage.id).update(**changes)
        for name, value in changes.items():
            setattr(passage, name, value)
        show_anew(passage)
        audited.record(
            "passage.edited", passage, core.by_me(), name=passage.archive.name, fields=sorted(changes)
        )
    return passage


def retire_passages(ids: Collection[uuid.UUID], *, retired: bool = True) -> list[Passage]:
    """Delete passages with their earlier versions, undoably, or bring them back; answers what they are then.

    All or none. Raises Passage.DoesNotExist, NotAllowed.
    """
    wanted = set(ids)
    _hold_archives_of(wanted)
    rows = Passage.objects.select_related("archive").select_for_update(of=("self",)).order_by("id")
    found = {passage.id: passage for passage in rows.filter(id__in=wanted)}
    if set(found) != wanted:
        raise Passage.DoesNotExist
    for passage in found.values():
        require_role(passage.workspace_id, needed_role(passage))
    changed = [each for each in found.values() if (each.retired_at is not None) != retired]
    if changed:
        moment = timezone.now() if retired else None
        every = _with_earlier({each.id for each in changed})
        Passage.objects.filter(id__in=every).update(retired_at=moment)
        show_passages(every)
        _tell(changed, "passage.deleted" if retired else "passage.brought_back")
        for each in changed:
            each.retired_at = moment
    return [found[key] for key in dict.fromkeys(ids)]


def history_of(passage_id: uuid.UUID) -> list[Passage]:
    """A passage with all that it was corrected to and from, newest first. Raises Passage.DoesNotExist."""
    newest = newest_of(Passage.objects.get(id=passage_id))
    rows = Passage.objects.filter(id__in=_with_earlier({newest.id}))
    return list(rows.select_related("source", "archive", "document").order_by("-version"))


def newest_of(passage: Passage) -> Passage:
    """What a passage was corrected to in the end; itself where it stands."""
    later = _chain([passage.id], LATER) - {passage.id}
    rows = Passage.objects.filter(id__in=later) if later else Passage.objects.none()
    return rows.order_by("-version").first() or passage


def _changeable(passage_id: uuid.UUID) -> Passage:
    """A passage that nobody else changes until the transaction ends."""
    _hold_archives_of([passage_id])
    rows: QuerySet[Passage] = Passage.objects.select_related("archive").select_for_update(of=("self",))
    passage = rows.get(id=passage_id)
    require_role(passage.workspace_id, needed_role(passage))
    if passage.retired_at is not None:
        raise BadPassage("This passage was deleted. Bring it back before you change it.")
    return passage


def _hold_archives_of(passage_ids: Collection[uuid.UUID]) -> None:
    """Nobody deletes the archives of these passages or brings one back until the transaction ends: what the
    index says of a passage follows from both. Archives come first, as everywhere."""
    theirs = Passage.objects.filter(id__in=passage_ids).values("archive_id")
    rows = Archive.objects.filter(id__in=theirs).select_for_update(no_key=True).order_by("id")
    list(rows.values_list("id", flat=True))


def _with_earlier(ids: set[uuid.UUID]) -> set[uuid.UUID]:
    """Passages and all that they were corrected from."""
    return _chain(ids, EARLIER)


def _chain(ids: Iterable[uuid.UUID], way: str) -> set[uuid.UUID]:
    """Passages and all that they were corrected to or from, however often, in one statement."""
    scope = current_scope()
    with connection.cursor() as cursor:
        cursor.execute(way, {"ids": list(ids), "tenant": scope.tenant_id, "mine": list(scope.workspaces)})
        return {key for (key,) in cursor.fetchall()}


def _tell(changed: list[Passage], action: str) -> None:
    """One event of one passage, and one for each archive of many."""
    if len(changed) == 1:
        audited.record(action, changed[0], core.by_me(), name=changed[0].archive.name)
        return
    archives: dict[uuid.UUID, Archive] = {each.archive_id: each.archive for each in changed}
    for archive_id, count in Counter(each.archive_id for each in changed).items():
        audited.record(action, archives[archive_id], core.by_me(), count=count)
