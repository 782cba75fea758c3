"""A block with what a page says of it at a glance: how full it is, how governed, and what one may do."""

from __future__ import annotations

from dataclasses import dataclass

from memory import core, governance, measure
from memory.models import Block
from tenants.permissions import NotAllowed

WRITE, PROPOSE, READ = "write", "propose", "read"


@dataclass(frozen=True)
class Card:
    """A block as it is, or as an agent or a chat has it. `may` is one of WRITE, PROPOSE, READ.

    `place` is the query by which its address says in which chat, or at which agent, it is shown.
    """

    block: Block
    used: int
    may: str
    governance: str
    place: str = ""
    is_lent: bool = False


def card_of(block: Block) -> Card:
    """A block as it is, whichever agents have it."""
    return Card(block, measure.used(block), may_of(block), block.governance)


def may_of(block: Block) -> str:
    """What the present person may do with a block's text."""
    if block.retired_at is not None:
        return READ
    try:
        found = governance.verdict(block, core.by_me())
    except NotAllowed:
        return READ
    return WRITE if found is governance.Verdict.WRITE else PROPOSE
