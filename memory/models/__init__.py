"""What is remembered: sources, blocks, conversations, archives, documents, skills; and the index over it."""

from memory.models.archival import Archive, Passage
from memory.models.blocks import Block, BlockVersion, Proposal
from memory.models.documents import Document, DocumentFile
from memory.models.index import Embedding, EmbeddingModel, IndexEntry
from memory.models.recall import Conversation, Message, Summary
from memory.models.skills import Skill, SkillVersion
from memory.models.sources import Derivation, Source
from memory.models.trust import Trust

__all__ = [
    "Archive",
    "Block",
    "BlockVersion",
    "Conversation",
    "Derivation",
    "Document",
    "DocumentFile",
    "Embedding",
    "EmbeddingModel",
    "IndexEntry",
    "Message",
    "Passage",
    "Proposal",
    "Skill",
    "SkillVersion",
    "Source",
    "Summary",
    "Trust",
]
