"""Writing the narrow table that retrieval reads."""

from memory.index.announcing import entries_written
from memory.index.blocks import Before, index_block_version
from memory.index.branches import show_branch
from memory.index.entries import FORMAT, digest
from memory.index.messages import (
    End,
    Said,
    index_message,
    index_messages,
    is_findable,
    last_said,
    place_message,
)
from memory.index.passages import index_passage, index_passages, index_skill, index_summary
from memory.index.reindexing import reindex
from memory.index.states import describe, forget, hide, hide_records, supersede
from memory.index.texts import left, records_of, text_of, texts_of

__all__ = [
    "FORMAT",
    "Before",
    "End",
    "Said",
    "describe",
    "digest",
    "entries_written",
    "forget",
    "hide",
    "hide_records",
    "index_block_version",
    "index_message",
    "index_messages",
    "index_passage",
    "index_passages",
    "index_skill",
    "index_summary",
    "is_findable",
    "last_said",
    "left",
    "place_message",
    "records_of",
    "reindex",
    "show_branch",
    "supersede",
    "text_of",
    "texts_of",
]
