"""What is remembered: sources, blocks with versions and proposals, conversations, archives, the index."""

from memory.models.archival import Archive, Passage
from memory.models.blocks import Block, BlockVersion, Proposal
from memory.models.index import IndexEntry
from memory.models.recall import Conversation, Message, Summary
from memory.models.sources import Derivation, Source

__all__ = [
    "Archive",
    "Block",
    "BlockVersion",
    "Conversation",
    "Derivation",
    "IndexEntry",
    "Message",
    "Passage",
    "Proposal",
    "Source",
    "Summary",
]
