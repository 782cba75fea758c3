"""Proposals as pages show them: what each would change, whose it is, and what may be done about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from memory import proposals
from memory.actors import ActorKind
from memory.comparing import Budget
from memory.merge import STEPS
from memory.models import Block, Proposal
from memory.proposals import Preview
from memory.web import diff
from memory.web.diff import Run
from memory.web.names import Hand, Names, names_of
from memory.web.presentation import message_of, messages_in_sight
from tenants.permissions import has_role
from tenants.scope import current_scope


@dataclass(frozen=True)
class ShownProposal:
    """A proposal (with its `block`, `base`, `made`, `source`), and what it makes of the block's text now."""

    proposal: Proposal
    preview: Preview | None
    who: str
    asked_by: str
    decided_by: str
    can_open_message: bool

    @property
    def block(self) -> Block:
        """The block that it would change."""
        found: Block = self.proposal.block
        return found

    @property
    def is_open(self) -> bool:
        """Whether it waits for somebody."""
        return self.proposal.status == Proposal.Status.OPEN

    @property
    def has_moved(self) -> bool:
        """Whether the block has changed since."""
        return self.preview is not None and self.preview.has_moved

    @property
    def is_clean(self) -> bool:
        """Whether it fits the block as it is now."""
        return self.preview is None or self.preview.is_clean

    @property
    def text(self) -> str:
        """The block's text with it."""
        if self.preview is not None:
            return self.preview.merged.text
        return self.proposal.made.value if self.proposal.made else self.proposal.value

    @property
    def changes(self) -> list[Run]:
        """What it changes, word by word: in today's text where it is open, else in that it was made for."""
        before = self.block.value if self.preview is not None else self.proposal.base.value
        return diff.folded(diff.runs(before, self.text)) if before != self.text else []

    @property
    def line(self) -> list[Run]:
        """What it changes, in one line."""
        return diff.one_line(self.proposal.base.value, self.proposal.value)

    @property
    def base_number(self) -> int:
        """The version that it was made for."""
        return int(self.proposal.base.number)

    @property
    def made_number(self) -> int:
        """The version that it became; 0 where it is none."""
        return int(self.proposal.made.number) if self.proposal.made else 0

    @property
    def message_id(self) -> str:
        """The message that it rests on, where one is."""
        return message_of(self.proposal.source)

    @property
    def can_decide(self) -> bool:
        """Whether the present person says yes or no to it."""
        return has_role(self.proposal.workspace_id, "editor")

    @property
    def can_withdraw(self) -> bool:
        """Whether the present person proposed it, or had an agent do so."""
        me = current_scope().user_id
        return me is not None and self.proposal.asked_by == me

    @property
    def can_undo(self) -> bool:
        """Whether the decision can be taken back: a rejection, and a version after which none came."""
        if self.proposal.status == Proposal.Status.REJECTED:
            return self.can_decide
        return self.can_decide and 1 < self.made_number == self.block.version


def shown_proposals(rows: Sequence[Proposal]) -> list[ShownProposal]:
    """Proposals as pages show them. A query for people, agents and messages each, however many there are."""
    names = names_of(hand for row in rows for hand in _hands(row))
    seen = messages_in_sight(message_of(row.source) for row in rows)
    budget = Budget(STEPS)  # one for the page: what is over it is merged by hand
    return [_shown(row, names, seen, budget) for row in rows]


def _hands(row: Proposal) -> list[Hand]:
    return [
        (row.actor_kind, row.actor_id),
        (ActorKind.USER, row.asked_by),
        (ActorKind.USER, row.decided_by),
    ]


def _shown(row: Proposal, names: Names, seen: set[str], budget: Budget) -> ShownProposal:
    is_persons = row.actor_kind == ActorKind.USER
    return ShownProposal(
        proposal=row,
        preview=proposals.preview(row, budget) if row.status == Proposal.Status.OPEN else None,
        who=names.of(row.actor_kind, row.actor_id),
        asked_by=names.person(row.asked_by) if row.asked_by and not is_persons else "",
        decided_by=names.person(row.decided_by) if row.decided_by else "",
        can_open_message=message_of(row.source) in seen,
    )


def with_all_it_names(rows: QuerySet[Proposal]) -> QuerySet[Proposal]:
    """Proposals with what `ShownProposal` reads."""
    return rows.select_related("block__workspace", "base", "made", "source")
