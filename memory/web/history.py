"""Pages of a block's past: its versions, one of them, and what changed between any two."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import replace

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET

from memory.actors import ActorKind
from memory.models import Block, BlockVersion
from memory.web import diff
from memory.web.left import places_left
from memory.web.origins import groups_of
from memory.web.presentation import ShownVersion, messages_in_sight, shown_versions, versions_of
from tenants.models import Workspace
from tenants.permissions import has_role
from tenants.web.doors import PageRequest, asked, show, workspace_page

SECTION = {"section": "memory"}


@require_GET
@workspace_page
def versions(request: PageRequest, workspace: Workspace, block: uuid.UUID) -> HttpResponse:
    """Every version of a block, the newest first; `?by=` filters by kind of hand, `?before=` pages."""
    found = block_in(workspace, block)
    by, before = asked(request, "by"), _number(asked(request, "before"))
    rows = versions_of(found, by=by, before=before)
    shown = _shown(rows[:50])
    context = {
        "versions": shown,
        "messages_in_sight": messages_in_sight(each.message_id for each in shown),
        "by": by,
        "hands": ActorKind.choices,
        "more": len(rows) > 50,
        "a": found.version - 1,
        "b": found.version,
    }
    return show(request, "memory/versions.html", frame(found) | context, fragment="memory/_versions.html")


@require_GET
@workspace_page
def version(request: PageRequest, workspace: Workspace, block: uuid.UUID, number: int) -> HttpResponse:
    """One version: what it changed, by whom, from which message, and the whole text as it was then."""
    found = block_in(workspace, block)
    (shown,) = _shown([_version(found, number)])
    context = {"shown": shown, "messages_in_sight": messages_in_sight([shown.message_id])}
    return show(request, "memory/version.html", frame(found) | context, fragment="memory/_version.html")


@require_GET
@workspace_page
def compare(request: PageRequest, workspace: Workspace, block: uuid.UUID) -> HttpResponse:
    """Leads to the difference between the two versions that a person chose: `?a=` and `?b=`."""
    found = block_in(workspace, block)
    numbers = [_number(asked(request, name)) for name in "ab"]
    if None in numbers:
        return redirect("block-versions", workspace, block)
    a, b = (min(number or 0, found.version) for number in numbers)
    return redirect("block-diff", workspace, block, a, b or found.version)


@require_GET
@workspace_page
def difference(request: PageRequest, workspace: Workspace, block: uuid.UUID, a: int, b: int) -> HttpResponse:
    """What changed from version `a` to version `b`, word by word; version 0 is the empty block."""
    found = block_in(workspace, block)
    after = _version(found, b)
    before = _version(found, a) if a else None
    context = {
        "a": a,
        "b": b,
        "shown": _shown([after])[0],
        "is_erased": bool(after.erased_at or (before and before.erased_at)),
        "changes": diff.runs(before.value if before else "", after.value),
    }
    return show(request, "memory/diff.html", frame(found) | context, fragment="memory/_diff.html")


def block_in(workspace: Workspace, key: uuid.UUID) -> Block:
    """A block of a workspace, one that was deleted too. Raises Block.DoesNotExist."""
    return Block.objects.select_related("workspace").get(workspace=workspace, id=key)


def frame(found: Block) -> dict[str, object]:
    """What the head of each page of a block needs."""
    return SECTION | {"memory_block": found, "can_write": has_role(found.workspace_id, "editor")}


def _version(found: Block, number: int) -> BlockVersion:
    return BlockVersion.objects.select_related("block", "source").get(block=found, number=number)


def _shown(found: Sequence[BlockVersion]) -> list[ShownVersion]:
    """Versions as these pages show them: with the branch that was left, where they were written on one."""
    places = places_left(found)
    return [replace(each, left_at=places.get(each.version.id)) for each in shown_versions(found)]


def _number(text: str) -> int | None:
    """A version's number as typed; one that no version can have is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


@require_GET
@workspace_page
def blame(request: PageRequest, workspace: Workspace, block: uuid.UUID) -> HttpResponse:
    """Which line of the text came with which version, from which message, by whom."""
    found = block_in(workspace, block)
    context = {"groups": groups_of(found)}
    return show(request, "memory/blame.html", frame(found) | context, fragment="memory/_blame.html")
