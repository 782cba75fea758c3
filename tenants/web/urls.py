"""Addresses of the tenants' pages."""

from __future__ import annotations

from django.urls import path, register_converter

from tenants.web import views
from tenants.web.converters import WorkspaceConverter

register_converter(WorkspaceConverter, "workspace")

urlpatterns = [
    path("", views.home, name="home"),
    path("me/", views.me, name="me"),
    path("w/<workspace:workspace>/settings/members/", views.members, name="members"),
    path("w/<workspace:workspace>/settings/members/invite/", views.invite, name="member-invite"),
    path(
        "w/<workspace:workspace>/settings/members/<uuid:membership>/reset-link/",
        views.reset_link,
        name="member-reset-link",
    ),
]
