"""Addresses of the tenants' pages."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path, register_converter

from tenants.web import audit, invitations, keys, me, organisation, people, workspaces
from tenants.web.converters import WorkspaceConverter

register_converter(WorkspaceConverter, "workspace")

_members = [
    path("", workspaces.add_member, name="workspace-members"),
    path("<uuid:member>/role/", workspaces.change_member, name="workspace-member-role"),
    path("<uuid:member>/remove/", workspaces.remove_member, name="workspace-member-remove"),
]

_person = [
    path("", people.person, name="person"),
    path("role/", people.change_role, name="person-role"),
    path("remove/", people.remove, name="person-remove"),
    path("transfer/", people.transfer, name="person-transfer"),
    path("reset-link/", people.reset_link, name="member-reset-link"),
]

_settings: list[URLPattern | URLResolver] = [
    path("", workspaces.settings, name="workspace-settings"),
    path("members/", include(_members)),
    path("leave/", workspaces.leave, name="workspace-leave"),
    path("close/", workspaces.close, name="workspace-close"),
    path("people/", people.people, name="people"),
    path("people/<uuid:membership>/", include(_person)),
    path("invitations/", invitations.invitations, name="invitations"),
    path("invitations/<uuid:invitation>/renew/", invitations.renew, name="invitation-renew"),
    path("invitations/<uuid:invitation>/revoke/", invitations.revoke, name="invitation-revoke"),
    path("keys/", keys.keys, name="keys"),
    path("keys/new/", keys.new_key, name="key-new"),
    path("keys/<uuid:key>/revoke/", keys.revoke, name="key-revoke"),
    path("organisation/", organisation.organisation, name="organisation"),
    path("organisation/leave/", organisation.leave, name="organisation-leave"),
]

_workspace: list[URLPattern | URLResolver] = [
    path("settings/", include(_settings)),
    path("workspaces/", workspaces.workspaces, name="workspaces"),
    path("workspaces/new/", workspaces.new_workspace, name="workspace-new"),
    path("workspaces/<uuid:closed>/reopen/", workspaces.reopen, name="workspace-reopen"),
    path("audit/", audit.audit, name="audit"),
    path("audit/export/", audit.export, name="audit-export"),
    path("first-steps/", me.first_steps, name="first-steps"),
]

urlpatterns = [
    path("", me.home, name="home"),
    path("me/", me.me, name="me"),
    path("me/readings/", me.readings, name="readings"),
    path("organisations/<uuid:tenant>/", organisation.switch, name="organisation-open"),
    path("w/<workspace:workspace>/", include(_workspace)),
]
