"""Core memory in a prompt: a part for each block, and where the blocks alone pass the room, the longest ones
in part. An agent with too much in its blocks is slower of mind, and never unusable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.context import prompt
from agents.context.clipping import CLIPPED_MIN, kept_of
from agents.context.parts import Part, PartKind
from agents.context.tokens import Tokenizer
from agents.core_memory import CoreBlock

OPENS, CLOSES = "<core_memory>\n", "</core_memory>"


@dataclass(frozen=True)
class CorePart:
    """Core memory as parts, and the labels of the blocks that are not shown whole."""

    parts: tuple[Part, ...]
    clipped: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        """Tokens of all of it."""
        return sum(part.tokens for part in self.parts)


def core_part(blocks: Sequence[CoreBlock], counter: Tokenizer, room: int) -> CorePart:
    """Core memory in at most `room` tokens, as far as shortening and leaving out blocks gets it there."""
    whole = _made(blocks, counter)
    if whole.tokens <= room or not blocks:
        return whole
    most = _most(blocks, counter, room)
    shortened = _made(blocks, counter, most)
    shown = len(blocks)
    while shortened.tokens > room and shown:
        shown -= 1
        shortened = _made(blocks[:shown], counter, most)
    lost = tuple(block.label for block in blocks[shown:])
    return replace(shortened, clipped=(*shortened.clipped, *lost))


def _most(blocks: Sequence[CoreBlock], counter: Tokenizer, room: int) -> int:
    """How many tokens of a value may be shown so that all blocks fit; CLIPPED_MIN where nothing helps."""
    low, high = CLIPPED_MIN, max(max(counter.count(block.value) for block in blocks), CLIPPED_MIN)
    while low < high:
        middle = (low + high + 1) // 2
        if _made(blocks, counter, middle).tokens <= room:
            low = middle
        else:
            high = middle - 1
    return low


def _made(blocks: Sequence[CoreBlock], counter: Tokenizer, most: int | None = None) -> CorePart:
    opens, closes = (Part(PartKind.CORE, counter.count(text), text) for text in (OPENS, CLOSES))
    kept = [_kept(block, counter, most) for block in blocks]
    parts = [_part(block, count, counter) for block, count in zip(blocks, kept, strict=True)]
    clipped = [block.label for block, count in zip(blocks, kept, strict=True) if count < len(block.value)]
    return CorePart((opens, *parts, closes), tuple(clipped))


def _kept(block: CoreBlock, counter: Tokenizer, most: int | None) -> int:
    """How many characters of a block's value are shown."""
    return len(block.value) if most is None else kept_of(block.value, most, counter)


def _part(block: CoreBlock, kept: int, counter: Tokenizer) -> Part:
    """A block as a part. One that is lent lies where the turn does not reach: its text is not kept."""
    text = prompt.block(block, kept)
    about = {
        "label": block.label,
        "block": str(block.block_id),
        "version": block.version,
        "workspace": str(block.workspace_id),
        "is_lent": block.is_lent,
    }
    if kept < len(block.value):
        about["kept"] = kept
    place = None if block.is_lent else block.workspace_id
    return Part(
        PartKind.BLOCK, counter.count(text), text, about=about, place=place, records=(block.block_id,)
    )
