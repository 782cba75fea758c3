"""Somebody of the site's staff, as tests send them through the admin."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse

from memory import core
from memory.models import Block
from tenants import services
from tenants.models import AuditEvent, User
from tenants.operators import identity_of
from tenants.scope import scope
from tests.cast import PASSWORD, Client, Person


@dataclass
class Staff:
    """An account that sits in no tenant, with a browser."""

    user: User
    browser: Client = field(default_factory=Client)

    def enter(self, person: Person) -> None:
        """Work in somebody's tenant."""
        answer = self.browser.post(reverse("admin:pick", args=[person.identity.tenant_id]))
        assert answer.status_code == 302, answer.status_code

    def get(self, name: str, *args: Any, **query: Any) -> Any:
        """A page of the admin by its name, such as memory_block_changelist."""
        return self.browser.get(reverse(f"admin:{name}", args=args), query)

    def text(self, name: str, *args: Any, **query: Any) -> str:
        """What a page says, which has to be there."""
        answer = self.get(name, *args, **query)
        assert answer.status_code == 200, (name, answer.status_code, answer.headers.get("Location"))
        return str(answer.content.decode())

    def post(self, name: str, *args: Any, **body: Any) -> Any:
        return self.browser.post(reverse(f"admin:{name}", args=args), body)

    def act(self, name: str, action: str, *rows: uuid.UUID) -> Any:
        """Choose rows of a list and run an action on them; the answer is the list again."""
        body = {"action": action, "_selected_action": [str(row) for row in rows], "index": "0"}
        return self.browser.post(reverse(f"admin:{name}_changelist"), body, follow=True)

    def scope(self, person: Person) -> scope:
        """What the database opens to them in somebody's tenant."""
        return scope(identity_of(self.user, person.identity.tenant_id))


def appointed(**fields: Any) -> Staff:
    """A new operator, signed in."""
    user = User.objects.create_user(
        f"ops-{uuid.uuid4().hex[:10]}@example.com", PASSWORD, **({"is_staff": True} | fields)
    )
    staff = Staff(user)
    staff.browser.force_login(user)
    return staff


def let_staff_read(owner: Person, *, allowed: bool = True) -> None:
    """The tenant's owner decides whether staff sees content."""
    with owner.scope():
        services.update_tenant(operators_read=allowed)


def events(person: Person, action: str) -> list[AuditEvent]:
    """What the log of a person's tenant says of an action, the oldest first."""
    with person.scope():
        return list(AuditEvent.objects.filter(action=action).order_by("id"))


def block_of(person: Person, workspace_id: uuid.UUID, **fields: Any) -> Block:
    """A block that a person made."""
    with person.scope():
        return core.create_block(
            workspace_id=workspace_id,
            fields=core.BlockFields(**({"label": "notes", "value": "Something."} | fields)),
            actor=core.by_me(),
        )
