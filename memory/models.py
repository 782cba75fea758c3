"""What is remembered: sources, blocks and their versions, conversations, messages, archives, the index."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memory.actors import ActorKind
from tenants.fields import ScopedForeignKey
from tenants.scoped import WorkspaceRow


class Source(WorkspaceRow):
    """Where a remembered thing comes from: what every `source_id` points to."""

    class Kind(models.TextChoices):
        MESSAGE = "message", _("message")
        DOCUMENT = "document", _("document")
        URL = "url", _("web page")
        API = "api", _("API client")
        IMPORT = "import", _("import")
        PERSON = "person", _("person")

    kind = models.CharField(max_length=16, choices=Kind.choices)
    reference = models.CharField(max_length=512)
    title = models.CharField(max_length=300, blank=True, default="")
    occurred_at = models.DateTimeField(default=timezone.now)

    class Meta(WorkspaceRow.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["tenant", "workspace", "kind", "reference"], name="source_once_per_reference"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.title or self.reference}"


class Derivation(WorkspaceRow):
    """Parent to child between remembered things, whatever their kinds: forgetting follows these."""

    parent_kind = models.CharField(max_length=24)
    parent_id = models.UUIDField()
    child_kind = models.CharField(max_length=24)
    child_id = models.UUIDField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(WorkspaceRow.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["tenant", "parent_id", "child_id"], name="derivation_once_per_pair"
            )
        ]
        indexes: ClassVar = [models.Index(fields=["tenant", "child_id"], name="derivation_by_child")]

    def __str__(self) -> str:
        return f"{self.parent_kind} -> {self.child_kind}"


class Block(WorkspaceRow):
    """A core memory block: a labelled text that is always in the prompt. `version` is the head's number."""

    label = models.CharField(_("label"), max_length=64)
    description = models.CharField(_("description"), max_length=1000, blank=True, default="")
    value = models.TextField(_("value"), blank=True, default="")
    limit = models.PositiveIntegerField(_("limit in characters"), default=2000)
    read_only = models.BooleanField(_("read-only for agents"), default=False)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta(WorkspaceRow.Meta):
        indexes: ClassVar = [models.Index(fields=["tenant", "workspace", "label"], name="block_by_workspace")]

    def __str__(self) -> str:
        return self.label


class BlockVersion(WorkspaceRow):
    """One state of a block, never changed: a trigger in the database refuses it."""

    class Operation(models.TextChoices):
        CREATE = "create", _("created")
        APPEND = "append", _("appended")
        REPLACE = "replace", _("replaced")
        INSERT = "insert", _("inserted")
        RETHINK = "rethink", _("rewritten")
        EDIT = "edit", _("edited")
        RESTORE = "restore", _("restored")
        UNDO = "undo", _("undone")

    block = ScopedForeignKey(Block, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    operation = models.CharField(max_length=16, choices=Operation.choices)
    value = models.TextField(blank=True)
    actor_kind = models.CharField(max_length=16, choices=ActorKind.choices)
    actor_id = models.UUIDField(null=True)
    source = ScopedForeignKey(Source, models.PROTECT, null=True, related_name="+")
    valid_from = models.DateTimeField(default=timezone.now)
    supersedes = ScopedForeignKey("self", models.PROTECT, null=True, related_name="+")
    erased_at = models.DateTimeField(null=True)

    class Meta(WorkspaceRow.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "block", "number"], name="version_numbers_unique")
        ]

    def __str__(self) -> str:
        return f"v{self.number}"


class Conversation(WorkspaceRow):
    """A chat in recall storage. `owner_id` is the person whose chat it is; a team chat is the workspace's."""

    owner = models.ForeignKey("tenants.User", models.CASCADE, db_index=False, related_name="+")
    title = models.CharField(_("title"), max_length=200, blank=True, default="")
    is_title_made = models.BooleanField(default=True)
    pinned_at = models.DateTimeField(null=True, blank=True)
    deleted_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    last_message_at = models.DateTimeField(default=timezone.now)

    class Meta(WorkspaceRow.Meta):
        indexes: ClassVar = [
            models.Index(fields=["tenant", "workspace", "-last_message_at"], name="conversation_recent")
        ]

    def __str__(self) -> str:
        return self.title or str(self.id)


