"""What a person types about a block."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from memory import measure
from memory.core import BlockFields
from memory.measure import LIMIT_MAX
from memory.models import Block
from memory.operations import sections
from memory.web.cards import PROPOSE, WRITE

SECTION = "section:"  # before the name of a section, in the name of its field
SETTINGS = ("label", "description", "limit", "unit", "governance", "sections")
_PART = re.compile(r"\s*[:：]\s*")


class LinesField(forms.CharField):
    """A text of several lines, kept as typed; browsers send CRLF, memory holds LF."""

    def __init__(self, **options: Any) -> None:
        super().__init__(strip=False, widget=options.pop("widget", forms.Textarea), **options)

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value)).replace("\r\n", "\n")


class SectionsField(LinesField):
    """The named parts of a typed block, a line each: `name: what belongs there`."""

    def prepare_value(self, value: Any) -> Any:
        """As it is typed."""
        if not isinstance(value, list):
            return value
        return "\n".join(": ".join(filter(None, (each["name"], each.get("description")))) for each in value)

    def clean(self, value: Any) -> Any:
        """As the domain takes it: a list of name and description."""
        lines = [line.strip() for line in str(super().clean(value)).split("\n") if line.strip()]
        parts = [_PART.split(line, maxsplit=1) for line in lines]
        return [{"name": part[0], "description": part[1] if len(part) > 1 else ""} for part in parts]


def _area(rows: int) -> forms.Textarea:
    return forms.Textarea(attrs={"class": "mono", "rows": rows, "data-counted": ""})


class TextForm(forms.Form):
    """The text of a block: one field, or one for each section of a typed block."""

    value = LinesField(label=_("Text"), required=False, widget=_area(8))
    version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, *arguments: Any, block: Block | None = None, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.block = block
        if block is not None and block.sections:
            self._split(block)

    def _split(self, block: Block) -> None:
        """A field for each section, in the place of the one for all of the text."""
        parts = sections.split(str(self.get_initial_for_field(self.fields["value"], "value") or ""))
        described = {each["name"]: each.get("description", "") for each in block.sections}
        if not parts.keys() <= described.keys():
            return  # the text is older than its sections: it is shown whole, to be put in order
        del self.fields["value"]
        for name, description in described.items():
            field = LinesField(label=name, help_text=description, required=False, widget=_area(4))
            self.fields[SECTION + name] = field
            self.initial[SECTION + name] = parts.get(name, "")

    @property
    def parts(self) -> list[forms.BoundField]:
        """The fields that hold the text."""
        return [self[name] for name in self.fields if name == "value" or name.startswith(SECTION)]

    @property
    def is_counted_by_server(self) -> bool:
        """Whether the page cannot count this itself while one types."""
        return self.parts[0].name != "value"

    @property
    def has_settings(self) -> bool:
        """Whether limit and unit are typed here too."""
        return "limit" in self.fields

    @property
    def used(self) -> int:
        """How much of the limit the text takes, as it stands in the form."""
        typed = {field.name: str(field.value() or "") for field in self.parts}
        return measure.length(text_of(typed), self.counted_in)

    @property
    def counted_in(self) -> str:
        """What the limit counts."""
        return str(self["unit"].value()) if "unit" in self.fields else _unit(self.block)

    @property
    def most(self) -> Any:
        """The limit, as it stands in the form."""
        if "limit" in self.fields:
            return self["limit"].value()
        return self.block.limit if self.block else 0

    @property
    def text(self) -> str | None:
        """What was typed, as one text; None where no text was sent.

        A block may have got sections, or lost them, since its form was opened: what was typed counts.
        """
        sent = [name for name in self.data if name == "value" or name.startswith(SECTION)]
        typed = {name: self.cleaned_data.get(name, self.data[name]) for name in sent}
        return text_of(typed).replace("\x00", "") if typed else None


def _unit(block: Block | None) -> str:
    return block.unit if block else Block.Unit.CHARACTERS


def text_of(typed: Mapping[str, Any]) -> str:
    """The text of a block from the fields that hold it."""
    parts = {
        name.removeprefix(SECTION): str(text) for name, text in typed.items() if name.startswith(SECTION)
    }
    whole = sections.join(parts) if parts else str(typed.get("value", ""))
    return whole.replace("\r\n", "\n")


class BlockForm(TextForm):
    """A block, as a person edits it. `version` is the one they saw; who may only propose says why."""

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
        label=_("Limit"), min_value=1, max_value=LIMIT_MAX, help_text=_("A write beyond it fails.")
    )
    unit = forms.ChoiceField(label=_("Counted in"), choices=Block.Unit.choices, required=False)
    governance = forms.ChoiceField(
        label=_("What agents may do"),
        required=False,
        choices=[
            (Block.Governance.FREE, _("write freely")),
            (Block.Governance.PROPOSE, _("propose only: an editor decides")),
            (Block.Governance.READ_ONLY, _("read only: editors alone change it")),
        ],
    )
    sections = SectionsField(
        label=_("Sections"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 3, "class": "mono"}),
        help_text=_("One per line, as “name: what belongs there”. None: free text."),
    )
    reason = forms.CharField(
        label=_("Why"), required=False, max_length=1000, help_text=_("For the editor who decides.")
    )

    def __init__(self, *arguments: Any, may: str = WRITE, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.may = may
        if may != PROPOSE:
            del self.fields["reason"]
        if may != WRITE:
            for name in SETTINGS:
                del self.fields[name]

    def clean_label(self) -> str | None:
        """The label, where the form has it; it cannot be emptied."""
        label = str(self.cleaned_data["label"])
        if not label and "label" in self.data:
            raise forms.ValidationError(self.fields["label"].error_messages["required"])
        return label or None

    def fields_of_block(self) -> BlockFields:
        """What was typed, for the domain; what a form does not have stays as it is."""
        given = self.cleaned_data
        settings = {name: given[name] for name in SETTINGS if name in self.fields and name in self.data}
        chosen = {name: settings.pop(name) or None for name in ("unit", "governance") if name in settings}
        return BlockFields(value=self.text, **settings, **chosen)

    @property
    def reason_given(self) -> str:
        """Why, where that is asked."""
        return str(self.cleaned_data.get("reason", ""))


class NewBlockForm(BlockForm):
    """A block that is not there yet."""

    version = None  # type: ignore[assignment]
    field_order: Iterable[str] | None = ("label", "description", "value", *SETTINGS[2:])

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["label"].required = True
