"""Routes of the organisation, its workspaces and their members. What governs needs a key with `manage`."""

from __future__ import annotations

import uuid

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tenants import members, services
from tenants.api.bodies import Nothing
from tenants.api.organisation_bodies import (
    MemberChange,
    MemberNew,
    OrganisationChange,
    WorkspaceNamed,
    WorkspacesQuery,
)
from tenants.api.pages import Order, PageQuery, answer, cut, page_of
from tenants.api.serializers import MemberSerializer, OrganisationSerializer, WorkspaceSerializer
from tenants.api.views import GoverningView, reachable
from tenants.models import Membership, Tenant, Workspace, WorkspaceMember
from tenants.scope import current_scope, scope

TAGS = ["organisation"]


class Organisation(GoverningView):
    """The organisation that the key is for."""

    is_about_the_whole = True

    @extend_schema(operation_id="organisation", tags=TAGS, responses=OrganisationSerializer)
    def get(self, request: Request) -> Response:
        return Response(OrganisationSerializer(Tenant.objects.get()).data)

    @extend_schema(
        operation_id="organisation_change",
        tags=TAGS,
        request=OrganisationChange,
        responses=OrganisationSerializer,
    )
    def patch(self, request: Request) -> Response:
        return Response(OrganisationSerializer(services.update_tenant(**self.said(OrganisationChange))).data)


class Workspaces(GoverningView):
    """Your workspaces, and new ones."""

    @extend_schema(
        operation_id="workspaces",
        tags=TAGS,
        parameters=[WorkspacesQuery],
        responses=page_of(WorkspaceSerializer),
    )
    def get(self, request: Request) -> Response:
        asked = self.asked(WorkspacesQuery)
        if asked["closed"] == "true":
            return answer(request, WorkspaceSerializer, services.closed_workspaces(), None)
        return answer(request, WorkspaceSerializer, *cut(Workspace.objects.all(), asked, Order()))

    @extend_schema(
        operation_id="workspace_open",
        tags=TAGS,
        request=WorkspaceNamed,
        responses={201: WorkspaceSerializer},
        description="Open a team's workspace, of which you are the admin.",
    )
    def post(self, request: Request) -> Response:
        made = services.open_workspace(**self.said(WorkspaceNamed))
        return Response(_as_reached(made), status=201)


def _as_reached(workspace: Workspace) -> object:
    """A workspace that the request's own scope does not reach yet."""
    with scope(current_scope().identity):
        return WorkspaceSerializer(workspace).data


class WorkspaceDetail(GoverningView):
    """One workspace."""

    @extend_schema(operation_id="workspace", tags=TAGS, responses=WorkspaceSerializer)
    def get(self, request: Request, workspace_id: uuid.UUID) -> Response:
        return Response(WorkspaceSerializer(Workspace.objects.get(id=workspace_id)).data)

    @extend_schema(
        operation_id="workspace_rename", tags=TAGS, request=WorkspaceNamed, responses=WorkspaceSerializer
    )
    def patch(self, request: Request, workspace_id: uuid.UUID) -> Response:
        reachable(workspace_id)
        renamed = services.rename_workspace(workspace_id=workspace_id, **self.said(WorkspaceNamed))
        return Response(WorkspaceSerializer(renamed).data)

    @extend_schema(
        operation_id="workspace_close",
        tags=TAGS,
        responses={204: OpenApiResponse(description="It is out of everybody's reach; nothing is deleted.")},
    )
    def delete(self, request: Request, workspace_id: uuid.UUID) -> Response:
        reachable(workspace_id)
        services.close_workspace(workspace_id=workspace_id)
        return Response(status=204)


class WorkspaceReopen(GoverningView):
    """A closed workspace of which you are an admin."""

    @extend_schema(
        operation_id="workspace_reopen", tags=TAGS, request=None, responses={200: WorkspaceSerializer}
    )
    def post(self, request: Request, workspace_id: uuid.UUID) -> Response:
        self.said(Nothing)
        return Response(_as_reached(services.reopen_workspace(workspace_id=workspace_id)))


class Members(GoverningView):
    """The people in a workspace."""

    @extend_schema(
        operation_id="members", tags=TAGS, parameters=[PageQuery], responses=page_of(MemberSerializer)
    )
    def get(self, request: Request, workspace_id: uuid.UUID) -> Response:
        reachable(workspace_id)
        rows = WorkspaceMember.objects.filter(workspace_id=workspace_id, membership__is_active=True)
        page = cut(rows.select_related("membership"), self.asked(PageQuery), Order())
        return answer(request, MemberSerializer, *page)

    @extend_schema(operation_id="member_add", tags=TAGS, request=MemberNew, responses={201: MemberSerializer})
    def post(self, request: Request, workspace_id: uuid.UUID) -> Response:
        reachable(workspace_id)
        said = self.said(MemberNew)
        return Response(_put(workspace_id, said["person"], said["role"]), status=201)


def _put(workspace_id: uuid.UUID, person_id: uuid.UUID, role: str) -> object:
    seat = Membership.objects.get(id=person_id, is_active=True)
    member = members.add_member(workspace_id=workspace_id, user_id=seat.user_id, role=role)
    return MemberSerializer(member).data


class MemberDetail(GoverningView):
    """A person's place in a workspace."""

    @extend_schema(operation_id="member_change", tags=TAGS, request=MemberChange, responses=MemberSerializer)
    def patch(self, request: Request, workspace_id: uuid.UUID, person_id: uuid.UUID) -> Response:
        reachable(workspace_id)
        found = WorkspaceMember.objects.get(workspace_id=workspace_id, membership_id=person_id)
        return Response(_put(workspace_id, found.membership_id, self.said(MemberChange)["role"]))

    @extend_schema(
        operation_id="member_remove",
        tags=TAGS,
        responses={204: OpenApiResponse(description="They are out. Of your own place: you have left.")},
    )
    def delete(self, request: Request, workspace_id: uuid.UUID, person_id: uuid.UUID) -> Response:
        reachable(workspace_id)
        found = WorkspaceMember.objects.get(workspace_id=workspace_id, membership_id=person_id)
        members.remove_member(workspace_id=workspace_id, user_id=found.user_id)
        return Response(status=204)
