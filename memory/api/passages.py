"""The API's routes of one passage: read, corrected, deleted, its versions, what is like it."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memory import archival, core
from memory.api.archive_bodies import PassageChange, SimilarQuery
from memory.api.archive_serializers import PassageSerializer
from memory.api.hit_serializers import HitSerializer
from memory.models import Passage
from tenants.api.bodies import Nothing
from tenants.api.pages import answer, page_of
from tenants.api.views import ScopedView


class PassageDetail(ScopedView):
    """One passage, as it is or was."""

    @extend_schema(operation_id="passage", tags=["archives"], responses=PassageSerializer)
    def get(self, request: Request, passage_id: uuid.UUID) -> Response:
        return _shown(passage_id)

    @extend_schema(
        operation_id="passage_change",
        tags=["archives"],
        request=PassageChange,
        responses=PassageSerializer,
        description="Correct a passage, which makes a new one that supersedes it: the answer. Tags, "
        "importance and expiry change in place. 409 names the newest where it was corrected since.",
    )
    def patch(self, request: Request, passage_id: uuid.UUID) -> Response:
        said = self.said(PassageChange)
        content, version = said.pop("content", None), said.pop("version", None)
        if content is not None:
            expected = version or Passage.objects.values_list("version", flat=True).get(id=passage_id)
            made = archival.correct_passage(
                passage_id, content, actor=core.by_me(), expected_version=expected
            )
            passage_id = made.id
        if said or content is None:
            archival.describe_passage(passage_id, **said)
        return _shown(passage_id)

    @extend_schema(
        operation_id="passage_delete",
        tags=["archives"],
        responses={204: OpenApiResponse(description="It is out of lists and search, with its history.")},
    )
    def delete(self, request: Request, passage_id: uuid.UUID) -> Response:
        archival.retire_passages([passage_id])
        return Response(status=204)


class PassageReturn(ScopedView):
    """Bring a deleted passage back."""

    @extend_schema(
        operation_id="passage_return", tags=["archives"], request=None, responses=PassageSerializer
    )
    def post(self, request: Request, passage_id: uuid.UUID) -> Response:
        self.said(Nothing)
        archival.retire_passages([passage_id], retired=False)
        return _shown(passage_id)


class PassageVersions(ScopedView):
    """A passage with all that it was corrected to and from, the newest first, on one page."""

    @extend_schema(operation_id="passage_versions", tags=["archives"], responses=page_of(PassageSerializer))
    def get(self, request: Request, passage_id: uuid.UUID) -> Response:
        return answer(request, PassageSerializer, archival.history_of(passage_id), None)


class PassageSimilar(ScopedView):
    """What else is filed in the workspace that is like a passage, the most alike first, on one page."""

    @extend_schema(
        operation_id="passage_similar",
        tags=["archives"],
        parameters=[SimilarQuery],
        responses=page_of(HitSerializer),
    )
    def get(self, request: Request, passage_id: uuid.UUID) -> Response:
        asked: dict[str, Any] = self.asked(SimilarQuery)
        found = archival.similar_passages(passage_id, limit=asked["limit"])
        return answer(request, HitSerializer, found, None)


def _shown(passage_id: uuid.UUID) -> Response:
    rows = Passage.objects.select_related("source", "archive", "document")
    return Response(PassageSerializer(rows.get(id=passage_id)).data)
