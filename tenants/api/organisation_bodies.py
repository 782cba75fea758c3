"""What requests about an organisation, its people and its log may say."""

from __future__ import annotations

from rest_framework import serializers

from tenants.api.bodies import Body
from tenants.api.fields import Flag, Id, Name, Text, Whole
from tenants.api.pages import PageQuery
from tenants.audit_export import KINDS
from tenants.invitations import DAYS, DAYS_MAX, ROLES
from tenants.keys import NAME_MAX, SCOPES, USUAL_SCOPES
from tenants.models import Membership, WorkspaceMember

ACTION = r"[a-z_.]{1,64}"


def workspace_role(**options: object) -> serializers.ChoiceField:
    """A role in a workspace."""
    return serializers.ChoiceField(choices=WorkspaceMember.Role.values, **options)  # type: ignore[arg-type]


class OrganisationChange(Body):
    """What changes; what is left out stays. An admin renames, an owner opens."""

    name = Name(required=False, max_length=120)
    admins_read_chats = Flag(required=False)
    operators_read = Flag(required=False)


class WorkspacesQuery(PageQuery):
    """Which workspaces to list."""

    closed = serializers.ChoiceField(
        choices=["true", "false"], default="false", help_text="true: those that you could open again."
    )


class WorkspaceNamed(Body):
    """A workspace's name."""

    name = Name(max_length=120)


class MemberNew(Body):
    """Whom to let in, as what."""

    person = Id(help_text="One of `people/`.")
    role = workspace_role()


class MemberChange(Body):
    """A role in a workspace."""

    role = workspace_role()


class PersonChange(Body):
    """A role in the organisation."""

    role = serializers.ChoiceField(choices=Membership.Role.values)


class InvitationNew(Body):
    """Whom to invite to what."""

    email = Name(max_length=254)
    role = serializers.ChoiceField(choices=[role.value for role in ROLES], default=ROLES[0].value)
    workspace = Id(required=False, help_text="A team's workspace that they come into, too.")
    workspace_role = workspace_role(default=WorkspaceMember.Role.MEMBER.value)
    days = Whole(min_value=1, max_value=DAYS_MAX, default=DAYS, help_text="How long the link is good.")
    send = Flag(default=False, help_text="Send the link by e-mail.")


class Renewal(Body):
    """How long a new link is good."""

    days = Whole(min_value=1, max_value=DAYS_MAX, default=DAYS)


class KeyNew(Body):
    """What a key is for, and how long."""

    name = Name(max_length=NAME_MAX)
    scopes = serializers.ListField(
        child=serializers.ChoiceField(choices=SCOPES), allow_empty=False, default=list(USUAL_SCOPES)
    )
    workspaces = serializers.ListField(
        child=Id(), required=False, allow_empty=False, max_length=200, help_text="Left out: all of yours."
    )
    expires_at = serializers.DateTimeField(required=False, help_text="Left out: it does not end by itself.")


class EventsAsked(Body):
    """Which events; what is left out asks for all."""

    actor = Id(required=False, help_text="The id of a person, an agent, or a member of staff.")
    action = serializers.RegexField(ACTION, required=False, help_text="Or how it begins: `block.`")
    object_kind = Text(required=False, max_length=64)
    object = Id(required=False)
    workspace = Id(required=False)
    subject = Id(required=False, help_text="The person whom it concerns.")
    since = serializers.DateTimeField(required=False)
    until = serializers.DateTimeField(required=False)
    text = Text(required=False, max_length=200, help_text="In the name of the actor or of the thing.")


class EventsQuery(EventsAsked, PageQuery):
    """Which events to list."""


class EventsExport(EventsAsked):
    """Which events to write to a file."""

    format = serializers.ChoiceField(choices=list(KINDS), default="jsonl")
