"""Routes of the API that need nothing but memory, under /api/v1/."""

from __future__ import annotations

from django.urls import path

from memory.api import archives, blocks, documents, passages, proposals, skills, versions, views

BLOCK = "blocks/<uuid:block_id>"
VERSION = f"{BLOCK}/versions/<int:number>"
PROPOSAL = "proposals/<uuid:proposal_id>"
ARCHIVE = "archives/<uuid:archive_id>"
PASSAGE = "passages/<uuid:passage_id>"
DOCUMENT = "documents/<uuid:document_id>"
SKILL = "skills/<uuid:skill_id>"

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
    path("archives/", archives.Archives.as_view(), name="api-archives"),
    path(f"{ARCHIVE}/", archives.ArchiveDetail.as_view(), name="api-archive"),
    path(f"{ARCHIVE}/return/", archives.ArchiveReturn.as_view(), name="api-archive-return"),
    path(f"{ARCHIVE}/passages/", archives.ArchivePassages.as_view(), name="api-archive-passages"),
    path(f"{ARCHIVE}/documents/", documents.ArchiveDocuments.as_view(), name="api-archive-documents"),
    path(f"{PASSAGE}/", passages.PassageDetail.as_view(), name="api-passage"),
    path(f"{PASSAGE}/return/", passages.PassageReturn.as_view(), name="api-passage-return"),
    path(f"{PASSAGE}/versions/", passages.PassageVersions.as_view(), name="api-passage-versions"),
    path(f"{PASSAGE}/similar/", passages.PassageSimilar.as_view(), name="api-passage-similar"),
    path(f"{DOCUMENT}/", documents.DocumentDetail.as_view(), name="api-document"),
    path(f"{DOCUMENT}/return/", documents.DocumentReturn.as_view(), name="api-document-return"),
    path(f"{DOCUMENT}/cancel/", documents.DocumentCancel.as_view(), name="api-document-cancel"),
    path(f"{DOCUMENT}/retry/", documents.DocumentRetry.as_view(), name="api-document-retry"),
    path(f"{DOCUMENT}/file/", documents.DocumentFileView.as_view(), name="api-document-file"),
    path(f"{DOCUMENT}/passages/", documents.DocumentPassages.as_view(), name="api-document-passages"),
    path("skills/", skills.Skills.as_view(), name="api-skills"),
    path(f"{SKILL}/", skills.SkillDetail.as_view(), name="api-skill"),
    path(f"{SKILL}/return/", skills.SkillReturn.as_view(), name="api-skill-return"),
    path(f"{SKILL}/versions/", skills.SkillVersions.as_view(), name="api-skill-versions"),
    path(f"{SKILL}/versions/<int:number>/restore/", skills.SkillRestore.as_view(), name="api-skill-restore"),
]
