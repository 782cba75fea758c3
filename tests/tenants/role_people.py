"""One person for each role, all in Alice's organisation but for the stranger, and three of Alice's keys."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass

from tenants import keys, members, people
from tenants.models import User, Workspace
from tests.agents.llm.stub_server import StubServer
from tests.cast import Cast, Client, Person, make_cast, seated
from tests.tenants.world import World, make_world

# In a team's workspace, of people who are members of the organisation.
IN_THE_TEAM = ("viewer", "member", "editor", "admin")
# In the organisation, of people who are viewers of the team's workspace; an auditor is in none.
IN_THE_ORGANISATION = ("org admin", "org owner", "auditor")
PEOPLE = ("stranger", "outsider", *IN_THE_TEAM, *IN_THE_ORGANISATION)
KEYS = ("reading key", "writing key", "narrow key")
WHO = ("signed out", *PEOPLE, *KEYS)


@dataclass
class Company:
    """Alice's world in the team's workspace, and how each role asks for it."""

    cast: Cast
    world: World
    clients: dict[str, Callable[[bool], Client]]
    # The workspace in which each opens pages about the organisation.
    homes: dict[str, uuid.UUID]
    stub: StubServer

    def client(self, who: str, *, is_api: bool) -> Client:
        return self.clients[who](is_api)


def found_company(stub: StubServer) -> Company:
    """Everybody has their role in the team's workspace and in the garden."""
    cast = make_cast()
    world = make_world(cast.alice, cast.team, stub)
    places = (cast.team, world["garden"])
    staff = {role: hire(cast, role, "member", dict.fromkeys(places, role)) for role in IN_THE_TEAM}
    staff["org admin"] = hire(cast, "org admin", "admin", dict.fromkeys(places, "viewer"))
    staff["org owner"] = hire(cast, "org owner", "owner", dict.fromkeys(places, "viewer"))
    staff["auditor"] = hire(cast, "auditor", "auditor", {})
    staff |= {"stranger": cast.charlie, "outsider": cast.bob, "alice": cast.alice}
    clients = {who: asking(person) for who, person in staff.items()}
    clients["signed out"] = lambda is_api: Client()
    for who, key in keys_of(cast).items():
        clients[who] = lambda is_api, key=key: Client(headers={"Authorization": f"Bearer {key}"})
    homes = {who: person.personal for who, person in staff.items()}
    return Company(cast, world, clients, homes, stub)


def asking(person: Person) -> Callable[[bool], Client]:
    browser = person.browser  # signed in now: what a request does is undone
    return lambda is_api: person.api if is_api else browser


def hire(cast: Cast, name: str, role: str, places: dict[uuid.UUID, str]) -> Person:
    """Somebody with a seat and a key that may do all that they may."""
    user = User.objects.create_user(f"{uuid.uuid4().hex}@example.com")
    with cast.alice.scope():
        people.add_person(user=user, name=name, role=role)
        for place, part in places.items():
            members.add_member(workspace_id=place, user_id=user.id, role=part)
    return seated(name, user, cast.alice.identity.tenant_id)


def keys_of(cast: Cast) -> dict[str, str]:
    """Alice's: one that reads, one that reads and writes, one for all, but for her own workspace alone."""
    with cast.alice.scope() as entered:
        own = entered.of_kind(Workspace.Kind.PERSONAL)
        return {
            "reading key": keys.create_key(name="reading", scopes=["read"]),
            "writing key": keys.create_key(name="writing", scopes=["read", "write"]),
            "narrow key": keys.create_key(name="narrow", scopes=keys.SCOPES, workspace_ids=own),
        }
