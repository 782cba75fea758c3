"""The API's routes of archives, and of the passages in one."""

from __future__ import annotations

import uuid
from typing import Any

from django.db.models import Q
from django.db.models.functions import Length
from drf_spectacular.utils import OpenApiResponse, PolymorphicProxySerializer, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memory import archival, core
from memory.api.archive_bodies import (
    ArchiveChange,
    ArchiveNew,
    DeletableQuery,
    PassageNew,
    PassagesNew,
    PassagesQuery,
    new_passage,
)
from memory.api.archive_serializers import (
    ArchiveSerializer,
    FiledManySerializer,
    FiledSerializer,
    PassageSerializer,
)
from memory.models import Archive, Document, Passage
from tenants.api.bodies import Nothing
from tenants.api.pages import Order, answer, cut, page_of
from tenants.api.views import ScopedView, reachable
from tenants.scope import current_scope

ONE_OR_MANY = PolymorphicProxySerializer(
    "PassageOrPassages", serializers=[PassageNew, PassagesNew], resource_type_field_name=None
)
FILED = PolymorphicProxySerializer(
    "FiledOneOrMany", serializers=[FiledSerializer, FiledManySerializer], resource_type_field_name=None
)


class Archives(ScopedView):
    """The archives in your workspaces, and new ones."""

    @extend_schema(
        operation_id="archives",
        tags=["archives"],
        parameters=[DeletableQuery],
        responses=page_of(ArchiveSerializer),
    )
    def get(self, request: Request) -> Response:
        asked = self.asked(DeletableQuery)
        rows = Archive.objects.filter(retired_at__isnull=asked["deleted"] == "false")
        if "workspace" in asked:
            reachable(asked["workspace"])
            rows = rows.filter(workspace_id=asked["workspace"])
        return answer(request, ArchiveSerializer, *cut(rows, asked, Order()))

    @extend_schema(
        operation_id="archive_create",
        tags=["archives"],
        request=ArchiveNew,
        responses={201: ArchiveSerializer},
    )
    def post(self, request: Request) -> Response:
        said = self.said(ArchiveNew)
        reachable(said.get("workspace"))
        made = archival.create_archive(
            workspace_id=said.get("workspace") or current_scope().home,
            name=said["name"],
            description=said.get("description", ""),
        )
        return Response(ArchiveSerializer(made).data, status=201)


class ArchiveDetail(ScopedView):
    """One archive."""

    @extend_schema(operation_id="archive", tags=["archives"], responses=ArchiveSerializer)
    def get(self, request: Request, archive_id: uuid.UUID) -> Response:
        return Response(ArchiveSerializer(Archive.objects.get(id=archive_id)).data)

    @extend_schema(
        operation_id="archive_change", tags=["archives"], request=ArchiveChange, responses=ArchiveSerializer
    )
    def patch(self, request: Request, archive_id: uuid.UUID) -> Response:
        changed = archival.change_archive(archive_id, **self.said(ArchiveChange))
        return Response(ArchiveSerializer(changed).data)

    @extend_schema(
        operation_id="archive_delete",
        tags=["archives"],
        responses={204: OpenApiResponse(description="It is out of lists and search with all that it holds.")},
    )
    def delete(self, request: Request, archive_id: uuid.UUID) -> Response:
        archival.retire_archive(archive_id)
        return Response(status=204)


class ArchiveReturn(ScopedView):
    """Bring a deleted archive back, with all that it held."""

    @extend_schema(
        operation_id="archive_return", tags=["archives"], request=None, responses=ArchiveSerializer
    )
    def post(self, request: Request, archive_id: uuid.UUID) -> Response:
        self.said(Nothing)
        return Response(ArchiveSerializer(archival.retire_archive(archive_id, retired=False)).data)


class ArchivePassages(ScopedView):
    """The passages of an archive, the newest first."""

    @extend_schema(
        operation_id="archive_passages",
        tags=["archives"],
        parameters=[PassagesQuery],
        responses=page_of(PassageSerializer),
    )
    def get(self, request: Request, archive_id: uuid.UUID) -> Response:
        asked = self.asked(PassagesQuery)
        archive = Archive.objects.get(id=archive_id)
        is_kept = asked["deleted"] == "false"
        rows = Passage.objects.filter(archive=archive, valid_to=None, retired_at__isnull=is_kept)
        if is_kept:
            is_ready = Q(document__status=Document.Status.READY, document__retired_at=None)
            rows = rows.filter(Q(document=None) | is_ready)
        if "tag" in asked:
            rows = rows.filter(tags__contains=[asked["tag"]])
        page = cut(
            rows.select_related("source", "archive", "document"),
            asked,
            Order(descending=True),
            Length("content"),
        )
        return answer(request, PassageSerializer, *page)

    @extend_schema(
        operation_id="passage_insert",
        tags=["archives"],
        request=ONE_OR_MANY,
        responses={201: FILED, 200: OpenApiResponse(FILED, "Nothing is new: it is all there already.")},
        description="File one passage, or up to 1,000 as `passages`, all or none. A text that is in the "
        "archive already is not filed twice.",
    )
    def post(self, request: Request, archive_id: uuid.UUID) -> Response:
        is_many = isinstance(request.data, dict) and "passages" in request.data
        said = self.said(PassagesNew if is_many else PassageNew)
        new = [new_passage(each) for each in (said["passages"] if is_many else [said])]
        filed = archival.insert_passages(archive_id, new, actor=core.by_me())
        told: Any = FiledSerializer(filed, many=True).data
        status = 200 if all(each.is_known for each in filed) else 201
        return Response({"passages": told} if is_many else told[0], status=status)
