"""What became of proposals: the model that made them hears it once, at the start of its next turn there."""

from __future__ import annotations

import uuid

from django.utils import timezone

from agents.context.quoting import quoted
from agents.models import Turn
from memory.models import Proposal
from tenants.people import names_of

TOLD_AT_MOST = 20
GIST = 120
HEAD = "[what became of your proposals]"


def take(turn: Turn) -> str:
    """What is to be told of decided proposals of a turn's conversation, and that it is told; or nothing.

    Marking and storing what is told are one transaction, the caller's: it is neither lost nor told twice.
    """
    rows = Proposal.objects.filter(conversation_id=turn.conversation_id, told_at=None)
    decided = list(
        rows.exclude(status=Proposal.Status.OPEN)
        .select_related("block", "made")
        .order_by("decided_at", "id")[:TOLD_AT_MOST]
    )
    if not decided:
        return ""
    Proposal.objects.filter(id__in=[each.id for each in decided]).update(told_at=timezone.now())
    names = names_of(each.decided_by for each in decided)
    return quoted("\n".join([HEAD, *(_line(each, names) for each in decided)]))


def _line(proposal: Proposal, names: dict[uuid.UUID | None, str]) -> str:
    who = names.get(proposal.decided_by) or "somebody"
    outcome = f"{proposal.status} by {who}"
    if proposal.made:
        outcome += f"; see version {proposal.made.number} of the block"
    if proposal.note:
        outcome += f"; their note: {_gist(proposal.note)}"
    # This is said in a voice of ours, and stays: no words of a document are in it.
    what = "" if proposal.is_untrusted else f" {_gist(_text_of(proposal))}"
    did = f"{proposal.operation}{what}"
    return f"- proposal {proposal.id} ({proposal.block.label}: {did}): {outcome}"


def _text_of(proposal: Proposal) -> str:
    """What was to be written, or where it was to be empty, what was to go."""
    given = [value for value in proposal.arguments.values() if isinstance(value, str) and value.strip()]
    return given[-1] if given else proposal.value


def _gist(text: str) -> str:
    line = " ".join(text.split())
    return f"“{line if len(line) <= GIST else f'{line[:GIST]}…'}”"
