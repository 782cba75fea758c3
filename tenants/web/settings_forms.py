"""What people type about workspaces, the people in them, and keys."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tenants.audit import Asked
from tenants.models import Membership, Workspace, WorkspaceMember
from tenants.web.doors import is_uuid

Role = Membership.Role
Place = WorkspaceMember.Role

# What a role in the organisation, and one in a workspace, lets a person do.
ROLE_HELP = {
    Role.OWNER: _("Everything, and who else is an owner."),
    Role.ADMIN: _("Invites and removes people, looks after models, and reads the audit log."),
    Role.MEMBER: _("Chats, and opens workspaces; sees the workspaces that they are let into."),
    Role.AUDITOR: _("Reads the audit log, and no workspace but their own."),
}
PLACE_HELP = {
    Place.VIEWER: _("Reads."),
    Place.MEMBER: _("Chats, and proposes changes of what is remembered."),
    Place.EDITOR: _("Changes what is remembered, and decides on proposals."),
    Place.ADMIN: _("Says who is in the workspace, and as what."),
}
DAYS = [(1, _("a day")), (7, _("a week")), (30, _("30 days"))]
LIVES = [("30", _("30 days")), ("90", _("90 days")), ("365", _("a year")), ("", _("Never"))]
READ, WRITE = "read", "write"


def roles_given_by(role: str) -> list[tuple[str, Any]]:
    """The roles that an owner, or an admin, may give."""
    return [(each.value, each.label) for each in Role if each != Role.OWNER or role == Role.OWNER]


class WorkspaceForm(forms.Form):
    """A workspace's name."""

    name = forms.CharField(label=_("Name"), max_length=120)


class PlaceForm(forms.Form):
    """A person's role in a workspace."""

    role = forms.ChoiceField(label=_("Role"), choices=Place.choices, initial=Place.MEMBER)


class AddMemberForm(PlaceForm):
    """Who of the organisation is to be in a workspace."""

    person = forms.ChoiceField(label=_("Person"))
    field_order = ("person", "role")

    def __init__(self, *arguments: Any, people: Iterable[Membership], **options: Any) -> None:
        super().__init__(*arguments, **options)
        field = self.fields["person"]
        field.choices = [(str(each.user_id), each.name) for each in people]  # type: ignore[attr-defined]


