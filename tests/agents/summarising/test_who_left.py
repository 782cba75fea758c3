"""A summary that is due is mended though whoever spoke last does not reach the chat any more."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from agents import summarising
from memory.models import Conversation, Summary
from tenants import members
from tenants.scope import RowKey
from tests.agents.context.compiling import fill
from tests.agents.llm.stub_behaviours import refuse, text
from tests.agents.llm.stub_server import StubServer
from tests.agents.stubbed import Stubbed, stub_model
from tests.agents.summarising.chats import current, fresh, mend, take_up
from tests.agents.summarising.chats import fill as say_it_fills
from tests.cast import Cast, new_agent, new_chat, send, work


@pytest.fixture
def chat(cast: Cast, impatient: None) -> Iterator[Stubbed]:
    """Alice's chat in the team, in which Bob spoke last before he left; its summary is to be mended."""
    cast.let_bob_in("editor")
    with StubServer(otherwise=refuse(401)) as server:
        yield left_by_bob(cast, server)


def left_by_bob(cast: Cast, server: StubServer) -> Stubbed:
    model = stub_model(cast.alice, server.url, window=4_000)
    agent = new_agent(cast.alice, cast.team, model_id=model.id)
    chat = Stubbed(cast.alice, server, agent, new_chat(cast.alice, agent, cast.team))
    fill(cast.alice, chat.chat, 24, "My cat is called Tom. " * 12)
    server.queue(text("Noted."))
    work(send(cast.bob, chat.chat, "My dog is called Rex."))
    say_it_fills(chat)
    take_up(chat)
    assert current(chat).mend_at is not None
    with cast.alice.scope():
        members.remove_member(workspace_id=cast.team, user_id=cast.bob.user.id)
    return chat


def test_it_is_made_for_the_owner_of_the_chat(chat: Stubbed) -> None:
    old = current(chat)
    chat.queue(text("[facts]\nMy cat is called Tom.\n"))
    assert mend(chat, old)
    assert current(chat).replaces_id == old.id


def test_where_the_owner_left_too_it_is_looked_at_seldom(cast: Cast, chat: Stubbed) -> None:
    old = current(chat)
    with cast.alice.scope():
        Conversation.objects.filter(id=chat.chat.conversation_id).update(owner_id=cast.bob.user.id)
        Summary.objects.filter(id=old.id).update(mend_at=old.created_at)
    now = timezone.now()
    assert not summarising.mend(RowKey(old.tenant_id, old.workspace_id, old.id))
    mend_at = fresh(chat, old).mend_at
    assert mend_at is not None
    assert mend_at > now + timedelta(hours=1)


def test_where_the_owner_left_too_its_queue_is_not_looked_at_again(cast: Cast, chat: Stubbed) -> None:
    with cast.alice.scope():
        Conversation.objects.filter(id=chat.chat.conversation_id).update(owner_id=cast.bob.user.id)
    say_it_fills(chat)
    assert chat.context().is_filling
    assert not take_up(chat)
    assert not chat.context().is_filling
