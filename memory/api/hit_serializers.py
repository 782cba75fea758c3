"""What was found, as it stands in answers: what, where it is from, when, and why it was found."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from memory.api.archive_serializers import TRUSTS, at, key, source_of, trust_field
from memory.api.serializers import SourceSerializer
from memory.models import IndexEntry
from memory.retrieval import Hit

EXCERPT = 2_000
PARTS = (
    "lexical",
    "vector",
    "speaker",
    "date",
    "context",
    "recency",
    "importance",
    "firsthand",
    "company",
    "rerank",
)


class PartsSerializer(serializers.Serializer[Any]):
    """What a score is made of: each 0 to 1, null where it was not asked for."""

    lexical = serializers.FloatField(allow_null=True, help_text="By its own words.")
    vector = serializers.FloatField(allow_null=True, help_text="By its meaning.")
    speaker = serializers.FloatField(allow_null=True, help_text="A name of the query said it.")
    date = serializers.FloatField(allow_null=True, help_text="It is of the time that the query names.")
    context = serializers.FloatField(  # type: ignore[assignment]
        allow_null=True, help_text="By what stands around it."
    )
    recency = serializers.FloatField(allow_null=True)
    importance = serializers.FloatField(allow_null=True)
    firsthand = serializers.FloatField(allow_null=True, help_text="No model said it.")
    company = serializers.FloatField(
        allow_null=True, help_text="The best hits of the same conversation or archive."
    )
    rerank = serializers.FloatField(allow_null=True, help_text="By the second stage.")
    words = serializers.ListField(
        child=serializers.CharField(), help_text="The words of the query that it has."
    )


class HitSerializer(serializers.Serializer[Any]):
    """Something that was found, with the beginning of its text."""

    id = serializers.UUIDField(help_text="Of the message, passage, summary, skill or version of a block.")
    external_id = serializers.CharField(help_text="What an import calls it.")
    kind = serializers.ChoiceField(choices=IndexEntry.Kind.choices)
    container = serializers.UUIDField(
        help_text="The conversation of a message, the archive of a passage, the block of a version."
    )
    workspace = serializers.UUIDField()
    title = serializers.CharField(help_text="What it lies in is called.")
    text = serializers.CharField()
    length = serializers.IntegerField(help_text="Characters of the whole text.")
    role = serializers.CharField()
    speaker = serializers.CharField()
    tags = serializers.ListField(child=serializers.CharField())
    score = serializers.FloatField(help_text="The higher, the better; 0 to 1.")
    parts = PartsSerializer()
    source = SourceSerializer(allow_null=True)  # type: ignore[assignment]
    document = serializers.UUIDField(allow_null=True, help_text="The document that a passage is a part of.")
    page = serializers.IntegerField(allow_null=True, help_text="The first page on which it stands.")
    page_to = serializers.IntegerField(allow_null=True, help_text="The last one.")
    headings = serializers.ListField(child=serializers.CharField())
    place = serializers.IntegerField(allow_null=True, help_text="Among the document's parts, or in the chat.")
    number = serializers.IntegerField(allow_null=True, help_text="The version of a block.")
    occurred_at = serializers.DateTimeField()
    valid_to = serializers.DateTimeField(allow_null=True)
    state = serializers.ChoiceField(
        choices=["current", "superseded", "abandoned"],
        help_text="`abandoned` was said on a branch of its chat that was left; it counts half.",
    )
    trust = trust_field()
    importance = serializers.FloatField()
    duplicates = serializers.ListField(
        child=serializers.UUIDField(), help_text="Records that say the same; they are not shown themselves."
    )
    contradicts = serializers.ListField(
        child=serializers.UUIDField(), help_text="Hits that say otherwise: look at the dates."
    )

    def to_representation(self, hit: Hit) -> dict[str, Any]:
        """What the fields say, by hand: programs search all the time."""
        return {
            "id": str(hit.id),
            "external_id": hit.external_id,
            "kind": str(hit.kind),
            "container": str(hit.container_id),
            "workspace": str(hit.workspace_id),
            "title": hit.title,
            "text": hit.text[:EXCERPT],
            "length": len(hit.text),
            "role": str(hit.role),
            "speaker": hit.speaker,
            "tags": hit.tags,
            "score": hit.score,
            "parts": {name: getattr(hit.parts, name) for name in PARTS} | {"words": list(hit.parts.words)},
            "source": source_of(hit.source),
            "document": key(hit.document_id),
            "page": hit.page,
            "page_to": hit.page_to,
            "headings": hit.headings,
            "place": hit.place,
            "number": hit.number,
            "occurred_at": at(hit.occurred_at),
            "valid_to": at(hit.valid_to),
            "state": str(hit.state),
            "trust": TRUSTS[hit.trust],
            "importance": hit.importance,
            "duplicates": [str(each) for each in hit.duplicates],
            "contradicts": [str(each) for each in hit.contradicts],
        }


class NoticeSerializer(serializers.Serializer[Any]):
    """Something about the search that one should know."""

    code = serializers.ChoiceField(["words_only", "meaning_only", "partly_embedded", "rerank_failed"])
    text = serializers.SerializerMethodField()

    SAYS = {
        "words_only": "Found by words alone: meaning could not be searched at present.",
        "meaning_only": "None of the words occurs: these are the nearest in meaning.",
        "partly_embedded": "Some of it is not embedded yet: it was found by words alone.",
        "rerank_failed": "The second stage failed or answered no order: this is the first stage's order.",
    }

    def get_text(self, notice: Any) -> str:
        return self.SAYS.get(notice.code, "")


class FoundSerializer(serializers.Serializer[Any]):
    """A page of hits, best first."""

    results = HitSerializer(many=True)
    next = serializers.URLField(allow_null=True, help_text="The next page; null at the end.")
    total = serializers.IntegerField(help_text="How many were found in all.")
    worded = serializers.IntegerField(help_text="How many of them have any of the words.")
    is_capped = serializers.BooleanField(help_text="There are more than `total`: counting stopped there.")
    notices = NoticeSerializer(many=True)
