"""What a person looks for in the archives of a workspace; all of it stands in the address."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memory.models import Archive, IndexEntry, Trust
from memory.retrieval import Filters
from tenants.models import Workspace

DELETED = "deleted"
STATES: dict[str, tuple[str, ...]] = {
    "": (IndexEntry.State.CURRENT,),
    "superseded": (IndexEntry.State.SUPERSEDED,),
    "all": (IndexEntry.State.CURRENT, IndexEntry.State.SUPERSEDED),
}
BY = [
    ("", _("Any way")),
    ("user", _("By hand")),
    ("assistant", _("By an agent")),
    ("document", _("From a document")),
]


class PassageFilter(forms.Form):
    """Which passages are asked for. Its names are those of the address."""

    q = forms.CharField(label=_("Find in the archive"), required=False, max_length=200)
    archive = forms.ChoiceField(label=_("Archive"), required=False)
    tag = forms.CharField(
        label=_("Tags"),
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"placeholder": _("one, another")}),
    )
    by = forms.ChoiceField(label=_("How it came"), required=False, choices=BY)
    since = forms.DateField(label=_("Since"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(label=_("Until"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    state = forms.ChoiceField(
        label=_("Which"),
        required=False,
        choices=[
            ("", _("Current")),
            ("superseded", _("No longer current")),
            ("all", _("Both")),
            (DELETED, _("Deleted")),
        ],
    )
    trust = forms.ChoiceField(
        label=_("Trust"),
        required=False,
        choices=[
            ("", _("Any")),
            (str(Trust.DERIVED.value), _("Without documents")),
            (str(Trust.TRUSTED.value), _("Said by people")),
        ],
    )

    def __init__(self, given: Mapping[str, str], *, archives: Sequence[Archive]) -> None:
        super().__init__(given)
        field = self.fields["archive"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", _("All archives")), *((str(each.id), each.name) for each in archives)]
        self._archives = [each.id for each in archives]

    @property
    def query(self) -> str:
        """The words that were typed."""
        return str(self.data.get("q", ""))

    @property
    def is_of_deleted(self) -> bool:
        """Whether deleted passages are asked for: search does not know those."""
        return self.data.get("state") == DELETED

    @property
    def is_narrowed(self) -> bool:
        """Whether more is asked for than everything of an archive, or of all."""
        return any(value for name, value in self.data.items() if name != "archive")

    @property
    def is_open(self) -> bool:
        """Whether one of the lesser filters is set, so that they are shown."""
        return any(self.data.get(name) for name in ("tag", "by", "since", "until", "state", "trust"))

    def given(self) -> dict[str, str]:
        """What is asked for, as it stands in an address."""
        return {name: value for name, value in self.data.items() if value}

    @property
    def address(self) -> str:
        """The same as a query."""
        return urlencode(self.given())

    @property
    def containers(self) -> list[uuid.UUID]:
        """The archives that are looked through."""
        chosen = self.cleaned_data["archive"]
        return [uuid.UUID(chosen)] if chosen else self._archives

    def wanted(self, workspace: Workspace) -> Filters:
        """The same, as search takes it."""
        said = self.cleaned_data
        return Filters(
            kinds=[IndexEntry.Kind.PASSAGE],
            workspaces=[workspace.id],
            containers=self.containers,
            roles=[said["by"]] if said["by"] else None,
            tags=tags_of(said["tag"]) or None,
            tag_mode="all",
            since=midnight(said["since"]),
            until=end_of(said["until"]),
            states=STATES[said["state"]],
            min_trust=int(said["trust"]) if said["trust"] else None,
        )


def tags_of(text: str) -> list[str]:
    """Tags as people write them: with commas between them, Chinese ones too; each once."""
    parts = text.replace("，", ",").replace("、", ",").split(",")
    return list(dict.fromkeys(part.strip() for part in parts if part.strip()))


def midnight(day: date | None) -> datetime | None:
    """A day's beginning where the person is."""
    return timezone.make_aware(datetime.combine(day, datetime.min.time())) if day else None


def end_of(day: date | None) -> datetime | None:
    """A day's last moment where the person is."""
    return timezone.make_aware(datetime.combine(day, datetime.max.time())) if day else None


def parsed(given: Any, **options: Any) -> PassageFilter:
    """The filter of an address, looked at."""
    form = PassageFilter({name: given(name) for name in PassageFilter.base_fields}, **options)
    form.is_valid()
    return form
