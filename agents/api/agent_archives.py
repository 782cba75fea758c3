"""Routes of what an agent has beside its blocks: archives that it searches, skills that it knows."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from agents import archives, skills
from agents.models import Agent, AgentArchive, AgentSkill
from memory.api.archive_serializers import ArchiveSerializer, SkillSerializer
from tenants.api.bodies import Nothing
from tenants.api.pages import Order, PageQuery, answer, cut, page_of
from tenants.api.views import ScopedView


class AgentArchiveSerializer(serializers.Serializer[Any]):
    """An archive as an agent has it."""

    is_own = serializers.BooleanField(help_text="The agent writes to it; others it only searches.")
    archive = ArchiveSerializer()


class AgentSkillSerializer(serializers.Serializer[Any]):
    """A skill as an agent has it."""

    skill = SkillSerializer()


class AgentArchives(ScopedView):
    """The archives that an agent searches, of those that you may see."""

    @extend_schema(
        operation_id="agent_archives",
        tags=["agents"],
        parameters=[PageQuery],
        responses=page_of(AgentArchiveSerializer),
    )
    def get(self, request: Request, agent_id: uuid.UUID) -> Response:
        rows = AgentArchive.objects.filter(agent=Agent.objects.get(id=agent_id), archive__retired_at=None)
        page = cut(rows.select_related("archive"), self.asked(PageQuery), Order())
        return answer(request, AgentArchiveSerializer, *page)


class AgentArchiveDetail(ScopedView):
    """One archive of an agent."""

    @extend_schema(
        operation_id="agent_archive_attach",
        tags=["agents"],
        request=None,
        responses={201: AgentArchiveSerializer},
        description="Let an agent search an archive. It takes an editor on both sides.",
    )
    def post(self, request: Request, agent_id: uuid.UUID, archive_id: uuid.UUID) -> Response:
        self.said(Nothing)
        return Response(AgentArchiveSerializer(archives.attach(agent_id, archive_id)).data, status=201)

    @extend_schema(
        operation_id="agent_archive_detach",
        tags=["agents"],
        responses={204: OpenApiResponse(description="The agent searches it no longer; the archive stays.")},
    )
    def delete(self, request: Request, agent_id: uuid.UUID, archive_id: uuid.UUID) -> Response:
        archives.detach(agent_id, archive_id)
        return Response(status=204)


class AgentSkills(ScopedView):
    """The skills that an agent knows, of those that you may see."""

    @extend_schema(
        operation_id="agent_skills",
        tags=["agents"],
        parameters=[PageQuery],
        responses=page_of(AgentSkillSerializer),
    )
    def get(self, request: Request, agent_id: uuid.UUID) -> Response:
        rows = AgentSkill.objects.filter(agent=Agent.objects.get(id=agent_id), skill__retired_at=None)
        page = cut(rows.select_related("skill"), self.asked(PageQuery), Order())
        return answer(request, AgentSkillSerializer, *page)


class AgentSkillDetail(ScopedView):
    """One skill of an agent."""

    @extend_schema(
        operation_id="agent_skill_attach",
        tags=["agents"],
        request=None,
        responses={201: AgentSkillSerializer},
        description="Let an agent know a skill. It takes an editor on both sides.",
    )
    def post(self, request: Request, agent_id: uuid.UUID, skill_id: uuid.UUID) -> Response:
        self.said(Nothing)
        return Response(AgentSkillSerializer(skills.attach(agent_id, skill_id)).data, status=201)

    @extend_schema(
        operation_id="agent_skill_detach",
        tags=["agents"],
        responses={204: OpenApiResponse(description="The agent knows it no longer; the skill stays.")},
    )
    def delete(self, request: Request, agent_id: uuid.UUID, skill_id: uuid.UUID) -> Response:
        skills.detach(agent_id, skill_id)
        return Response(status=204)
