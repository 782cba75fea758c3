"""What a person types about a skill."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from memory.web.forms import LinesField


class SkillForm(forms.Form):
    """A skill. `version` is the one that the person saw."""

    name = forms.CharField(
        label=_("Name"),
        max_length=64,
        widget=forms.TextInput(attrs={"spellcheck": "false"}),
        help_text=_("Short: the agent loads it by this name."),
    )
    description = LinesField(
        label=_("Description"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("When to use it. This alone is always in the agent's view."),
    )
    content = LinesField(
        label=_("Text"),
        widget=forms.Textarea(attrs={"rows": 12, "class": "mono"}),
        help_text=_("How it is done, step by step. The agent loads it when it needs it."),
    )
    version = forms.IntegerField(widget=forms.HiddenInput, required=False)

    def fields_of_skill(self) -> dict[str, str]:
        """What was typed, for the domain."""
        return {name: self.cleaned_data[name] for name in ("name", "description", "content")}
