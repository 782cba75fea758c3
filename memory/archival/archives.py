"""Archives: named collections. Editors govern them; an agent has its own, which it makes on first use."""

from __future__ import annotations

import uuid

from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from memory import audited, core
from memory.actors import Actor
from memory.archival.states import show_archive
from memory.governance import PEOPLE
from memory.models import Archive
from tenants.permissions import require_role
from tenants.scope import current_scope

NAME_MAX, DESCRIPTION_MAX = 120, 1_000
# By hand, since whatever is filed comes through here.
FIELDS = [field.attname for field in Archive._meta.concrete_fields]
HOLD = f"""
SELECT {", ".join(FIELDS)} FROM memory_archive
WHERE tenant_id = %s AND workspace_id = ANY (%s) AND id = %s AND retired_at IS NULL FOR NO KEY UPDATE
"""


class BadArchive(Exception):
    """An archive cannot be called or described like this."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def create_archive(
    *, workspace_id: uuid.UUID, name: str, description: str = "", actor: Actor | None = None
) -> Archive:
    """An empty archive in a workspace, of the present person unless an agent makes it for its passages.

    Raises BadArchive, NotAllowed.
    """
    actor = actor or core.by_me()
    if actor.kind in PEOPLE:
        require_role(workspace_id, "editor")
    archive = Archive(workspace_id=workspace_id, name=name.strip(), description=description.strip())
    _check(archive)
    archive.save(force_insert=True)
    audited.record("archive.created", archive, actor)
    return archive


def change_archive(
    archive_id: uuid.UUID, *, name: str | None = None, description: str | None = None
) -> Archive:
    """Give an archive another name or description; what is None stays.

    Raises Archive.DoesNotExist, BadArchive, NotAllowed.
    """
    archive = _governed(archive_id)
    before = (archive.name, archive.description)
    archive.name = archive.name if name is None else name.strip()
    archive.description = archive.description if description is None else description.strip()
    _check(archive)
    if (archive.name, archive.description) != before:
        archive.save(update_fields=["name", "description"])
        audited.record("archive.renamed", archive, core.by_me())
    return archive


def rename_archive(archive_id: uuid.UUID, name: str) -> Archive:
    """Give an archive another name. Raises as `change_archive` does."""
    return change_archive(archive_id, name=name)


def retire_archive(archive_id: uuid.UUID, *, retired: bool = True) -> Archive:
    """Take an archive out of lists and search with all that lies in it, or bring it back.

    Raises Archive.DoesNotExist, NotAllowed.
    """
    archive = _governed(archive_id)
    if (archive.retired_at is not None) != retired:
        archive.retired_at = timezone.now() if retired else None
        archive.save(update_fields=["retired_at"])
        show_archive(archive.id)
        audited.record("archive.deleted" if retired else "archive.brought_back", archive, core.by_me())
    return archive


def archives(workspace_id: uuid.UUID, *, retired: bool = False) -> QuerySet[Archive]:
    """The archives of a workspace by name; those that were deleted instead."""
    rows = Archive.objects.filter(workspace_id=workspace_id, retired_at__isnull=not retired)
    return rows.order_by("name", "id")


def held(archive_id: uuid.UUID) -> Archive:
    """An archive that nobody deletes or adds to until the transaction ends. Raises Archive.DoesNotExist,
    also where it was deleted."""
    scope = current_scope()
    with connection.cursor() as cursor:
        cursor.execute(HOLD, [scope.tenant_id, list(scope.workspaces), archive_id])
        row = cursor.fetchone()
    if row is None:
        raise Archive.DoesNotExist
    return Archive.from_db("default", FIELDS, row)


def _governed(archive_id: uuid.UUID) -> Archive:
    archive = Archive.objects.select_for_update(no_key=True).get(id=archive_id)
    require_role(archive.workspace_id, "editor")
    return archive


def _check(archive: Archive) -> None:
    if not archive.name or len(archive.name) > NAME_MAX or len(archive.name.splitlines()) > 1:
        raise BadArchive("name", f"A name is one line of 1 to {NAME_MAX} characters.")
    if len(archive.description) > DESCRIPTION_MAX:
        raise BadArchive("description", f"A description has at most {DESCRIPTION_MAX:,} characters.")
