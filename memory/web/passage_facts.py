"""Everything that the page of one passage tells beside its text."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _

from memory import archival
from memory.models import Block, BlockVersion, Derivation, IndexEntry, Passage
from memory.web import diff
from memory.web.diff import Run
from memory.web.names import names_of
from memory.web.passage_rows import Row, rows_of
from memory.web.presentation import messages_in_sight
from memory.web.sourcing import ShownSource, sources_of
from memory.web.tables import cells_apart

SIMILAR = 5
DERIVED_AT_MOST = 50
MESSAGE, PASSAGE, BLOCK_VERSION = "message", "passage", "block_version"


@dataclass(frozen=True)
class Version:
    """One version of a passage, and what it changed in the one before."""

    passage: Passage
    who: str
    changes: list[Run]
    is_shown: bool


@dataclass(frozen=True)
class Relative:
    """What a passage was made of, or what was made of it."""

    words: str
    address: str
    gist: str = ""


@dataclass(frozen=True)
class Facts:
    """A passage's particulars. `versions` begin with the newest."""

    who: str
    source: ShownSource
    versions: list[Version]
    similar: list[Row]
    made_of: list[Relative]
    made_into: list[Relative]
    used_at: datetime | None
    used_count: int

    @property
    def newest(self) -> Passage:
        """The version that stands now, or stood last."""
        return self.versions[0].passage


def facts_of(passage: Passage) -> Facts:
    """Look up what belongs to a passage (with `source`). A fixed number of queries, however much there is."""
    history = sorted(archival.history_of(passage.id), key=lambda each: -each.version)
    names = names_of((each.actor_kind, each.actor_id) for each in [passage, *history])
    entry = IndexEntry.objects.filter(kind=IndexEntry.Kind.PASSAGE, record_id=passage.id).first()
    near = archival.similar_passages(passage.id, limit=SIMILAR) if passage.is_current else []
    parents, children = _derived(passage, {each.id for each in history})
    return Facts(
        who=names.of(passage.actor_kind, passage.actor_id),
        source=sources_of([passage]).of(passage),
        versions=[
            Version(
                each,
                names.of(each.actor_kind, each.actor_id),
                diff.one_line(before.content if before else "", each.content),
                each.id == passage.id,
            )
            for each, before in zip(history, [*history[1:], None], strict=True)
        ],
        similar=rows_of([hit.id for hit in near], near),
        made_of=parents,
        made_into=children,
        used_at=entry.accessed_at if entry else None,
        used_count=entry.access_count if entry else 0,
    )


def _derived(passage: Passage, versions: set[uuid.UUID]) -> tuple[list[Relative], list[Relative]]:
    """What it was made of and what was made of it, each with its place; but for its own versions."""
    rows = Derivation.objects.order_by("created_at", "id")
    above = rows.filter(child_id=passage.id).exclude(parent_id__in=versions)
    below = rows.filter(parent_id=passage.id).exclude(child_id__in=versions)
    up = list(above.values_list("parent_kind", "parent_id")[:DERIVED_AT_MOST])
    down = list(below.values_list("child_kind", "child_id")[:DERIVED_AT_MOST])
    known = _relatives(passage, [*up, *down])
    return (
        [known[key] for _kind, key in up if key in known],
        [known[key] for _k, key in down if key in known],
    )


def _relatives(passage: Passage, pairs: Sequence[tuple[str, uuid.UUID]]) -> dict[uuid.UUID, Relative]:
    """These things as far as they are in sight. A query for each kind."""
    ids = {kind: [key for k, key in pairs if k == kind] for kind in (MESSAGE, PASSAGE, BLOCK_VERSION)}
    found: dict[uuid.UUID, Relative] = {}
    for key in messages_in_sight(str(each) for each in ids[MESSAGE]):
        found[uuid.UUID(key)] = Relative(_("a message"), reverse("message", args=[passage.workspace_id, key]))
    passages = Passage.objects.filter(id__in=ids[PASSAGE]) if ids[PASSAGE] else []
    for each in passages:
        address = reverse("passage", args=[each.workspace_id, each.id])
        found[each.id] = Relative(
            _("a passage"), address, " ".join(cells_apart(each.content[:240])[:120].split())
        )
    versions = BlockVersion.objects.filter(id__in=ids[BLOCK_VERSION]) if ids[BLOCK_VERSION] else []
    labels = dict(Block.objects.filter(versions__in=ids[BLOCK_VERSION]).values_list("id", "label"))
    for version in versions:
        address = reverse("block-version", args=[version.workspace_id, version.block_id, version.number])
        found[version.id] = Relative(f"{labels.get(version.block_id, '')} v{version.number}", address)
    return found
