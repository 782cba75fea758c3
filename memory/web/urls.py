"""Addresses of pages about blocks, archives, documents, search; what names agents is in `agents.web`."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from memory.web import (
    archive,
    bulk,
    document,
    documents,
    history,
    inbox,
    measuring,
    moving,
    passages,
    search,
    views,
)

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

_passage = [
    path("", passages.passage, name="passage"),
    path("edit/", passages.edit_passage, name="passage-edit"),
    path("newest/", passages.newest, name="passage-newest"),
    path("undo/", passages.undo, name="passage-undo"),
    path("delete/", passages.delete, name="passage-delete"),
    path("return/", passages.bring_back, name="passage-return"),
]

_archive: list[URLPattern | URLResolver] = [
    path("", archive.archive, name="archive"),
    path("new/", archive.new_archive, name="archive-new"),
    path("bulk/", bulk.delete, name="archive-bulk"),
    path("bulk/return/", bulk.bring_back, name="archive-bulk-return"),
    path("passages/new/", passages.new_passage, name="passage-new"),
    path("passages/<uuid:passage>/", include(_passage)),
    path("<uuid:archive>/", archive.archive_one, name="archive-one"),
    path("<uuid:archive>/edit/", archive.edit_archive, name="archive-edit"),
    path("<uuid:archive>/delete/", archive.delete_archive, name="archive-delete"),
    path("<uuid:archive>/return/", archive.bring_back_archive, name="archive-return"),
]

_document = [
    path("", document.document, name="document"),
    path("state/", document.state, name="document-state"),
    path("text/", document.text, name="document-text"),
    path("file/", document.file, name="document-file"),
    path("replace/", document.replace, name="document-replace"),
    path("cancel/", document.cancel, name="document-cancel"),
    path("retry/", document.retry, name="document-retry"),
    path("delete/", document.delete, name="document-delete"),
    path("return/", document.bring_back, name="document-return"),
]

urlpatterns = [
    path("w/<workspace:workspace>/archive/", include(_archive)),
    path("w/<workspace:workspace>/documents/", documents.documents, name="documents"),
    path("w/<workspace:workspace>/documents/<uuid:document>/", include(_document)),
    path("w/<workspace:workspace>/search/", search.search, name="search"),
    path("w/<workspace:workspace>/memory/measure/", measuring.count, name="measure"),
    path("w/<workspace:workspace>/memory/inbox/", inbox.inbox, name="inbox"),
    path("w/<workspace:workspace>/memory/inbox/<uuid:proposal>/", include(_proposal)),
    path("w/<workspace:workspace>/memory/<uuid:block>/", include(_block)),
]
