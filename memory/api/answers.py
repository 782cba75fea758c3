"""What a write to a block answers: the block that it made, or the proposal that it became."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiResponse
from rest_framework.response import Response

from memory.api.block_serializers import BlockSerializer, ProposalSerializer
from memory.models import Block, BlockVersion, Proposal

WRITTEN: dict[int, Any] = {
    200: BlockSerializer,
    202: OpenApiResponse(ProposalSerializer, "You may only propose it: this waits for an editor."),
}
"""The schema of such an answer."""


def block_answer(block: Block, **options: Any) -> Response:
    """A block with its ETag."""
    return Response(BlockSerializer(block).data, headers={"ETag": f'"{block.version}"'}, **options)


def proposal_answer(proposal: Proposal) -> Response:
    """202: a change that waits."""
    return Response(ProposalSerializer(proposal).data, status=202)


def written(made: Block | BlockVersion | Proposal) -> Response:
    """What became of a write."""
    if isinstance(made, Proposal):
        return proposal_answer(made)
    return block_answer(made if isinstance(made, Block) else made.block)
