"""Routes of the API that need nothing but memory, under /api/v1/."""

from __future__ import annotations

from django.urls import path

from memory.api import blocks, proposals, versions, views

BLOCK = "blocks/<uuid:block_id>"
VERSION = f"{BLOCK}/versions/<int:number>"
PROPOSAL = "proposals/<uuid:proposal_id>"

urlpatterns = [
    path(f"{BLOCK}/operations/", blocks.BlockOperations.as_view(), name="api-block-operations"),
    path(f"{BLOCK}/blame/", blocks.BlockBlame.as_view(), name="api-block-blame"),
    path(f"{BLOCK}/return/", blocks.BlockReturn.as_view(), name="api-block-return"),
    path(f"{BLOCK}/move/", blocks.BlockMove.as_view(), name="api-block-move"),
    path(f"{BLOCK}/copy/", blocks.BlockCopy.as_view(), name="api-block-copy"),
    path(f"{BLOCK}/versions/", versions.BlockVersions.as_view(), name="api-block-versions"),
    path(f"{VERSION}/", versions.BlockVersionDetail.as_view(), name="api-block-version"),
    path(f"{VERSION}/restore/", blocks.BlockRestore.as_view(), name="api-block-restore"),
    path(f"{VERSION}/undo/", blocks.BlockUndo.as_view(), name="api-block-undo"),
    path(f"{BLOCK}/diff/<int:a>/<int:b>/", versions.BlockDiff.as_view(), name="api-block-diff"),
    path("proposals/", proposals.Proposals.as_view(), name="api-proposals"),
    path(f"{PROPOSAL}/", proposals.ProposalDetail.as_view(), name="api-proposal"),
    path(f"{PROPOSAL}/approve/", proposals.ProposalApprove.as_view(), name="api-proposal-approve"),
    path(f"{PROPOSAL}/reject/", proposals.ProposalReject.as_view(), name="api-proposal-reject"),
    path(f"{PROPOSAL}/reopen/", proposals.ProposalReopen.as_view(), name="api-proposal-reopen"),
    path(f"{PROPOSAL}/withdraw/", proposals.ProposalWithdraw.as_view(), name="api-proposal-withdraw"),
    path("messages/<uuid:message_id>/", views.MessageDetail.as_view(), name="api-message"),
    path("search/", views.Search.as_view(), name="api-search"),
]
