"""Archival storage: archives, and the passages in them."""

from memory.archival.archives import (
    BadArchive,
    archives,
    change_archive,
    create_archive,
    rename_archive,
    retire_archive,
)
from memory.archival.correcting import (
    KEEP,
    correct_passage,
    describe_passage,
    history_of,
    newest_of,
    retire_passages,
)
from memory.archival.passages import (
    BATCH_MAX,
    PASSAGE_MAX,
    TAG_MAX,
    TAGS_MAX,
    BadPassage,
    NewPassage,
    insert_passage,
    insert_passages,
)
from memory.archival.rights import may_change
from memory.archival.similar import similar_passages

__all__ = [
    "BATCH_MAX",
    "KEEP",
    "PASSAGE_MAX",
    "TAGS_MAX",
    "TAG_MAX",
    "BadArchive",
    "BadPassage",
    "NewPassage",
    "archives",
    "change_archive",
    "correct_passage",
    "create_archive",
    "describe_passage",
    "history_of",
    "insert_passage",
    "insert_passages",
    "may_change",
    "newest_of",
    "rename_archive",
    "retire_archive",
    "retire_passages",
    "similar_passages",
]
