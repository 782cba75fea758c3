"""Routes of the people of an organisation, of invitations and of keys. They need a key with `manage`."""

from __future__ import annotations

import uuid
from smtplib import SMTPException
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tenants import invitations, keys, people
from tenants.api.bodies import Nothing
from tenants.api.organisation_bodies import InvitationNew, KeyNew, PersonChange, Renewal
from tenants.api.pages import Order, PageQuery, answer, cut, page_of
from tenants.api.serializers import (
    InvitationMadeSerializer,
    InvitationSerializer,
    KeyMadeSerializer,
    KeySerializer,
    LeavingSerializer,
    PersonSerializer,
)
from tenants.api.views import ConfidentialView, reachable
from tenants.keys import digest
from tenants.models import ApiKey, Invitation, Membership
from tenants.permissions import my_role
from tenants.scope import current_scope
from tenants.services import require_tenant_role

PEOPLE, INVITATIONS, KEYS = ["people"], ["invitations"], ["keys"]
NEWEST = Order(descending=True)


class People(ConfidentialView):
    """The people of the organisation."""

    @extend_schema(
        operation_id="people", tags=PEOPLE, parameters=[PageQuery], responses=page_of(PersonSerializer)
    )
    def get(self, request: Request) -> Response:
        found, cursor = cut(_people(), self.asked(PageQuery), Order())
        return answer(request, PersonSerializer, _shown(*found), cursor)


def _people() -> QuerySet[Membership]:
    return Membership.objects.filter(is_active=True).select_related("user")


def _shown(*seats: Membership) -> list[dict[str, Any]]:
    """Names are for everybody, e-mails for who governs."""
    governs = my_role() in {Membership.Role.OWNER, Membership.Role.ADMIN}
    mine = current_scope().user_id
    return [
        {
            "id": each.id,
            "user_id": each.user_id,
            "name": each.name,
            "role": each.role,
            "email": each.user.email if governs or each.user_id == mine else None,
            "created_at": each.created_at,
        }
        for each in seats
    ]


def _person(person_id: uuid.UUID) -> Any:
    return PersonSerializer(_shown(_people().get(id=person_id))[0]).data


class PersonDetail(ConfidentialView):
    """One person, their role, and the end of their seat."""

    @extend_schema(operation_id="person", tags=PEOPLE, responses=PersonSerializer)
    def get(self, request: Request, person_id: uuid.UUID) -> Response:
        return Response(_person(person_id))

    @extend_schema(
        operation_id="person_change", tags=PEOPLE, request=PersonChange, responses=PersonSerializer
    )
    def patch(self, request: Request, person_id: uuid.UUID) -> Response:
        people.change_role(membership_id=person_id, **self.said(PersonChange))
        return Response(_person(person_id))

    @extend_schema(
        operation_id="person_remove",
        tags=PEOPLE,
        responses={204: OpenApiResponse(description="The seat has ended. Of your own: you have left.")},
    )
    def delete(self, request: Request, person_id: uuid.UUID) -> Response:
        people.remove_person(membership_id=person_id)
        return Response(status=204)


class PersonLeaving(ConfidentialView):
    """What would happen if a person left or were removed."""

    @extend_schema(operation_id="person_leaving", tags=PEOPLE, responses=LeavingSerializer)
    def get(self, request: Request, person_id: uuid.UUID) -> Response:
        return Response(LeavingSerializer(people.preview_leaving(membership_id=person_id)).data)


class PersonOwnership(ConfidentialView):
    """Make a person an owner in your place; you are an admin then."""

    @extend_schema(operation_id="ownership_transfer", tags=PEOPLE, request=None, responses=PersonSerializer)
    def post(self, request: Request, person_id: uuid.UUID) -> Response:
        self.said(Nothing)
        people.transfer_ownership(membership_id=person_id)
        return Response(_person(person_id))


class Invitations(ConfidentialView):
    """Links that wait to be used, the newest first, and new ones."""

    @extend_schema(
        operation_id="invitations",
        tags=INVITATIONS,
        parameters=[PageQuery],
        responses=page_of(InvitationSerializer),
    )
    def get(self, request: Request) -> Response:
        require_tenant_role(Membership.Role.ADMIN)
        return answer(
            request, InvitationSerializer, *cut(invitations.pending(), self.asked(PageQuery), NEWEST)
        )

    @extend_schema(
        operation_id="invitation_make",
        tags=INVITATIONS,
        request=InvitationNew,
        responses={201: InvitationMadeSerializer},
    )
    def post(self, request: Request) -> Response:
        said = self.said(InvitationNew)
        wants_mail = said.pop("send")
        workspace_id = said.pop("workspace", None)
        reachable(workspace_id)
        token = invitations.invite(**said, workspace_id=workspace_id)
        return Response(_made(request, token, wants_mail=wants_mail), status=201)


def _made(request: Request, token: str, *, wants_mail: bool) -> Any:
    """An invitation with its link. That an e-mail did not go out is no reason to lose the link."""
    made = Invitation.objects.get(digest=digest(token))
    made.link = request.build_absolute_uri(reverse("join", args=[token]))  # type: ignore[attr-defined]
    made.sent = wants_mail and _is_sent(token, made.link)  # type: ignore[attr-defined]
    return InvitationMadeSerializer(made).data


def _is_sent(token: str, link: str) -> bool:
    try:
        invitations.send(invitations.read(token), link)
    except (SMTPException, OSError):
        return False
    return True


class InvitationDetail(ConfidentialView):
    """An invitation that was not used yet."""

    @extend_schema(
        operation_id="invitation_revoke",
        tags=INVITATIONS,
        responses={204: OpenApiResponse(description="The link is dead.")},
    )
    def delete(self, request: Request, invitation_id: uuid.UUID) -> Response:
        invitations.revoke(invitation_id=invitation_id)
        return Response(status=204)


class InvitationRenew(ConfidentialView):
    """A new link in the place of the old one, which dies."""

    @extend_schema(
        operation_id="invitation_renew",
        tags=INVITATIONS,
        request=Renewal,
        responses=InvitationMadeSerializer,
    )
    def post(self, request: Request, invitation_id: uuid.UUID) -> Response:
        token = invitations.renew(invitation_id=invitation_id, **self.said(Renewal))
        return Response(_made(request, token, wants_mail=False))


class Keys(ConfidentialView):
    """Your own keys, the newest first, dead ones too; and new ones."""

    @extend_schema(operation_id="keys", tags=KEYS, parameters=[PageQuery], responses=page_of(KeySerializer))
    def get(self, request: Request) -> Response:
        return answer(request, KeySerializer, *cut(keys.my_keys(), self.asked(PageQuery), NEWEST))

    @extend_schema(operation_id="key_make", tags=KEYS, request=KeyNew, responses={201: KeyMadeSerializer})
    def post(self, request: Request) -> Response:
        said = self.said(KeyNew)
        workspace_ids = said.pop("workspaces", None)
        secret = keys.create_key(**said, workspace_ids=workspace_ids)
        made = ApiKey.objects.get(digest=digest(secret))
        made.secret = secret  # type: ignore[attr-defined]
        return Response(KeyMadeSerializer(made).data, status=201)


class KeyDetail(ConfidentialView):
    """One of your own keys."""

    @extend_schema(
        operation_id="key_revoke",
        tags=KEYS,
        responses={204: OpenApiResponse(description="It works no more, and its streams have ended.")},
    )
    def delete(self, request: Request, key_id: uuid.UUID) -> Response:
        keys.revoke_key(key_id=key_id)
        return Response(status=204)
