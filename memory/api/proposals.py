"""The API's routes of proposals: what waits, one with its preview, and deciding about it."""

from __future__ import annotations

import uuid

from django.db.models.functions import Length
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memory import proposals
from memory.api.answers import block_answer
from memory.api.block_serializers import BlockSerializer, ProposalDetailSerializer, ProposalSerializer
from memory.api.bodies import Approval, ProposalsQuery, Rejection
from memory.api.etags import ETAG
from memory.models import Block, Proposal
from tenants.api.bodies import Nothing
from tenants.api.pages import Order, answer, cut, page_of
from tenants.api.views import ScopedView, reachable


class Proposals(ScopedView):
    """Proposals in your workspaces, the oldest first; those that wait, unless another status is asked for."""

    @extend_schema(
        operation_id="proposals",
        tags=["proposals"],
        parameters=[ProposalsQuery],
        responses=page_of(ProposalSerializer),
    )
    def get(self, request: Request) -> Response:
        asked = self.asked(ProposalsQuery)
        rows = proposals.with_status(asked["status"])
        if "workspace" in asked:
            reachable(asked["workspace"])
            rows = rows.filter(workspace_id=asked["workspace"])
        if "block" in asked:
            rows = rows.filter(block=Block.objects.get(id=asked["block"]))
        rows = rows.defer("base__value", "block__value")
        return answer(request, ProposalSerializer, *cut(rows, asked, Order(), Length("value")))


class ProposalDetail(ScopedView):
    """One proposal, and what approving it would do now."""

    @extend_schema(operation_id="proposal", tags=["proposals"], responses=ProposalDetailSerializer)
    def get(self, request: Request, proposal_id: uuid.UUID) -> Response:
        found = Proposal.objects.select_related("block", "base", "source").get(id=proposal_id)
        is_open = found.status == Proposal.Status.OPEN
        found.preview = proposals.preview(found) if is_open else None  # type: ignore[attr-defined]
        return Response(ProposalDetailSerializer(found).data)


class ProposalApprove(ScopedView):
    """Allow a proposal, as it is or with another text; 409 where both changed the same, with all texts."""

    @extend_schema(
        operation_id="proposal_approve",
        tags=["proposals"],
        request=Approval,
        responses=BlockSerializer,
        parameters=[ETAG],
    )
    def post(self, request: Request, proposal_id: uuid.UUID) -> Response:
        said = self.said(Approval)
        version = proposals.approve(
            proposal_id, value=said.get("value"), expected_version=said.get("version")
        )
        return block_answer(version.block)


class ProposalReject(ScopedView):
    """Decide against a proposal."""

    @extend_schema(
        operation_id="proposal_reject", tags=["proposals"], request=Rejection, responses=ProposalSerializer
    )
    def post(self, request: Request, proposal_id: uuid.UUID) -> Response:
        note = self.said(Rejection).get("note", "")
        return Response(ProposalSerializer(proposals.reject(proposal_id, note=note)).data)


class ProposalReopen(ScopedView):
    """Put what was rejected before the editors again."""

    @extend_schema(
        operation_id="proposal_reopen", tags=["proposals"], request=None, responses=ProposalSerializer
    )
    def post(self, request: Request, proposal_id: uuid.UUID) -> Response:
        self.said(Nothing)
        return Response(ProposalSerializer(proposals.reopen(proposal_id)).data)


class ProposalWithdraw(ScopedView):
    """Take back what you proposed, or what an agent did in a turn of yours."""

    @extend_schema(
        operation_id="proposal_withdraw", tags=["proposals"], request=None, responses=ProposalSerializer
    )
    def post(self, request: Request, proposal_id: uuid.UUID) -> Response:
        self.said(Nothing)
        return Response(ProposalSerializer(proposals.withdraw(proposal_id)).data)
