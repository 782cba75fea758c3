"""A summary of one's own chat is made though its agent lies in another workspace than the chat."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from agents.services import receive_message
from tenants import members
from tenants.scope import scope
from tests.agents.context.compiling import exchange
from tests.agents.llm.stub_behaviours import refuse, text
from tests.agents.llm.stub_server import StubServer
from tests.agents.stubbed import Stubbed, stub_model
from tests.agents.summarising.chats import current, fill, fresh, mend, take_up
from tests.cast import Cast, Person, new_agent, new_chat, work

GOOD = text("[facts]\nMy cat is called Tom.\n")


@pytest.fixture
def server(impatient: None) -> Iterator[StubServer]:
    """A model that answers at once."""
    with StubServer() as running:
        yield running


def place_of(cast: Cast, name: str) -> uuid.UUID:
    return {"team": cast.team, "organisation": cast.organisation}[name]


def own_chat(cast: Cast, person: Person, server: StubServer, place: uuid.UUID) -> Stubbed:
    """A person's own chat with the agent of a team or of the organisation; its queue is filling."""
    model = stub_model(cast.alice, server.url, window=4_000)
    agent = new_agent(cast.alice, place, model_id=model.id)
    chat = Stubbed(person, server, agent, new_chat(person, agent, person.personal))
    assert chat.chat.workspace_id != agent.workspace_id
    for number in range(24):
        exchange(person, chat.chat, f"Message {number}: {'My cat is called Tom. ' * 12}", "I see.")
    fill(chat)
    return chat


@pytest.mark.parametrize("place", ["team", "organisation"])
def test_it_is_made_and_takes_its_place(cast: Cast, server: StubServer, place: str) -> None:
    chat = own_chat(cast, cast.alice, server, place_of(cast, place))
    chat.queue(GOOD)
    assert take_up(chat)
    made, context = current(chat), chat.context()
    assert (made.made_by, made.fault) == ("stub", "")
    assert (context.is_filling, context.queue_from) == (False, made.to_position + 1)
    assert not take_up(chat)


@pytest.mark.parametrize("place", ["team", "organisation"])
def test_it_is_made_after_a_turn(cast: Cast, server: StubServer, place: str) -> None:
    chat = own_chat(cast, cast.alice, server, place_of(cast, place))
    chat.queue(text("Noted."), GOOD)
    chat.say("My dog is called Rex.")
    before = chat.context().summary_id
    exchange(cast.alice, chat.chat, "My cat is called Tom. " * 300, "I see.")
    fill(chat)
    assert take_up(chat)
    assert current(chat).id != before
    assert not chat.context().is_filling


@pytest.mark.parametrize("place", ["team", "organisation"])
def test_one_that_failed_is_mended(cast: Cast, server: StubServer, place: str) -> None:
    chat = own_chat(cast, cast.alice, server, place_of(cast, place))
    chat.queue(refuse(401), refuse(401), GOOD)
    assert take_up(chat)
    old = current(chat)
    assert old.fault == "refused_key"
    assert not mend(chat, old)
    assert fresh(chat, old).tries == 1
    assert mend(chat, old)
    assert current(chat).replaces_id == old.id
    assert fresh(chat, old).mend_at is None


def test_it_is_made_for_the_owner_where_the_last_turns_key_does_not_reach_the_agent(
    cast: Cast, server: StubServer
) -> None:
    chat = own_chat(cast, cast.alice, server, cast.team)
    with scope(cast.alice.identity.narrowed({cast.alice.personal})):
        turn = receive_message(
            conversation_id=chat.chat.conversation_id, content="And now?", client_id="narrow"
        )
    work(turn)
    assert chat.fresh(turn).error_kind == "no_access"
    chat.queue(GOOD)
    assert take_up(chat)
    assert current(chat).made_by == "stub"


def leave_the_team(cast: Cast) -> None:
    with cast.alice.scope():
        members.remove_member(workspace_id=cast.team, user_id=cast.bob.user.id)


def test_who_left_the_team_gets_one_when_they_come_back(cast: Cast, server: StubServer) -> None:
    cast.let_bob_in()
    chat = own_chat(cast, cast.bob, server, cast.team)
    leave_the_team(cast)
    assert not take_up(chat)
    assert not take_up(chat)
    assert not server.requests
    cast.let_bob_in()
    chat.queue(GOOD)
    assert take_up(chat)
    assert current(chat).made_by == "stub"


def test_who_left_the_team_has_none_mended_until_they_come_back(cast: Cast, server: StubServer) -> None:
    cast.let_bob_in()
    chat = own_chat(cast, cast.bob, server, cast.team)
    chat.queue(refuse(401))
    assert take_up(chat)
    old = current(chat)
    leave_the_team(cast)
    now = timezone.now()
    assert not mend(chat, old)
    mend_at = fresh(chat, old).mend_at
    assert mend_at is not None
    assert mend_at > now + timedelta(hours=1)
    assert len(server.requests) == 1
    cast.let_bob_in()
    chat.queue(GOOD)
    assert mend(chat, old)
    assert current(chat).replaces_id == old.id
