"""Memory that was written on a branch which was left. It stands, since blocks are as they are now and not as
they were; a person can take it back, each kind in the way in which it always is.
"""

from __future__ import annotations

import uuid
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256

from agents import changes
from agents.models import Turn
from memory import archival, branches, core, proposals
from memory.core import VersionConflict
from memory.models import Block, BlockVersion, Message, Passage, Proposal, Source
from memory.operations import BlockError
from memory.proposals import NotOpen, NotYourProposal
from tenants.permissions import NotAllowed, require_role

_REFUSED = (VersionConflict, BlockError, NotAllowed, NotOpen, NotYourProposal, Passage.DoesNotExist)


@dataclass(frozen=True)
class Run:
    """Changes of one block that are taken back together: nobody else has changed it since the first."""

    block: Block
    first: int
    versions: list[BlockVersion]


@dataclass(frozen=True)
class Written:
    """What was written on a branch and stands. `overtaken` are changes of blocks that others have changed
    since, of which something still stands there: only a person can tell what is to become of those."""

    runs: list[Run] = field(default_factory=list)
    overtaken: list[BlockVersion] = field(default_factory=list)
    proposals: list[Proposal] = field(default_factory=list)
    passages: list[Passage] = field(default_factory=list)

    @property
    def versions(self) -> list[BlockVersion]:
        """The changes of blocks that can be taken back."""
        return [version for run in self.runs for version in run.versions]

    @property
    def count(self) -> int:
        """How many changes can be taken back."""
        return len(self.versions) + len(self.proposals) + len(self.passages)

    @property
    def mark(self) -> str:
        """Stands for what can be taken back and what cannot: another offer has another mark."""
        told = [*self.versions, *self.proposals, *self.passages, *self.overtaken]
        return sha256(" ".join(sorted(str(each.id) for each in told)).encode()).hexdigest()[:12]


@dataclass(frozen=True)
class TakenBack:
    """How many changes were taken back, how many wait as proposals for an editor, how many stay."""

    done: int
    proposed: int
    kept: int


def written_below(heads: Collection[uuid.UUID]) -> dict[uuid.UUID, Written]:
    """For each of these messages what was written in its turn and in those that follow it, as far as it
    stands. Messages of which nothing does are left out, and so is what is on a chat's path."""
    left = (
        Message.objects.filter(id__in=heads, is_abandoned=True).values_list("id", flat=True) if heads else []
    )
    below = branches.turns_below(list(left))
    if not below:
        return {}
    every = {turn_id for turn_ids in below.values() for turn_id in turn_ids}
    writers = changes.Writers(Turn.objects.filter(id__in=every))
    versions, passages = changes.versions_of(writers), changes.passages_of(writers)
    proposed = changes.proposals_of(writers)
    found = {}
    for head, turn_ids in below.items():
        runs, overtaken = _standing([each for key in turn_ids for each in versions[key]])
        found[head] = Written(
            runs,
            overtaken,
            [each for key in turn_ids for each in proposed[key]],
            [each for key in turn_ids for each in passages[key]],
        )
    return {head: each for head, each in found.items() if each.count or each.overtaken}


def places_left(versions: Iterable[BlockVersion]) -> dict[uuid.UUID, uuid.UUID]:
    """For those of some versions (with their `source`) that a turn wrote on a branch which was left, by the
    version's id, the first message of the turn there. What somebody has allowed since is left out."""
    told = {
        version.id: (version.source.reference, version.valid_from)
        for version in versions
        if version.source and version.source.kind == Source.Kind.MESSAGE and version.proposal_id is None
    }
    if not told:
        return {}
    turns = Turn.objects.filter(message_id__in={reference for reference, _ in told.values()})
    writers = changes.Writers(turns)
    known = set(writers.references)
    wrote = {key: writers.of(*each) for key, each in told.items() if each[0] in known}
    left = Message.objects.filter(
        turn_id__in=set(wrote.values()), is_abandoned=True, conversation__deleted_at=None
    )
    first = dict(left.order_by("-position").values_list("turn_id", "id"))
    return {key: first[turn_id] for key, turn_id in wrote.items() if turn_id in first}


