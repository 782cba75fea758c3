"""Routes of the API about an organisation and its people, under /api/v1/."""

from __future__ import annotations

from django.urls import path

from tenants.api import audit, people, workspaces

WORKSPACE = "workspaces/<uuid:workspace_id>/"
PERSON = "people/<uuid:person_id>/"
INVITATION = "invitations/<uuid:invitation_id>/"

urlpatterns = [
    path("organisation/", workspaces.Organisation.as_view(), name="api-organisation"),
    path("workspaces/", workspaces.Workspaces.as_view(), name="api-workspaces"),
    path(WORKSPACE, workspaces.WorkspaceDetail.as_view(), name="api-workspace"),
    path(f"{WORKSPACE}reopen/", workspaces.WorkspaceReopen.as_view(), name="api-workspace-reopen"),
    path(f"{WORKSPACE}members/", workspaces.Members.as_view(), name="api-members"),
    path(f"{WORKSPACE}members/<uuid:person_id>/", workspaces.MemberDetail.as_view(), name="api-member"),
    path("people/", people.People.as_view(), name="api-people"),
    path(PERSON, people.PersonDetail.as_view(), name="api-person"),
    path(f"{PERSON}leaving/", people.PersonLeaving.as_view(), name="api-person-leaving"),
    path(f"{PERSON}ownership/", people.PersonOwnership.as_view(), name="api-person-ownership"),
    path("invitations/", people.Invitations.as_view(), name="api-invitations"),
    path(INVITATION, people.InvitationDetail.as_view(), name="api-invitation"),
    path(f"{INVITATION}renew/", people.InvitationRenew.as_view(), name="api-invitation-renew"),
    path("keys/", people.Keys.as_view(), name="api-keys"),
    path("keys/<uuid:key_id>/", people.KeyDetail.as_view(), name="api-key"),
    path("audit/", audit.Events.as_view(), name="api-audit"),
    path("audit/export/", audit.EventsFile.as_view(), name="api-audit-export"),
]
