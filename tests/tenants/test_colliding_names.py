"""Names chosen to collide: prefixes of each other, wildcards, twins in another tenant."""

import uuid

import pytest

from agents.models import Agent, AgentBlock
from memory.core import BlockFields, by_me, create_block
from memory.models import Block, Message
from memory.retrieval import Filters, search
from tenants import services
from tenants.models import Tenant, User, Workspace
from tenants.scope import scope
from tests.cast import Cast, Person, found, new_agent, new_chat, send

NAMES = (
    "acme",
    "acme-corp",
    "acme_corp",
    "acme%",
    "a_me",
    "%",
    "_",
    "ACME",
    "acme ",
    "acme\u200b",
)


def test_tenants_whose_names_begin_alike_share_nothing(cast: Cast, locks: str) -> None:
    """The cast's two tenants: acme-… and acme-…-corp."""
    with cast.alice.scope():
        slug = Tenant.objects.get().slug
    with cast.charlie.scope():
        assert Tenant.objects.get().slug == f"{slug}-corp"
    new_agent(cast.charlie, name="Twin")
    with cast.alice.scope():
        assert not Agent.objects.filter(name="Twin").exists()
        assert not Tenant.objects.filter(slug__startswith=f"{slug}-").exists()


@pytest.fixture(scope="module")
def people(database: None) -> list[Person]:
    """A tenant of each name; an agent, a block and a chat in each, all named the same."""
    made = []
    for name in NAMES:
        person = _person(name)
        agent = new_agent(person, name="acme%")
        with person.scope():
            create_block(
                workspace_id=person.personal, fields=BlockFields(label="a_me", value=name), actor=by_me()
            )
        made.append(person)
        send(person, new_chat(person, agent), f"100%_sure about [{name}]")
    return made


def _person(name: str) -> Person:
    user = User.objects.create_user(f"{uuid.uuid4().hex}@example.com")
    identity = services.create_tenant(name=name, owner=user, owner_name=name)
    with scope(identity) as reach:
        personal = reach.of_kind(Workspace.Kind.PERSONAL)[0]
    return Person(name, user, identity, "", personal)


@pytest.mark.parametrize("index", range(len(NAMES)), ids=ascii)
def test_no_name_and_no_wildcard_reaches_over_tenants(people: list[Person], locks: str, index: int) -> None:
    person, name = people[index], NAMES[index]
    with person.scope():
        assert Tenant.objects.get().name == name
        assert [block.value for block in Block.objects.filter(label="a_me")] == [name]
        assert Agent.objects.filter(name__contains="%").count() == 1
        assert Agent.objects.filter(name__startswith="_").count() == 0
        for wildcard in ("%", "_", "acme", "a_me", "100%_sure"):
            found = Message.objects.filter(content__icontains=wildcard)
            assert {row.content for row in found} <= {f"100%_sure about [{name}]"}, wildcard
        assert [hit.text for hit in search("sure", Filters()).hits] == [f"100%_sure about [{name}]"]


def test_one_name_twice_makes_two_tenants_and_tells_nobody(database: None) -> None:
    """Whoever signs up second learns nothing of the first, and is not refused."""
    name = f"Twice {uuid.uuid4().hex[:6]}"
    first, second = _person(name), _person(name)
    for person in (first, second):
        with person.scope():
            assert Tenant.objects.get().name == name
    assert first.identity.tenant_id != second.identity.tenant_id


def test_a_tenants_name_may_be_long_or_without_letters(database: None) -> None:
    for name in ("n" * 120, "名字", "---", "!"):
        with _person(name).scope():
            assert Tenant.objects.get().name == name


def test_a_short_name_that_was_asked_for_is_refused_when_taken(database: None) -> None:
    slug = f"acme-{uuid.uuid4().hex[:8]}"
    found(slug, "First", uuid.uuid4().hex)
    with pytest.raises(services.SlugTaken):
        found(slug, "Second", uuid.uuid4().hex)


def test_the_same_label_in_two_places_is_two_blocks(cast: Cast, locks: str) -> None:
    agents = {person.name: new_agent(person) for person in (cast.alice, cast.bob, cast.charlie)}
    seen: list[uuid.UUID] = []
    for person in (cast.alice, cast.bob, cast.charlie):
        with person.scope():
            rows = AgentBlock.objects.filter(label="human")
            assert [row.agent_id for row in rows] == [agents[person.name].id]
            seen += [row.block_id for row in rows]
    assert len(set(seen)) == 3


def test_the_same_client_id_in_two_chats_is_two_turns(cast: Cast, locks: str) -> None:
    turns = [
        send(person, new_chat(person, new_agent(person)), "the same words", client_id="1")
        for person in (cast.alice, cast.bob, cast.charlie)
    ]
    assert len({turn.id for turn in turns}) == 3