class RoleForm(forms.Form):
    """A person's role in the organisation."""

    role = forms.ChoiceField(label=_("Role"))

    def __init__(self, *arguments: Any, given_by: str, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["role"].choices = roles_given_by(given_by)  # type: ignore[attr-defined]


class InvitationForm(forms.Form):
    """Who is to get a seat, as what, and where."""

    email = forms.EmailField(label=_("Email"), widget=forms.EmailInput(attrs={"autocomplete": "off"}))
    role = forms.ChoiceField(
        label=_("Role in the organisation"),
        choices=[(each.value, each.label) for each in (Role.MEMBER, Role.ADMIN, Role.AUDITOR)],
    )
    workspace = forms.ChoiceField(
        label=_("Workspace"),
        required=False,
        help_text=_("They are in it as soon as they have joined; an auditor is in none."),
    )
    workspace_role = forms.ChoiceField(
        label=_("Role in the workspace"), choices=Place.choices, initial=Place.MEMBER, required=False
    )
    days = forms.TypedChoiceField(label=_("Good for"), choices=DAYS, coerce=int, initial=7)
    send = forms.BooleanField(label=_("Send the link by email"), required=False)

    def __init__(
        self, *arguments: Any, workspaces: Iterable[Workspace], can_send: bool, **options: Any
    ) -> None:
        super().__init__(*arguments, **options)
        field = self.fields["workspace"]
        field.choices = [("", _("None yet")), *_named(workspaces)]  # type: ignore[attr-defined]
        if not can_send:
            del self.fields["send"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("role") == Role.AUDITOR:
            cleaned["workspace"] = ""  # the form names one by itself
        return cleaned

    def wanted(self) -> dict[str, Any]:
        """What `invitations.invite` takes."""
        given = self.cleaned_data
        return {
            "email": given["email"],
            "role": given["role"],
            "workspace_id": uuid.UUID(given["workspace"]) if given["workspace"] else None,
            "workspace_role": given["workspace_role"] or Place.MEMBER.value,
            "days": given["days"],
        }


class KeyForm(forms.Form):
    """A program's way in."""

    name = forms.CharField(
        label=_("Name"),
        max_length=120,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=_("For you, to know later which program has it."),
    )
    access = forms.ChoiceField(
        label=_("What it may do"),
        choices=[(WRITE, _("Read and write")), (READ, _("Only read"))],
        initial=WRITE,
        widget=forms.RadioSelect,
    )
    manage = forms.BooleanField(
        label=_("Manage as well: people, invitations, keys and the audit log"), required=False
    )
    workspaces = forms.MultipleChoiceField(
        label=_("Only in these workspaces"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("None ticked: wherever you are, also where you come to be later."),
    )
    lives = forms.ChoiceField(label=_("Ends after"), choices=LIVES, required=False, initial="90")

    def __init__(
        self, *arguments: Any, workspaces: Iterable[Workspace], can_manage: bool, **options: Any
    ) -> None:
        super().__init__(*arguments, **options)
        self.fields["workspaces"].choices = _named(workspaces)  # type: ignore[attr-defined]
        if not can_manage:
            del self.fields["manage"]

    def wanted(self) -> dict[str, Any]:
        """What `keys.create_key` takes."""
        given = self.cleaned_data
        scopes = [READ, WRITE] if given["access"] == WRITE else [READ]
        scopes += ["manage"] if given.get("manage") else []
        return {
            "name": given["name"],
            "scopes": scopes,
            "workspace_ids": [uuid.UUID(each) for each in given["workspaces"]] or None,
            "expires_at": _in_days(given["lives"]),
        }


def _in_days(days: str) -> datetime | None:
    return timezone.now() + timedelta(days=int(days)) if days else None


def _named(workspaces: Iterable[Workspace]) -> list[tuple[str, str]]:
    return [(str(each.id), each.name) for each in workspaces]


class OrganisationForm(forms.Form):
    """What holds for everybody in an organisation. An admin names it; an owner says who reads in it."""

    name = forms.CharField(label=_("Name"), max_length=120)
    admins_read_chats = forms.BooleanField(
        label=_("Owners and admins may read members' chats"),
        required=False,
        help_text=_(
            "Chats that were written before can be read too. "
            "Each time that one is opened it is recorded, and the member sees who did and when. "
            "All members are told on this page and in their profile, and whom you invite before they join."
        ),
    )
    operators_read = forms.BooleanField(
        label=_("The staff of this site may see content"),
        required=False,
        help_text=_(
            "Without it they see of private blocks, chats and turns only that there are some, and when."
        ),
    )

    def __init__(self, *arguments: Any, is_owner: bool, **options: Any) -> None:
        super().__init__(*arguments, **options)
        if not is_owner:
            del self.fields["admins_read_chats"], self.fields["operators_read"]


class EventFilter(forms.Form):
    """Which events of the audit log are asked for. A row of the log leads to those of its thing: `object`."""

    text = forms.CharField(label=_("Name"), required=False, max_length=120)
    actor = forms.ChoiceField(label=_("Who"), required=False)
    action = forms.ChoiceField(label=_("Action"), required=False)
    since = forms.DateField(label=_("Since"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(label=_("Until"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    object = forms.UUIDField(required=False, widget=forms.HiddenInput)

    def __init__(
        self, given: dict[str, str], *, people: Iterable[tuple[Any, str]], actions: Iterable[tuple[str, Any]]
    ) -> None:
        super().__init__(given)
        known: list[tuple[str, Any]] = [(str(person), name) for person, name in people]
        if is_uuid(given["actor"]) and given["actor"] not in dict(known):
            known.append((given["actor"], _("Somebody else")))  # an agent, or staff of the site
        choices = {"actor": [("", _("Everybody")), *known], "action": [("", _("Every action")), *actions]}
        for name, offered in choices.items():
            self.fields[name].choices = offered  # type: ignore[attr-defined]

    def given(self) -> dict[str, str]:
        """What is asked for, as it stands in an address."""
        return {name: value for name, value in self.data.items() if value}

    def wanted(self) -> Asked:
        """The same, as the log takes it."""
        said = self.cleaned_data
        return Asked(
            actor_id=uuid.UUID(said["actor"]) if said["actor"] else None,
            action=said["action"],
            object_id=said["object"],
            since=_midnight(said["since"]) if said["since"] else None,
            until=_midnight(said["until"] + timedelta(days=1)) if said["until"] else None,
            text=said["text"],
        )


def _midnight(day: date) -> datetime:
    """A day's beginning where the person is."""
    return timezone.make_aware(datetime.combine(day, datetime.min.time()))
