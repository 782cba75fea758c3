"""The arguments of a tool call that waits, a field for each, as a person changes them."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from agents.models import Approval
from agents.tools import catalog
from agents.web.approving import as_typed
from memory.web.forms import LinesField


class ArgumentsForm(forms.Form):
    """One field for each argument that the tool takes; what the model left out may stay empty."""

    def __init__(self, approval: Approval, data: Any = None) -> None:
        super().__init__(data, prefix="argument", auto_id=f"id_%s_{approval.id}")
        self.given: dict[str, Any] = json.loads(approval.arguments)
        self.texts: set[str] = set()
        for name, about in _properties(approval.tool).items():
            if about.get("type") == "string":
                self.texts.add(name)
            self.fields[name] = _field(name, about, self.given.get(name))
        for first in list(self.fields.values())[:1]:
            first.widget.attrs["autofocus"] = True

    def clean(self) -> dict[str, Any]:
        """The arguments as the tool takes them, under `arguments`."""
        found = {}
        for name, typed in list(self.cleaned_data.items()):
            if name in self.texts and (typed or self.given.get(name) is not None):
                found[name] = typed
            elif name not in self.texts and typed.strip():
                found[name] = self._read(name, typed)
        return {"arguments": found}

    def _read(self, name: str, typed: str) -> Any:
        try:
            return json.loads(typed)
        except (ValueError, RecursionError):
            self.add_error(name, _('This is no JSON: numbers as 3, lists as ["a", "b"].'))
            return None


def _properties(tool: str) -> dict[str, Any]:
    found = catalog.TOOLS.get(tool)
    return found.schema()["function"]["parameters"]["properties"] if found else {}


def _field(name: str, about: dict[str, Any], value: Any) -> LinesField:
    typed = "" if value is None else as_typed(value)
    rows = min(12, max(1, len(typed) // 60 + typed.count("\n") + 1))
    area = forms.Textarea(attrs={"rows": rows, "class": "mono"})
    return LinesField(
        label=name, help_text=about.get("description", ""), required=False, initial=typed, widget=area
    )
