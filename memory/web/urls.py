"""Addresses of one block's pages; those that name its agents are in `agents.web`."""

from __future__ import annotations

from django.urls import include, path

from memory.web import views

_block = [
    path("card/", views.card, name="block-card"),
    path("versions/", views.versions, name="block-versions"),
    path("versions/<int:a>..<int:b>/", views.version_diff, name="block-diff"),
    path("versions/<int:number>/change/", views.chip, name="block-change"),
    path("versions/<int:number>/restore/", views.restore, name="block-restore"),
    path("versions/<int:number>/undo/", views.undo, name="block-undo"),
]

urlpatterns = [
    path("w/<workspace:workspace>/memory/<uuid:block>/", include(_block)),
]
