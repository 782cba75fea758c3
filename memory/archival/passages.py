"""Adding passages: checked, filed with their source, findable at once; many in a handful of statements."""

from __future__ import annotations

import copy
import uuid
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.db import connection
from django.utils import timezone

from memory import audited, index, provenance
from memory.actors import Actor
from memory.archival.archives import held
from memory.archival.rights import may_change
from memory.archival.states import show_passages
from memory.archival.storing import store
from memory.governance import PEOPLE
from memory.models import Archive, Passage, Source, Trust
from memory.texts import UNSTORABLE
from tenants.moments import is_tellable
from tenants.permissions import has_role, require_role

PASSAGE_MAX = 20_000
TAGS_MAX, TAG_MAX = 20, 64
BATCH_MAX = 1_000


class BadPassage(Exception):
    """A passage cannot be stored like this."""


@dataclass(frozen=True)
class NewPassage:
    """A passage that is to be filed. `occurred_at` is now unless it is known; `importance` is 0 to 1.

    `trust` can only lower what it has by whose hand it is: a person's, or an agent's.
    """

    content: str
    tags: Sequence[str] = ()
    occurred_at: datetime | None = None
    importance: float | None = None
    expires_at: datetime | None = None
    trust: int | None = None


# By hand, since whatever is filed comes through here: who is behind it, and what of it is there already.
AROUND = """
SELECT (SELECT s.id FROM memory_source s
        WHERE s.tenant_id = %(tenant)s AND s.workspace_id = %(workspace)s
          AND s.kind = 'person' AND s.reference = %(person)s),
       (SELECT json_agg(json_build_array(e.digest, e.record_id)) FROM memory_indexentry e
        WHERE e.tenant_id = %(tenant)s AND e.workspace_id = %(workspace)s AND e.container_id = %(archive)s
          AND e.kind = 'passage' AND e.state = 'current' AND e.digest = ANY (%(digests)s))
"""


def insert_passages(
    archive: Archive | uuid.UUID, new: Sequence[NewPassage], *, actor: Actor, source: Source | None = None
) -> list[Passage]:
    """File passages in an archive, which may be named by its id, and make them findable; answers one for each
    that was given, in their order.

    A text that is in the archive already is not filed twice: that passage is answered, with `is_known` set
    and with the new tags added. Raises BadPassage with what is wrong in which of them, NotAllowed,
    Archive.DoesNotExist where it was deleted; nothing is filed then.
    """
    archive = held(archive if isinstance(archive, uuid.UUID) else archive.id)
    _may_add(archive.workspace_id, actor)
    _check(new)
    digests = [index.digest(each.content) for each in new]
    by_hand, known = _around(archive, digests, actor)
    source = source or by_hand or provenance.source_of_person(archive.workspace_id, actor.id)
    made: list[Passage] = []
    filed = partial(_filed, known=known, made=made, actor=actor)
    answered = [filed(each, digest) for each, digest in zip(new, digests, strict=True)]
    for passage in made:
        _complete(passage, archive, actor, source)
    _store(archive, made, source)
    _told(archive, made, actor)
    return answered


def insert_passage(
    archive: Archive,
    *,
    content: str,
    tags: Sequence[str] = (),
    actor: Actor,
    source: Source | None = None,
    **fields: Any,
) -> Passage:
    """File one passage; `fields` are those of NewPassage. Raises as `insert_passages` does."""
    return insert_passages(archive, [NewPassage(content, tags, **fields)], actor=actor, source=source)[0]


def show_anew(passage: Passage) -> None:
    """Write the entry of a passage of which something else is said now: its tags are words of it, too."""
    index.index_passages([passage], hidden=True)
    show_passages([passage.id])


def checked_tags(tags: Iterable[str]) -> list[str]:
    """Tags without the white space around them, each once. Raises BadPassage."""
    given = [tag.strip() for tag in tags]
    found = list(dict.fromkeys(given))
    if len(given) > TAGS_MAX or any(not 1 <= len(tag) <= TAG_MAX or UNSTORABLE.search(tag) for tag in found):
        raise BadPassage(f"A passage has at most {TAGS_MAX} tags of 1 to {TAG_MAX} characters each.")
    return found


def check_text(content: str) -> None:
    """Raises BadPassage where a passage cannot have this text."""
    if not content.strip():
        raise BadPassage("There is nothing to store: the content is empty.")
    if len(content) > PASSAGE_MAX:
        raise BadPassage(
            f"A passage has at most {PASSAGE_MAX:,} characters; this one has {len(content):,}. Split it."
        )
    if UNSTORABLE.search(content):
        raise BadPassage("NUL and halves of surrogate pairs cannot be stored.")


def check_moments(*moments: datetime | None) -> None:
    """Raises BadPassage where one cannot be told in every time zone."""
    if not all(map(is_tellable, moments)):
        raise BadPassage("The moments of a passage lie in the years 1000 to 8999, and have a time zone.")


def check_importance(importance: float | None) -> None:
    """Raises BadPassage where it is no number from 0 to 1."""
    if importance is not None and not 0 <= importance <= 1:
        raise BadPassage("Importance is a number from 0 to 1.")


