"""Tool rules as people type them: a form for each, with what its kind asks for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agents.tools import catalog
from agents.tools.rules import KINDS, Kind
from memory.web.forms import LinesField

BY_TYPE = {kind.type: kind for kind in KINDS}
RULES_MAX = 100
PAIR = " = "


class RuleForm(forms.Form):
    """One rule. A line of `child_output_mapping` is an answer, an equals sign, and a tool."""

    def __init__(self, kind: Kind, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.kind = kind
        tools = [(name, name) for name in catalog.TOOLS]
        choices = [("", gettext_lazy("Choose a tool")), *tools]
        self.fields["tool_name"] = forms.ChoiceField(label=gettext_lazy("Tool"), choices=choices)
        for name in kind.fields:
            self.fields[name] = _field(name, tools)

    def clean_child_output_mapping(self) -> dict[str, str]:
        pairs = [
            line.rpartition("=") for line in self.cleaned_data["child_output_mapping"].splitlines() if line
        ]
        if any(not sign or not answer.strip() or not tool.strip() for answer, sign, tool in pairs):
            raise forms.ValidationError(_("Each line is an answer, an equals sign, and the name of a tool."))
        return {answer.strip(): tool.strip() for answer, _sign, tool in pairs}

    def typed(self) -> dict[str, Any]:
        """What stands in the fields, right or wrong."""
        return {
            name: field.widget.value_from_datadict(self.data, self.files, self.add_prefix(name))
            for name, field in self.fields.items()
        }

    def rule(self) -> dict[str, Any]:
        """What was typed, as a rule is kept."""
        given = {name: self.cleaned_data[name] for name in ("tool_name", *self.kind.fields)}
        if given.get("default_child") == "":
            del given["default_child"]
        return {"type": self.kind.type, **given}


def _field(name: str, tools: list[tuple[str, str]]) -> forms.Field:
    if name == "children":
        return forms.MultipleChoiceField(
            label=gettext_lazy("Its children"), choices=tools, widget=forms.CheckboxSelectMultiple
        )
    if name == "max_count_limit":
        return forms.IntegerField(label=gettext_lazy("So often at most"), min_value=0, max_value=1000)
    if name == "default_child":
        named = [("", gettext_lazy("Any tool")), *tools]
        return forms.ChoiceField(label=gettext_lazy("After any other answer"), choices=named, required=False)
    if name == "require_output_mapping":
        return forms.BooleanField(
            label=gettext_lazy("An answer that is not in the list is an error"), required=False
        )
    return LinesField(
        label=gettext_lazy("Which tool comes after which answer"),
        widget=forms.Textarea(attrs={"rows": 3, "placeholder": "0 = archival_memory_insert"}),
        help_text=gettext_lazy("A line each: the answer, an equals sign, the name of the tool."),
    )


def forms_of(rules: Iterable[Mapping[str, Any]]) -> list[RuleForm]:
    """A form for each rule."""
    return [
        RuleForm(BY_TYPE[rule["type"]], prefix=f"r{place}", initial=_initial(rule))
        for place, rule in enumerate(rules)
    ]


def with_another(sent: Iterable[RuleForm], add: str) -> list[RuleForm]:
    """The forms as they were typed, and an empty one of the kind that is to be added. Nothing is checked."""
    shown = [RuleForm(form.kind, prefix=form.prefix, initial=form.typed()) for form in sent]
    if add in BY_TYPE:
        shown.append(RuleForm(BY_TYPE[add], prefix=f"r{len(shown)}"))
        shown[-1].fields["tool_name"].widget.attrs["autofocus"] = True
    return shown


def sent_forms(sent: Mapping[str, Any]) -> list[RuleForm]:
    """The forms as they were sent, in their order; ones of no kind are left out."""
    kinds = [BY_TYPE.get(str(sent.get(f"r{place}-type", ""))) for place in range(RULES_MAX)]
    return [RuleForm(kind, sent, prefix=f"r{place}") for place, kind in enumerate(kinds) if kind]


def _initial(rule: Mapping[str, Any]) -> dict[str, Any]:
    typed = dict(rule)
    if mapping := typed.get("child_output_mapping"):
        typed["child_output_mapping"] = "\n".join(f"{answer}{PAIR}{tool}" for answer, tool in mapping.items())
    return typed
