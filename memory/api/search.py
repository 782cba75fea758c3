"""The API's search: one query over everything remembered, with every condition that there is.

The route itself lies with agents (`agents.api.search`), whose memory can be asked for there.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import replace
from typing import Any, ClassVar, TypeVar

from django.db.models import Model
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from memory import retrieval
from memory.api.archive_serializers import TRUSTS
from memory.api.hit_serializers import FoundSerializer
from memory.models import Archive, Conversation, Document, IndexEntry, Message
from memory.retrieval import LIMIT_MAX, BadQuery, Filters, Weights
from memory.retrieval.filters import QUERY_MAX
from memory.retrieval.rerank import SecondStage
from tenants.api.bodies import Body
from tenants.api.fields import Id, Moment, Number, Text
from tenants.api.pages import bad_cursor, cursor_field, whole
from tenants.api.views import reachable

HITS_DEEP = 10_000
MANY = 200
M = TypeVar("M", bound=Model)
STATES = {
    "current": ["current"],
    "superseded": ["superseded"],
    "abandoned": ["abandoned"],
    "all": ["current", "superseded", "abandoned"],
}
LEVELS = {name: level for level, name in TRUSTS.items()}


def _some(child: Any, help_text: str) -> serializers.ListField:
    return serializers.ListField(
        child=child, required=False, max_length=MANY, help_text=f"{help_text} May be given several times."
    )


def _one_of(choices: Collection[str]) -> serializers.ChoiceField:
    return serializers.ChoiceField(choices=list(choices))


class SearchQuery(Body):
    """What to look for, and where. What is left out is no condition."""

    no_conditions: ClassVar[frozenset[str]] = frozenset(("q", "limit", "cursor"))
    """What says how, and not what, to look for."""

    q = Text(
        default="",
        allow_blank=True,
        max_length=QUERY_MAX,
        help_text="Words, in any language; any of them finds. Empty, with a condition, lists the newest.",
    )
    kind = _some(_one_of(IndexEntry.Kind.values), "Only such records.")
    workspace = _some(Id(), "Only what lies there.")
    archive = _some(Id(), "Only passages of this archive.")
    conversation = _some(Id(), "Only what was said in this conversation.")
    document = _some(Id(), "Only passages of this document.")
    role = _some(_one_of(Message.Role.values), "Only messages of this role.")
    speaker = _some(Text(max_length=120), "Only messages of who is called this.")
    tag = _some(Text(max_length=64), "Only passages with this tag.")
    tag_mode = serializers.ChoiceField(
        choices=["any", "all", "none"], default="any", help_text="With any of the tags, all, or none of them."
    )
    since = Moment(required=False, help_text="Only from this moment or day on.")
    until = Moment(required=False, end=True, help_text="Only up to this moment or day.")
    as_of = Moment(required=False, end=True, help_text="What was held to be true then.")
    state = serializers.ChoiceField(
        choices=list(STATES),
        default="current",
        help_text="What stands, what was superseded, what was said on branches that were left, or all of it.",
    )
    min_trust = serializers.ChoiceField(
        choices=list(LEVELS), required=False, help_text="Only what is trusted at least as far."
    )
    limit = Number(min_value=1, max_value=LIMIT_MAX, default=20)
    cursor = cursor_field()


def asked_of(request: Request, query: type[SearchQuery]) -> dict[str, Any]:
    """A query string, checked, in which some parameters may stand several times.

    Raises ValidationError, BadQuery where there is neither a word nor a condition.
    """
    params, known = request.query_params, query._declared_fields
    many = {name for name in params if isinstance(known.get(name), serializers.ListField)}
    found = query(data={name: params.getlist(name) if name in many else params[name] for name in params})
    found.is_valid(raise_exception=True)
    if not found.validated_data["q"].strip() and set(params) <= query.no_conditions:
        raise BadQuery
    return dict(found.validated_data)


def filters_of(asked: dict[str, Any], containers: set[uuid.UUID] | None = None) -> Filters:
    """The conditions of a checked query; `containers` narrow it further.

    Raises DoesNotExist where one names what is not in sight.
    """
    for place in asked.get("workspace", ()):
        reachable(place)
    in_sight(Document, asked.get("document", ()), retired_at=None)
    named = _containers(asked)
    if containers is not None:
        named = containers if named is None else named & containers
    return Filters(
        kinds=_kinds(asked),
        containers=named,
        workspaces=asked.get("workspace"),
        documents=asked.get("document"),
        roles=asked.get("role"),
        speakers=asked.get("speaker"),
        tags=asked.get("tag"),
        tag_mode=asked["tag_mode"],
        since=asked.get("since"),
        until=asked.get("until"),
        as_of=asked.get("as_of"),
        states=STATES[asked["state"]],
        min_trust=LEVELS[asked["min_trust"]] if "min_trust" in asked else None,
    )


def in_sight(model: type[M], ids: Collection[uuid.UUID], **conditions: Any) -> set[uuid.UUID]:
    """The ids that were named. Raises DoesNotExist where one of them is not there."""
    wanted = set(ids)
    if wanted and model._default_manager.filter(pk__in=wanted, **conditions).count() != len(wanted):
        raise model.DoesNotExist  # type: ignore[attr-defined]
    return wanted


def _containers(asked: dict[str, Any]) -> set[uuid.UUID] | None:
    """The archives and conversations that were named, together."""
    if "archive" not in asked and "conversation" not in asked:
        return None
    archives = in_sight(Archive, asked.get("archive", ()), retired_at=None)
    return archives | in_sight(Conversation, asked.get("conversation", ()), deleted_at=None)


def _kinds(asked: dict[str, Any]) -> list[str] | None:
    """Documents have passages alone."""
    if "document" not in asked:
        return asked.get("kind")
    passage = IndexEntry.Kind.PASSAGE.value
    return [passage] if passage in asked.get("kind", [passage]) else []


def found(
    request: Request,
    asked: dict[str, Any],
    filters: Filters,
    weights: Weights | None = None,
    stage: SecondStage | None = None,
) -> Response:
    """A page of hits; a cursor names where it begins, and the moment of the first page, so that pages of one
    search fit together. Raises BadQuery, ValidationError."""
    offset, before = _place(asked)
    seen = replace(filters, before=before)
    page = retrieval.search(
        asked["q"], seen, limit=asked["limit"], offset=offset, weights=weights, second_stage=stage
    )
    end = offset + len(page.hits)
    more = end < min(page.total, HITS_DEEP) and page.hits
    here = request.build_absolute_uri()
    told = FoundSerializer(
        {
            "results": page.hits,
            "next": replace_query_param(here, "cursor", f"{end}.{before}") if more else None,
            "total": page.total,
            "worded": page.worded,
            "is_capped": page.is_capped,
            "notices": page.notices,
        }
    )
    return Response(told.data)


def _place(asked: dict[str, Any]) -> tuple[int, uuid.UUID]:
    """Where a page begins, and what the search sees. Raises ValidationError."""
    if not asked.get("cursor"):
        return 0, retrieval.snapshot()
    place, _, moment = asked["cursor"].partition(".")
    try:
        offset, before = whole(place), uuid.UUID(moment)
    except ValueError:
        raise bad_cursor() from None
    if offset >= HITS_DEEP or before > retrieval.snapshot():
        raise bad_cursor()
    return offset, before
