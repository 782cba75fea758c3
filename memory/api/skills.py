"""The API's routes of skills."""

from __future__ import annotations

import uuid

from django.db.models.functions import Length
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memory import core, skills
from memory.api.archive_bodies import DeletableQuery, SkillChange, SkillNew, skill_fields
from memory.api.archive_serializers import SkillSerializer, SkillVersionSerializer
from memory.api.etags import ETAG, IF_MATCH, expected_version
from memory.models import Skill, SkillVersion
from tenants.api.bodies import Nothing
from tenants.api.pages import Order, PageQuery, answer, cut, page_of, whole
from tenants.api.views import ScopedView, reachable
from tenants.scope import current_scope

WEIGHT = Length("content")


class Skills(ScopedView):
    """The skills in your workspaces, and new ones."""

    @extend_schema(
        operation_id="skills",
        tags=["skills"],
        parameters=[DeletableQuery],
        responses=page_of(SkillSerializer),
    )
    def get(self, request: Request) -> Response:
        asked = self.asked(DeletableQuery)
        rows = Skill.objects.filter(retired_at__isnull=asked["deleted"] == "false")
        if "workspace" in asked:
            reachable(asked["workspace"])
            rows = rows.filter(workspace_id=asked["workspace"])
        return answer(request, SkillSerializer, *cut(rows, asked, Order(), WEIGHT))

    @extend_schema(
        operation_id="skill_create",
        tags=["skills"],
        request=SkillNew,
        responses={201: SkillSerializer},
        parameters=[ETAG],
    )
    def post(self, request: Request) -> Response:
        said = self.said(SkillNew)
        place = said.pop("workspace", None)
        reachable(place)
        made = skills.create_skill(workspace_id=place or current_scope().home, actor=core.by_me(), **said)
        return _shown(made, status=201)


class SkillDetail(ScopedView):
    """One skill."""

    @extend_schema(operation_id="skill", tags=["skills"], responses=SkillSerializer, parameters=[ETAG])
    def get(self, request: Request, skill_id: uuid.UUID) -> Response:
        return _shown(Skill.objects.get(id=skill_id))

    @extend_schema(
        operation_id="skill_change",
        tags=["skills"],
        request=SkillChange,
        responses=SkillSerializer,
        parameters=[IF_MATCH, ETAG],
    )
    def patch(self, request: Request, skill_id: uuid.UUID) -> Response:
        seen, fields = expected_version(request), skill_fields(self.said(SkillChange))
        changed = skills.edit_skill(skill_id, fields, expected_version=seen, actor=core.by_me())
        return _shown(changed)

    @extend_schema(
        operation_id="skill_delete",
        tags=["skills"],
        responses={204: OpenApiResponse(description="No agent knows it any more; it can come back.")},
    )
    def delete(self, request: Request, skill_id: uuid.UUID) -> Response:
        skills.retire_skill(skill_id)
        return Response(status=204)


class SkillReturn(ScopedView):
    """Bring a deleted skill back."""

    @extend_schema(
        operation_id="skill_return",
        tags=["skills"],
        request=None,
        responses=SkillSerializer,
        parameters=[ETAG],
    )
    def post(self, request: Request, skill_id: uuid.UUID) -> Response:
        self.said(Nothing)
        return _shown(skills.retire_skill(skill_id, retired=False))


class SkillVersions(ScopedView):
    """What a skill read like, the newest first."""

    @extend_schema(
        operation_id="skill_versions",
        tags=["skills"],
        parameters=[PageQuery],
        responses=page_of(SkillVersionSerializer),
    )
    def get(self, request: Request, skill_id: uuid.UUID) -> Response:
        rows = SkillVersion.objects.filter(skill=Skill.objects.get(id=skill_id))
        order = Order("number", descending=True, read=whole)
        return answer(request, SkillVersionSerializer, *cut(rows, self.asked(PageQuery), order, WEIGHT))


class SkillRestore(ScopedView):
    """Make an old version the newest one again, as a new version."""

    @extend_schema(
        operation_id="skill_restore",
        tags=["skills"],
        request=None,
        responses=SkillSerializer,
        parameters=[ETAG],
    )
    def post(self, request: Request, skill_id: uuid.UUID, number: int) -> Response:
        self.said(Nothing)
        return _shown(skills.restore(skill_id, number, actor=core.by_me()))


def _shown(skill: Skill, status: int = 200) -> Response:
    return Response(SkillSerializer(skill).data, status=status, headers={"ETag": f'"{skill.version}"'})
