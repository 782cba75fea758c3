"""What of an organisation, its people and its log stands in answers."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tenants.models import AuditEvent, Membership, Workspace, WorkspaceMember
from tenants.scope import current_scope

WORKSPACE_ROLES = WorkspaceMember.Role.choices


class OrganisationSerializer(serializers.Serializer[Any]):
    """The organisation that the key is for."""

    id = serializers.UUIDField()
    slug = serializers.CharField()
    name = serializers.CharField()
    admins_read_chats = serializers.BooleanField(help_text="Owners and admins may read members' chats.")
    operators_read = serializers.BooleanField(help_text="The site's staff may see content.")
    created_at = serializers.DateTimeField()


class WorkspaceSerializer(serializers.Serializer[Any]):
    """A workspace; `role` is your own in it, null where it is closed."""

    id = serializers.UUIDField()
    kind = serializers.ChoiceField(choices=Workspace.Kind.choices)
    name = serializers.CharField()
    role = serializers.SerializerMethodField()
    created_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(source="retired_at", allow_null=True)

    @extend_schema_field(serializers.ChoiceField(choices=WORKSPACE_ROLES, allow_null=True))
    def get_role(self, workspace: Workspace) -> str | None:
        access = current_scope().workspaces.get(workspace.id)
        return access.role if access else None


class MemberSerializer(serializers.Serializer[Any]):
    """A person in a workspace."""

    person = serializers.UUIDField(source="membership_id", help_text="One of `people/`.")
    user = serializers.UUIDField(source="user_id", help_text="As it stands where somebody acted.")
    name = serializers.CharField(source="membership.name")
    role = serializers.ChoiceField(choices=WORKSPACE_ROLES)


class PersonSerializer(serializers.Serializer[Any]):
    """A person of the organisation."""

    id = serializers.UUIDField()
    user = serializers.UUIDField(source="user_id", help_text="As it stands where somebody acted.")
    name = serializers.CharField()
    role = serializers.ChoiceField(choices=Membership.Role.choices)
    email = serializers.EmailField(
        allow_null=True, help_text="null to who does not govern the organisation, but for their own."
    )
    created_at = serializers.DateTimeField()


class NamedSerializer(serializers.Serializer[Any]):
    """A workspace by its name; it may be out of your reach."""

    id = serializers.UUIDField()
    name = serializers.CharField()


class HandoverSerializer(serializers.Serializer[Any]):
    """A workspace that would lose its last admin, and who becomes it."""

    workspace = serializers.CharField()
    to = serializers.CharField()


class LeavingSerializer(serializers.Serializer[Any]):
    """What happens when a person leaves or is removed."""

    private = NamedSerializer(allow_null=True, help_text="Closed for everybody, and kept.")
    shared = NamedSerializer(many=True, help_text="They leave it, and what they wrote stays.")
    handovers = HandoverSerializer(many=True)
    keys = serializers.IntegerField(help_text="Live keys that die.")
    is_last_owner = serializers.BooleanField(help_text="Then it is refused.")


class InvitationSerializer(serializers.Serializer[Any]):
    """A link that gives one person a seat."""

    id = serializers.UUIDField()
    email = serializers.EmailField()
    role = serializers.ChoiceField(choices=Membership.Role.choices)
    workspace = serializers.UUIDField(source="workspace_id", allow_null=True)
    workspace_role = serializers.ChoiceField(choices=WORKSPACE_ROLES)
    inviter = serializers.UUIDField(source="inviter_id")
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()


class InvitationMadeSerializer(InvitationSerializer):
    """An invitation and its link, which is shown this once."""

    link = serializers.URLField()
    sent = serializers.BooleanField(help_text="Whether it went out by e-mail.")


class KeySerializer(serializers.Serializer[Any]):
    """An API key of yours, without its secret."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    prefix = serializers.CharField(help_text="How the secret begins.")
    scopes = serializers.ListField(child=serializers.CharField())
    workspaces = serializers.ListField(
        child=serializers.UUIDField(), allow_null=True, help_text="null is everything that is yours."
    )
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)
    revoked_at = serializers.DateTimeField(allow_null=True)
    last_used_at = serializers.DateTimeField(allow_null=True)


class KeyMadeSerializer(KeySerializer):
    """A key with its secret, which is shown this once."""

    secret = serializers.CharField()


class EventSerializer(serializers.Serializer[Any]):
    """An event of the audit log. Names are as they were then."""

    id = serializers.UUIDField()
    at = serializers.DateTimeField()
    actor_kind = serializers.ChoiceField(choices=AuditEvent.Actor.choices)
    actor_id = serializers.UUIDField(allow_null=True)
    actor_name = serializers.CharField()
    key_id = serializers.UUIDField(allow_null=True)
    action = serializers.CharField(help_text="`object.verb`, such as block.edited.")
    object_kind = serializers.CharField()
    object_id = serializers.UUIDField(allow_null=True)
    object_name = serializers.CharField()
    workspace_id = serializers.UUIDField(allow_null=True)
    workspace_name = serializers.CharField()
    subject_id = serializers.UUIDField(allow_null=True, help_text="The person whom it concerns.")
    address = serializers.CharField()
    request_id = serializers.CharField()
    details = serializers.DictField()
