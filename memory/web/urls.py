"""Addresses of one block's pages; those that name its agents are in `agents.web`."""

from __future__ import annotations

from django.urls import include, path

from memory.web import history, inbox, measuring, moving, views

_proposal = [
    path("", inbox.proposal, name="proposal"),
    path("approve/", inbox.approve, name="proposal-approve"),
    path("reject/", inbox.reject, name="proposal-reject"),
    path("withdraw/", inbox.withdraw, name="proposal-withdraw"),
    path("undo/", inbox.undo, name="proposal-undo"),
]

_block = [
    path("versions/", history.versions, name="block-versions"),
    path("versions/compare/", history.compare, name="block-compare"),
    path("versions/<int:a>..<int:b>/", history.difference, name="block-diff"),
    path("versions/<int:number>/", history.version, name="block-version"),
    path("versions/<int:number>/change/", views.chip, name="block-change"),
    path("versions/<int:number>/restore/", views.restore, name="block-restore"),
    path("blame/", history.blame, name="block-blame"),
    path("move/", moving.move, name="block-move"),
    path("versions/<int:number>/undo/", views.undo, name="block-undo"),
]

urlpatterns = [
    path("w/<workspace:workspace>/memory/measure/", measuring.count, name="measure"),
    path("w/<workspace:workspace>/memory/inbox/", inbox.inbox, name="inbox"),
    path("w/<workspace:workspace>/memory/inbox/<uuid:proposal>/", include(_proposal)),
    path("w/<workspace:workspace>/memory/<uuid:block>/", include(_block)),
]