def trust_of(actor: Actor, given: int | None = None) -> int:
    """How far a text is trusted that this hand wrote, at the most as far as what it was made of."""
    most = Trust.TRUSTED if actor.kind in PEOPLE else Trust.DERIVED
    return most if given is None else min(most, given)


def _may_add(workspace_id: uuid.UUID, actor: Actor) -> None:
    """People need to be members; an agent does for a person no more than that person may."""
    if actor.kind in PEOPLE:
        require_role(workspace_id, "member")
    elif not has_role(workspace_id, "member"):
        raise BadPassage("The person you work for may only read this archive.")


def _check(new: Sequence[NewPassage]) -> None:
    if not 1 <= len(new) <= BATCH_MAX:
        raise BadPassage(f"Send 1 to {BATCH_MAX:,} passages at a time; these are {len(new):,}.")
    for number, each in enumerate(new, start=1):
        try:
            check_text(each.content)
            checked_tags(each.tags)
            check_importance(each.importance)
            check_moments(each.occurred_at, each.expires_at)
        except BadPassage as error:
            if len(new) == 1:
                raise
            raise BadPassage(f"Passage {number} of {len(new)}: {error}") from None


def _around(
    archive: Archive, digests: Collection[str], actor: Actor
) -> tuple[Source | None, dict[str, Passage]]:
    """The source that the person is, where it is there; and what stands in the archive with one of these
    texts, by digest."""
    person = provenance.reference_of(actor.id)
    asked: dict[str, Any] = {
        "tenant": archive.tenant_id,
        "workspace": archive.workspace_id,
        "archive": archive.id,
        "person": person,
        "digests": list(set(digests)),
    }
    with connection.cursor() as cursor:
        cursor.execute(AROUND, asked)
        source_id, keys = cursor.fetchone()
    known = [(digest, uuid.UUID(key)) for digest, key in keys or []]
    by_hand = Source(id=source_id, kind=Source.Kind.PERSON, reference=person) if source_id else None
    return by_hand, _standing(known)


def _standing(known: Sequence[tuple[str, uuid.UUID]]) -> dict[str, Passage]:
    """Those of these passages that stand by themselves, by digest; nobody else changes them until the
    transaction ends. A document's part goes with its document, and is trusted less: what somebody files in
    the same words is another passage."""
    if not known:
        return {}
    rows = Passage.objects.select_related("source", "archive").filter(document=None)
    rows = rows.filter(id__in=[key for _, key in known]).select_for_update(of=("self",)).order_by("id")
    there = {passage.id: passage for passage in rows}
    found = {digest: there[key] for digest, key in known if key in there}
    return {digest: passage for digest, passage in found.items() if passage.is_current}


def _filed(
    new: NewPassage, digest: str, *, known: dict[str, Passage], made: list[Passage], actor: Actor
) -> Passage:
    """The passage that there is with this text, unless it is told of another moment; else a new one."""
    found = known.get(digest)
    if found is not None and (new.occurred_at is None or new.occurred_at == found.occurred_at):
        return _known_again(found, checked_tags(new.tags), actor, is_stored=found not in made)
    now = timezone.now()
    passage = Passage(
        content=new.content,
        tags=checked_tags(new.tags),
        importance=0.5 if new.importance is None else new.importance,
        expires_at=new.expires_at,
        occurred_at=new.occurred_at or now,
        created_at=now,
        valid_from=now,
        trust=Trust.TRUSTED if new.trust is None else new.trust,
    )
    made.append(passage)
    known[digest] = passage
    return passage


def _known_again(found: Passage, tags: list[str], actor: Actor, *, is_stored: bool) -> Passage:
    """The passage that is there; it gets the new tags where whoever files it again may change it."""
    before = found.tags
    union = list(dict.fromkeys([*before, *tags]))[:TAGS_MAX]
    if union != found.tags and not is_stored:
        found.tags = union
    elif union != found.tags and _may_tag(found, actor):
        found.tags = union
        found.save(update_fields=["tags"])
        show_anew(found)
        audited.record("passage.edited", found, actor, name=found.archive.name, fields=["tags"])
    again = copy.copy(found)
    again.is_known, again.has_new_tags = True, again.tags != before
    return again


def _may_tag(found: Passage, actor: Actor) -> bool:
    is_its_own = (found.actor_kind, found.actor_id) == (actor.kind, actor.id)
    return is_its_own or may_change(found)


def _complete(passage: Passage, archive: Archive, actor: Actor, source: Source) -> None:
    passage.workspace_id = archive.workspace_id
    passage.archive = archive
    passage.actor_kind, passage.actor_id = actor.kind, actor.id
    passage.source = source
    passage.trust = trust_of(actor, passage.trust)


def _store(archive: Archive, made: list[Passage], source: Source) -> None:
    is_message = source.kind == Source.Kind.MESSAGE
    if made:
        store(made, parent=(source.kind, uuid.UUID(source.reference)) if is_message else None)


def _told(archive: Archive, made: list[Passage], actor: Actor) -> None:
    """One event, however many there are. What agents file is told by their turns."""
    if not made or actor.kind not in PEOPLE:
        return
    if len(made) == 1:
        audited.record("passage.added", made[0], actor, name=archive.name)
    else:
        audited.record("passage.added", archive, actor, count=len(made))