def take_back(message_id: uuid.UUID) -> TakenBack:
    """Take back what was written on the branch that begins with a message; what cannot be stays.

    Raises Message.DoesNotExist, NotAllowed.
    """
    message = Message.objects.get(id=message_id, conversation__deleted_at=None)
    require_role(message.workspace_id, "member")
    written = written_below([message_id]).get(message_id, Written())
    verbs: list[tuple[int, Callable[[], object]]] = [
        *((len(each.versions), partial(_undo, each)) for each in written.runs),
        *((1, partial(proposals.withdraw, each.id)) for each in written.proposals),
        *((1, partial(archival.retire_passages, [each.id])) for each in written.passages),
    ]
    came: Counter[str] = Counter(kept=len(written.overtaken))
    for count, verb in verbs:
        came[_tried(verb)] += count
    return TakenBack(came["done"], came["proposed"], came["kept"])


def _tried(verb: Callable[[], object]) -> str:
    """What came of it. The domain's refusals come before anything is written."""
    try:
        made = verb()
    except _REFUSED:
        return "kept"
    return "proposed" if isinstance(made, Proposal) and made.status == Proposal.Status.OPEN else "done"


def _undo(run: Run) -> BlockVersion | Proposal:
    return core.undo(run.block.id, run.block.version, actor=core.by_me(), since=run.first)


def _standing(versions: list[BlockVersion]) -> tuple[list[Run], list[BlockVersion]]:
    """Of changes of any blocks those that can be taken back, and those that others have overtaken."""
    by_block: dict[uuid.UUID, list[BlockVersion]] = defaultdict(list)
    for version in versions:
        by_block[version.block_id].append(version)
    runs, overtaken = [], []
    for own in by_block.values():
        run, rest = _of_block(sorted(own, key=lambda each: each.number))
        runs += [run] if run else []
        overtaken += rest
    return runs, overtaken


def _of_block(own: list[BlockVersion]) -> tuple[Run | None, list[BlockVersion]]:
    """The changes of one block, in order: the last of them, if nobody else came after, and the others."""
    block = own[0].block
    if block.retired_at is not None:
        return None, []
    rows = BlockVersion.objects.filter(block=block, number__gte=own[0].number - 1)
    since = {each.number: each for each in rows}
    first = _first_of_run(block.version, {each.number for each in own}, since)
    standing = [each for each in own if not _is_undone(each, since)]
    others = [each for each in standing if first is None or each.number < first]
    overtaken = [each for each in others if _stands(each, since, block.value)]
    last = [each for each in standing if first is not None and each.number >= first]
    if first is None or not last or block.value == since[first - 1].value:  # taken back already
        return None, overtaken
    return Run(block, first, last), overtaken


def _first_of_run(head: int, own: set[int], since: dict[int, BlockVersion]) -> int | None:
    """From the head down over changes of one's own and over what was undone: the first one of one's own."""
    first, number = None, head
    while number > 1 and (number in own or _is_undo(since.get(number))):
        first = number if number in own else first
        number = number - 1 if number in own else _returned_to(number, since)
    return first


def _returned_to(number: int, since: dict[int, BlockVersion]) -> int:
    """The version whose text an undo brought back, whoever wrote what lay between; 0 where it is none of
    these."""
    text = since[number].value
    older = (since[each] for each in range(number - 1, 0, -1) if each in since)
    return next((each.number for each in older if each.value == text and each.erased_at is None), 0)


def _stands(version: BlockVersion, since: dict[int, BlockVersion], now: str) -> bool:
    """Whether something of a change is in the text as it is now: a line that came with it, or where none did,
    one that is still missing. A line that was rewritten came with who did that."""
    older = since.get(version.number - 1)
    before, after, lines = (
        set(text.split("\n")) for text in (older.value if older else "", version.value, now)
    )
    came = after - before - {""}
    return bool(came & lines if came else before - after - lines)


def _is_undone(version: BlockVersion, since: dict[int, BlockVersion]) -> bool:
    return _is_undo(since.get(version.number + 1))


def _is_undo(version: BlockVersion | None) -> bool:
    return version is not None and version.operation == BlockVersion.Operation.UNDO
