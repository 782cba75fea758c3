"""Setting up a site: the first tenant, its owner, an agent, a key."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from agents.models import Agent
from agents.roster import AgentFields, create_agent
from tenants import keys, services
from tenants.models import Membership, User, Workspace
from tenants.scope import Identity, current_scope, scope

KEY_NAME = "bootstrap"
AGENT_NAME = "memsite"


class Refused(Exception):
    """The site cannot be set up like this."""


def bootstrap(*, slug: str, email: str, password: str, name: str) -> dict[str, Any]:
    """What `manage.py bootstrap` does and prints. Raises Refused with a sentence."""
    with transaction.atomic():
        user = ensure_account(email, password)
        identity = _tenant(slug, user, name)
        with scope(identity):
            agent = ensure_first_agent()
            key = keys.replace_key(name=KEY_NAME)
            return {
                "tenant": slug,
                "workspaces": {each.kind: str(each.id) for each in Workspace.objects.order_by("-id")},
                "agent": str(agent.id),
                "api_key": key,
            }


def set_up(*, tenant_name: str, email: str, password: str, name: str) -> tuple[User, Identity]:
    """What the set-up page does: the first tenant, its owner and a ready agent. Raises Refused."""
    with transaction.atomic():
        user = ensure_account(email, password)
        identity = services.create_tenant(name=tenant_name, owner=user, owner_name=name)
        with scope(identity):
            ensure_first_agent()
    return user, identity


def ensure_first_agent() -> Agent:
    """A ready agent in the present person's own workspace."""
    personal = current_scope().home
    found = Agent.objects.filter(workspace_id=personal, retired_at=None).order_by("id").first()
    return found or create_agent(workspace_id=personal, fields=AgentFields(name=AGENT_NAME))


def ensure_account(email: str, password: str) -> User:
    """The account of an e-mail address, or a new one with this password. Raises Refused."""
    found = User.objects.filter(email__iexact=email).first()
    if found:
        return found
    user = User(email=email.lower())
    try:
        validate_email(email)
        validate_password(password, user)
    except ValidationError as error:
        raise Refused(" ".join(error.messages)) from None
    return User.objects.create_user(email, password)


def _tenant(slug: str, user: User, name: str) -> Identity:
    tenant_id: uuid.UUID | None = services.tenant_by_slug(slug)
    if tenant_id is None:
        return services.create_tenant(name=slug, slug=slug, owner=user, owner_name=name)
    seat = next((seat for seat in services.seats_of(user.id) if seat.tenant_id == tenant_id), None)
    if seat is None or seat.role != Membership.Role.OWNER:
        raise Refused(f"The tenant {slug} exists, and {user.email} is not its owner.")
    return Identity(tenant_id, user.id)
