"""What requests about archives, passages, documents and skills may say."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from memory.api.rows import Rows
from memory.archival import BATCH_MAX, PASSAGE_MAX, TAG_MAX, TAGS_MAX, NewPassage
from memory.archival.archives import DESCRIPTION_MAX, NAME_MAX
from memory.models import Document
from memory.skills import CONTENT_MAX, SkillFields
from memory.skills import DESCRIPTION_MAX as SKILL_DESCRIPTION_MAX
from memory.skills import NAME_MAX as SKILL_NAME_MAX
from tenants.api.bodies import Body
from tenants.api.fields import Fraction, Id, Moment, Name, Text, Whole, Words
from tenants.api.pages import PageQuery

VERSION_MAX = 2**31 - 1


class DeletableQuery(PageQuery):
    """Which of a workspace's to list."""

    workspace = Id(required=False)
    deleted = serializers.ChoiceField(
        choices=["true", "false"], default="false", help_text="Those that were deleted instead."
    )


class ArchiveChange(Body):
    """What a person changes on an archive; what is left out stays."""

    name = Name(required=False, max_length=NAME_MAX)
    description = Text(required=False, allow_blank=True, max_length=DESCRIPTION_MAX)


class ArchiveNew(ArchiveChange):
    """A new archive. It lies in your personal workspace, unless another is named."""

    name = Name(max_length=NAME_MAX)
    workspace = Id(required=False)


def _tags() -> serializers.ListField:
    return serializers.ListField(child=Text(max_length=TAG_MAX), required=False, max_length=TAGS_MAX)


class PassageFields(Body):
    """What is said about a passage."""

    tags = _tags()
    importance = Fraction(required=False, min_value=0, max_value=1, help_text="0 to 1; 0.5 unless given.")
    expires_at = Moment(required=False, allow_null=True, help_text="From then on it is not found.")


class PassageNew(PassageFields):
    """A passage that is to be filed."""

    content = Words(max_length=PASSAGE_MAX)
    occurred_at = Moment(required=False, help_text="When what it tells happened; now unless given.")


class PassagesNew(Body):
    """Passages that are to be filed, all or none."""

    passages = Rows(word="Passage", child=PassageNew(), min_length=1, max_length=BATCH_MAX)


class PassageChange(PassageFields):
    """A correction, which makes a new passage, or what is said about it, which changes in place."""

    content = Words(required=False, max_length=PASSAGE_MAX, help_text="What it is to read like from now on.")
    version = Whole(
        required=False,
        min_value=1,
        max_value=VERSION_MAX,
        help_text="The version that you saw; refused where there is a newer one.",
    )


def new_passage(said: dict[str, Any]) -> NewPassage:
    """A checked body, as the domain takes it."""
    return NewPassage(**said)


class PassagesQuery(PageQuery):
    """Which passages to list."""

    tag = Text(required=False, max_length=TAG_MAX)
    deleted = serializers.ChoiceField(
        choices=["true", "false"], default="false", help_text="Those that were deleted instead."
    )


class SimilarQuery(Body):
    """How many to answer."""

    limit = PageQuery().fields["limit"]


class DocumentsQuery(PageQuery):
    """Which documents to list."""

    status = serializers.ChoiceField(Document.Status.choices, required=False)
    deleted = serializers.ChoiceField(
        choices=["true", "false"], default="false", help_text="Those that were deleted instead."
    )


class Upload(Body):
    """A file, as a form sends it."""

    file = serializers.FileField(allow_empty_file=True, help_text="Text, Markdown, HTML, PDF, Word, code.")
    tags = _tags()
    conversation = Id(required=False, help_text="The chat in which it was given.")


class SkillChange(Body):
    """What a person changes on a skill; what is left out stays."""

    name = Name(required=False, max_length=SKILL_NAME_MAX)
    description = Text(
        required=False, max_length=SKILL_DESCRIPTION_MAX, help_text="By it an agent knows when to load it."
    )
    content = Words(required=False, max_length=CONTENT_MAX)


class SkillNew(SkillChange):
    """A new skill. It lies in your personal workspace, unless another is named."""

    name = Name(max_length=SKILL_NAME_MAX)
    description = Words(max_length=SKILL_DESCRIPTION_MAX)
    content = Words(max_length=CONTENT_MAX)
    workspace = Id(required=False)


def skill_fields(said: dict[str, Any]) -> SkillFields:
    """A checked body, as the domain takes it."""
    return SkillFields(**said)
