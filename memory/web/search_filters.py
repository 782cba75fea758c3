"""What the one search is asked for; all of it stands in the address."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.utils.translation import gettext_lazy as _

from memory.models import IndexEntry
from memory.retrieval import ABANDONED, CURRENT, SUPERSEDED, Filters
from memory.web.archive_filters import end_of, midnight
from tenants.models import Workspace

Kind = IndexEntry.Kind
# What each choice looks through: kinds of records, and how passages came.
KINDS: dict[str, tuple[list[str] | None, list[str] | None]] = {
    "": (None, None),
    "chats": ([Kind.MESSAGE, Kind.SUMMARY], None),
    "blocks": ([Kind.BLOCK], None),
    "archive": ([Kind.PASSAGE], ["user", "assistant"]),
    "documents": ([Kind.PASSAGE], ["document"]),
    "skills": ([Kind.SKILL], None),
}
EVERYWHERE = "everywhere"
# Chats are searched on all their branches: a text that one looks for may be what one has edited.
STATES: dict[str, tuple[str, ...]] = {
    "": (CURRENT, ABANDONED),
    "superseded": (SUPERSEDED,),
    "abandoned": (ABANDONED,),
    "all": (CURRENT, SUPERSEDED, ABANDONED),
}


class SearchFilter(forms.Form):
    """The words, and where and when to look. Its names are those of the address."""

    q = forms.CharField(label=_("Search"), required=False, max_length=200)
    kind = forms.ChoiceField(
        label=_("Kind"),
        required=False,
        choices=[
            ("", _("Everything")),
            ("chats", _("Chats")),
            ("blocks", _("Memory blocks")),
            ("archive", _("Archive")),
            ("documents", _("Documents")),
            ("skills", _("Skills")),
        ],
    )
    where = forms.ChoiceField(
        label=_("Where"),
        required=False,
        choices=[("", _("This workspace")), (EVERYWHERE, _("All workspaces"))],
    )
    person = forms.CharField(label=_("Said by"), required=False, max_length=120)
    since = forms.DateField(label=_("Since"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(label=_("Until"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    state = forms.ChoiceField(
        label=_("Which"),
        required=False,
        choices=[
            ("", _("Current")),
            ("superseded", _("No longer current")),
            ("abandoned", _("On left branches")),
            ("all", _("All of it")),
        ],
    )

    @property
    def query(self) -> str:
        """The words that were typed."""
        return str(self.data.get("q", ""))

    @property
    def is_everywhere(self) -> bool:
        """Whether other workspaces are looked through too."""
        return self.data.get("where") == EVERYWHERE

    @property
    def lesser(self) -> list[forms.BoundField]:
        """The fields that are seldom needed."""
        return [self[name] for name in ("person", "since", "until", "state")]

    @property
    def is_narrowed(self) -> bool:
        """Whether one of them is set."""
        return any(self.data.get(field.name) for field in self.lesser)

    @property
    def is_set(self) -> bool:
        """Whether anything is asked for: words, or a filter without them."""
        return any(self.data.values())

    @property
    def address(self) -> str:
        """What is asked for, as a query."""
        return urlencode({name: value for name, value in self.data.items() if value})

    @property
    def address_everywhere(self) -> str:
        """The same in every workspace in sight."""
        return urlencode({name: value for name, value in self.data.items() if value} | {"where": EVERYWHERE})

    def wanted(self, workspace: Workspace) -> Filters:
        """The same, as search takes it."""
        said = self.cleaned_data
        kinds, roles = KINDS[said["kind"]]
        return Filters(
            kinds=kinds,
            roles=roles,
            workspaces=None if self.is_everywhere else [workspace.id],
            speakers=[said["person"]] if said["person"] else None,
            since=midnight(said["since"]),
            until=end_of(said["until"]),
            states=STATES[said["state"]],
        )


def parsed(given: Callable[[str], Any]) -> SearchFilter:
    """The filter of an address, looked at."""
    form = SearchFilter({name: given(name) for name in SearchFilter.base_fields})
    form.is_valid()
    return form
