"""What a person types about a block."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from memory.core import LIMIT_MAX, BlockFields


class LinesField(forms.CharField):
    """A text of several lines, kept as typed; browsers send CRLF, memory holds LF."""

    def __init__(self, **options: Any) -> None:
        super().__init__(strip=False, widget=options.pop("widget", forms.Textarea), **options)

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value)).replace("\r\n", "\n")


class BlockText(LinesField):
    """The text of a block, counted against its limit while one types."""

    is_counted = True


class BlockForm(forms.Form):
    """A block, as a person edits it. `version` is the one they saw."""

    value = BlockText(
        label=_("Text"), required=False, widget=forms.Textarea(attrs={"class": "mono", "rows": 8})
    )
    label = forms.CharField(
        label=_("Label"),
        required=False,
        max_length=64,
        widget=forms.TextInput(attrs={"class": "mono", "autocapitalize": "none", "spellcheck": "false"}),
        help_text=_("A short name without spaces. The agent uses it to write here."),
    )
    description = LinesField(
        label=_("Description"),
        required=False,
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("What belongs here. The agent reads it too."),
    )
    limit = forms.IntegerField(
        label=_("Limit in characters"),
        min_value=1,
        max_value=LIMIT_MAX,
        help_text=_("A write beyond it fails."),
    )
    read_only = forms.BooleanField(
        label=_("Read-only for agents"), required=False, help_text=_("Only people change it then.")
    )
    version = forms.IntegerField(widget=forms.HiddenInput)

    def clean_label(self) -> str | None:
        """The label, where the form has it; it cannot be emptied."""
        label = str(self.cleaned_data["label"])
        if not label and "label" in self.data:
            raise forms.ValidationError(self.fields["label"].error_messages["required"])
        return label or None

    def fields_of_block(self) -> BlockFields:
        """What was typed, for the domain."""
        given = self.cleaned_data
        return BlockFields(
            label=given["label"],
            description=given["description"],
            value=given["value"],
            limit=given["limit"],
            read_only=given["read_only"],
        )


class NewBlockForm(BlockForm):
    """A block that is not there yet."""

    version = None  # type: ignore[assignment]
    field_order: Iterable[str] | None = ("label", "description", "value", "limit", "read_only")

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["label"].required = True
