"""Core memory is not searched: it stands in every prompt. Whether a block does in a chat, and if not, why;
and which blocks are too long for an agent's window."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from agents.context import sight
from agents.context.planning import WindowTooSmall, plan_of
from agents.context.sight import Sight
from agents.core_memory import CoreBlock
from agents.models import Agent, AgentBlock, MainContext
from memory.models import IndexEntry
from memory.retrieval import Hit


class Standing(StrEnum):
    """How a text of core memory stands to the prompts of a chat."""

    WHOLE = "whole"
    IN_PART = "in_part"
    OLDER = "older"
    NOT_ITS = "not_its"
    SAME_NAME = "same_name"
    KEPT_BACK = "kept_back"


@dataclass(frozen=True)
class TooLong:
    """A block of which a model sees only the first `kept` characters, or none."""

    block: CoreBlock
    kept: int


def standings(chat: MainContext, hits: Iterable[Hit]) -> dict[uuid.UUID, Standing]:
    """How those of some hits that are of blocks stand to what the agent of a chat (with its agent and model)
    is sent when the present person speaks there, by the hit's id."""
    found = [hit for hit in hits if hit.kind == IndexEntry.Kind.BLOCK]
    if not found:
        return {}
    looked = sight.of_chat(chat)
    in_view = {block.block_id: block for block in looked.blocks}
    missing = {hit.container_id for hit in found} - set(in_view)
    why = _why_missing(chat.agent, missing, {block.label for block in looked.blocks})
    in_part = {each.block.block_id for each in _too_long(looked)}
    return {
        hit.id: _in_view(hit, in_view[hit.container_id], in_part)
        if hit.container_id in in_view
        else why.get(hit.container_id, Standing.NOT_ITS)
        for hit in found
    }


def too_long(agent: Agent) -> list[TooLong]:
    """The blocks that do not stand whole in the prompts of an agent (with its model) in a chat of the present
    person's own. None where instructions and tools alone fill the window: that comes first."""
    return _too_long(sight.of_agent(agent))


def _in_view(hit: Hit, block: CoreBlock, in_part: set[uuid.UUID]) -> Standing:
    if hit.number != block.version:
        return Standing.OLDER
    return Standing.IN_PART if block.block_id in in_part else Standing.WHOLE


def _why_missing(agent: Agent, blocks: set[uuid.UUID], labels: set[str]) -> dict[uuid.UUID, Standing]:
    """Why blocks of an agent are out of view: another one bears their label, or others read the chat."""
    rows = AgentBlock.objects.filter(agent=agent, block_id__in=blocks).values_list("block_id", "label")
    return {key: Standing.SAME_NAME if label in labels else Standing.KEPT_BACK for key, label in rows}


def _too_long(looked: Sight) -> list[TooLong]:
    try:
        core = plan_of(looked).core
    except WindowTooSmall:
        return []
    kept = {part.about["block"]: part.about.get("kept", 0) for part in core.parts if "block" in part.about}
    return [TooLong(each, kept.get(str(each.block_id), 0)) for each in _named(looked.blocks, core.clipped)]


def _named(blocks: Sequence[CoreBlock], labels: Sequence[str]) -> list[CoreBlock]:
    return [block for block in blocks if block.label in labels]
