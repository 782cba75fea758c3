"""The cast: Alice owns, Bob is of the same tenant, Charlie is a stranger. Each test has a cast of its own."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from django import test
from django.conf import settings
from django.test import override_settings
from django.test.client import ClientHandler

from agents.events import Event
from agents.models import Agent, MainContext, Turn
from agents.roster import AgentFields, create_agent
from agents.services import receive_message, start_chat
from agents.turns.loop import run_turn
from memory.models import Message
from tenants import keys, members, people, services
from tenants.models import User, Workspace
from tenants.scope import Identity, RowKey, scope

PASSWORD = "correct horse battery"
# An id that nothing has. A fixed one: parallel runs have to collect the same tests.
NOBODY = "6a0e4a3c-0d0f-4f5e-9a53-1f1f5f0c7d11"


@cache
def one_handler(*, is_strict: bool = False) -> ClientHandler:
    """The site, loaded once; a strict one is protected against forged forms, as browsers have it.

    Without the middleware that answers with files, which live sites have: it is asynchronous, and Django's
    synchronous client would start an event loop and a thread for each request because of it.
    """
    handler = ClientHandler(enforce_csrf_checks=is_strict)
    others = [name for name in settings.MIDDLEWARE if not name.startswith("servestatic.")]
    with override_settings(MIDDLEWARE=others):
        handler.load_middleware()
    return handler


class Client(test.Client):
    """Django's test client, on the one handler."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.handler = one_handler()


@dataclass
class Person:
    """Somebody with a seat in one tenant, a browser session and an API key."""

    name: str
    user: User
    identity: Identity
    key: str
    personal: uuid.UUID
    _browser: Client | None = field(default=None, repr=False)

    @property
    def browser(self) -> Client:
        """Django's test client, signed in."""
        if self._browser is None:
            self._browser = Client()
            self._browser.force_login(self.user)
        return self._browser

    @property
    def api(self) -> Client:
        """Django's test client with the key in its header."""
        return Client(headers={"Authorization": f"Bearer {self.key}"})

    def scope(self) -> scope:
        """Everything that this person may see."""
        return scope(self.identity)


@dataclass
class Cast:
    """Three people, Alice's team workspace (Bob is not in it), and the organisation's."""

    alice: Person
    bob: Person
    charlie: Person
    team: uuid.UUID
    organisation: uuid.UUID

    def let_bob_in(self, role: str = "member") -> None:
        """Bob joins the team workspace."""
        with self.alice.scope():
            members.add_member(workspace_id=self.team, user_id=self.bob.user.id, role=role)


def make_cast() -> Cast:
    """Two tenants with committed data, and names that no other test uses."""
    mark = uuid.uuid4().hex[:10]
    alice = found(f"acme-{mark}", "Alice", mark)
    bob_user = User.objects.create_user(f"bob-{mark}@example.com", PASSWORD)
    with alice.scope() as reach:
        people.add_person(user=bob_user, name="Bob")
        team = services.open_workspace(name="Research").id
        organisation = reach.of_kind(Workspace.Kind.ORGANISATION)[0]
    bob = seated("Bob", bob_user, alice.identity.tenant_id)
    # A tenant whose name begins like the other's: prefixes must not match.
    charlie = found(f"acme-{mark}-corp", "Charlie", mark)
    return Cast(alice, bob, charlie, team, organisation)


def found(slug: str, name: str, mark: str) -> Person:
    """A tenant and its owner."""
    user = User.objects.create_user(f"{name.lower()}-{mark}@example.com", PASSWORD)
    identity = services.create_tenant(name=slug, slug=slug, owner=user, owner_name=name)
    return seated(name, user, identity.tenant_id)


def seated(name: str, user: User, tenant_id: uuid.UUID) -> Person:
    """A person who has a seat, with a key."""
    identity = Identity(tenant_id, user.id)
    with scope(identity) as reach:
        key = keys.create_key(name="test", scopes=keys.SCOPES)
        personal = reach.of_kind(Workspace.Kind.PERSONAL)[0]
    return Person(name, user, identity, key, personal)


def new_agent(person: Person, workspace_id: uuid.UUID | None = None, **fields: Any) -> Agent:
    """An agent in a workspace, the person's own if none is named."""
    with person.scope():
        return create_agent(
            workspace_id=workspace_id or person.personal, fields=AgentFields(**({"name": "Memo"} | fields))
        )


def new_chat(person: Person, agent: Agent, workspace_id: uuid.UUID | None = None) -> MainContext:
    """A chat of a person with an agent."""
    with person.scope():
        return start_chat(agent_id=agent.id, workspace_id=workspace_id)


def send(person: Person, chat: MainContext, text: str, client_id: str = "") -> Turn:
    """A person's message; its turn waits."""
    with person.scope():
        return receive_message(
            conversation_id=chat.conversation_id, content=text, client_id=client_id or uuid.uuid4().hex
        )


def work(turn: Turn) -> list[Event]:
    """Do a turn's work here and now, in this process, to its end."""
    return list(run_turn(RowKey(turn.tenant_id, turn.workspace_id, turn.id)))


def ask(person: Person, chat: MainContext, text: str) -> str:
    """Send a message, do the work, and answer what the agent said."""
    turn = send(person, chat, text)
    work(turn)
    return answer(person, turn)


def answer(person: Person, turn: Turn) -> str:
    """What the agent said in a turn."""
    with person.scope():
        said = Message.objects.filter(turn_id=turn.id, role="assistant").order_by("position")
        return "\n".join(each.content for each in said if each.content)
