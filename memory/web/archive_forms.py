"""What a person types about archives and passages."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memory.archival import PASSAGE_MAX, TAG_MAX, TAGS_MAX
from memory.models import Archive, Passage
from memory.web.archive_filters import tags_of
from memory.web.forms import LinesField

# A moment as a browser's field for one sends it.
MOMENT = "%Y-%m-%dT%H:%M"


class TagsField(forms.CharField):
    """Tags in one line, with commas between them."""

    def prepare_value(self, value: Any) -> Any:
        """As they are typed."""
        return ", ".join(value) if isinstance(value, list) else value

    def clean(self, value: Any) -> Any:
        """As the domain takes them: a list. Raises ValidationError for too many, or one too long."""
        found = tags_of(str(super().clean(value)))
        if len(found) > TAGS_MAX or any(len(tag) > TAG_MAX for tag in found):
            raise forms.ValidationError(
                _("At most %(most)s tags, each of at most %(long)s characters.")
                % {"most": TAGS_MAX, "long": TAG_MAX}
            )
        return found


def _moment(**options: Any) -> forms.DateTimeField:
    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format=MOMENT)
    return forms.DateTimeField(
        required=False, widget=widget, input_formats=[MOMENT, f"{MOMENT}:%S"], **options
    )


class ArchiveForm(forms.Form):
    """An archive's name and what is kept in it."""

    name = forms.CharField(label=_("Name"), max_length=120)
    description = LinesField(
        label=_("Description"),
        required=False,
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("What is kept here."),
    )


class PassageForm(forms.Form):
    """A passage: its text, and what helps to find it. `version` is the one that the person saw."""

    content = LinesField(
        label=_("Text"),
        max_length=PASSAGE_MAX,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=_("Understandable on its own: it is found without what stood around it."),
    )
    tags = TagsField(
        label=_("Tags"), required=False, max_length=1500, help_text=_("With commas between them.")
    )
    occurred_at = _moment(
        label=_("When it happened"), help_text=_("Empty: now. Searches by date look at this.")
    )
    importance = forms.FloatField(
        label=_("Importance"),
        required=False,
        min_value=0,
        max_value=1,
        widget=forms.NumberInput(attrs={"step": "0.1"}),
        help_text=_("From 0 to 1; of two that fit alike, the more important one comes first."),
    )
    expires_at = _moment(label=_("Ends"), help_text=_("From then on it is not found any more. Empty: never."))
    version = forms.IntegerField(widget=forms.HiddenInput, required=False)


class CorrectionForm(PassageForm):
    """A passage that is there already. When it happened does not change."""

    occurred_at = None  # type: ignore[assignment]

    def metadata(self, before: Passage) -> dict[str, Any]:
        """What was changed beside the text, as the domain takes it."""
        said = self.cleaned_data
        given = {"tags": said["tags"], "importance": said["importance"], "expires_at": said["expires_at"]}
        if given["importance"] is None:
            del given["importance"]
        return {name: value for name, value in given.items() if value != _shown(getattr(before, name))}


class NewPassageForm(PassageForm):
    """A passage that is not there yet, and where it goes."""

    archive = forms.ChoiceField(label=_("Archive"))
    field_order = ("archive", "content", "tags", "occurred_at", "importance", "expires_at")

    def __init__(self, *arguments: Any, archives: Sequence[Archive], **options: Any) -> None:
        super().__init__(*arguments, **options)
        field = self.fields["archive"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(str(each.id), each.name) for each in archives]


def typed(passage: Passage) -> dict[str, Any]:
    """A passage as its form holds it."""
    return {
        "content": passage.content,
        "tags": passage.tags,
        "importance": passage.importance,
        "expires_at": _shown(passage.expires_at),
        "version": passage.version,
    }


def _shown(value: Any) -> Any:
    """A moment to the minute, in the person's zone, as the form holds it."""
    if isinstance(value, datetime):
        return timezone.localtime(value).replace(second=0, microsecond=0)
    return value