class Message(WorkspaceRow):
    """One message of recall storage: complete, and never shortened or removed by the loop.

    `position` is its place in the conversation; a message that waits for the turn before it has none yet.
    """

    class Role(models.TextChoices):
        USER = "user", _("you")
        ASSISTANT = "assistant", _("assistant")
        TOOL = "tool", _("tool")
        SYSTEM = "system", _("system")

    class State(models.TextChoices):
        COMPLETE = "complete", _("complete")
        STOPPED = "stopped", _("stopped")
        INTERRUPTED = "interrupted", _("interrupted")

    conversation = ScopedForeignKey(Conversation, models.CASCADE, related_name="messages")
    parent = ScopedForeignKey("self", models.PROTECT, null=True, related_name="+")
    position = models.PositiveBigIntegerField(null=True)
    turn_id = models.UUIDField(null=True)
    role = models.CharField(max_length=16, choices=Role.choices)
    content = models.TextField(blank=True, default="")
    tool_calls = models.JSONField(default=list)
    tool_call_id = models.CharField(max_length=200, blank=True, default="")
    name = models.CharField(max_length=120, blank=True, default="")
    actor_kind = models.CharField(max_length=16, choices=ActorKind.choices)
    actor_id = models.UUIDField(null=True)
    state = models.CharField(max_length=16, choices=State.choices, default=State.COMPLETE)
    claims_unsaved = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(WorkspaceRow.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["tenant", "conversation", "position"], name="message_positions_unique"
            ),
            # A tool's answer is stored once, whatever dies in between.
            models.UniqueConstraint(
                fields=["tenant", "turn_id", "tool_call_id"],
                condition=~models.Q(tool_call_id=""),
                name="message_one_answer_per_call",
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["tenant", "turn_id"], name="message_by_turn")]

    def __str__(self) -> str:
        return f"{self.role} {self.position}"


class Summary(WorkspaceRow):
    """What evicted messages were folded into. It names the span that it covers and the one before it."""

    conversation = ScopedForeignKey(Conversation, models.CASCADE, related_name="summaries")
    previous = ScopedForeignKey("self", models.PROTECT, null=True, related_name="+")
    content = models.TextField()
    from_position = models.PositiveBigIntegerField()
    to_position = models.PositiveBigIntegerField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(WorkspaceRow.Meta):
        indexes: ClassVar = [
            models.Index(fields=["tenant", "conversation", "to_position"], name="summary_by_span")
        ]

    def __str__(self) -> str:
        return f"{self.from_position}..{self.to_position}"


class Archive(WorkspaceRow):
    """A named collection of passages."""

    name = models.CharField(_("name"), max_length=120)
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.name


class Passage(WorkspaceRow):
    """A text in archival storage, found again by search."""

    archive = ScopedForeignKey(Archive, models.CASCADE, related_name="passages")
    content = models.TextField()
    tags = ArrayField(models.CharField(max_length=64), default=list)
    actor_kind = models.CharField(max_length=16, choices=ActorKind.choices)
    actor_id = models.UUIDField(null=True)
    source = ScopedForeignKey(Source, models.PROTECT, null=True, related_name="+")
    version = models.PositiveIntegerField(default=1)
    valid_from = models.DateTimeField(default=timezone.now)
    supersedes = ScopedForeignKey("self", models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(WorkspaceRow.Meta):
        indexes: ClassVar = [
            models.Index(fields=["tenant", "archive", "-created_at"], name="passage_by_archive")
        ]

    def __str__(self) -> str:
        return self.content[:60]


class IndexEntry(WorkspaceRow):
    """The narrow table that retrieval reads; the text lies with its record."""

    class Kind(models.TextChoices):
        MESSAGE = "message", _("message")
        PASSAGE = "passage", _("passage")
        SUMMARY = "summary", _("summary")

    class State(models.TextChoices):
        CURRENT = "current", _("current")
        SUPERSEDED = "superseded", _("no longer current")
        HIDDEN = "hidden", _("hidden")

    kind = models.CharField(max_length=16, choices=Kind.choices)
    record_id = models.UUIDField()
    container_id = models.UUIDField()
    role = models.CharField(max_length=16, blank=True, default="")
    occurred_at = models.DateTimeField()
    state = models.CharField(max_length=16, choices=State.choices, default=State.CURRENT)
    tags = ArrayField(models.CharField(max_length=64), default=list)
    lexemes = SearchVectorField()

    class Meta(WorkspaceRow.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "kind", "record_id"], name="index_one_per_record")
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["tenant", "workspace", "kind", "container_id", "-occurred_at"], name="index_narrow"
            ),
            GinIndex(fields=["lexemes"], name="index_lexemes"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.record_id}"
