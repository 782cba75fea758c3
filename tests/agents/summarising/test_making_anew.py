"""A summary is made anew from recall where somebody asks for it; later ones and searches stay right."""

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from agents import summarising
from agents.context.summaries import asking
from agents.summarising import drafting, mending, summary_due
from agents.summarising.mending import NothingToRebuild
from memory import retrieval, summaries
from memory.models import IndexEntry, Message, Summary
from memory.retrieval import CURRENT, SUPERSEDED, Filters
from tenants.permissions import NotAllowed
from tests.agents.context.compiling import ask, compiled, fill
from tests.agents.llm.stub_behaviours import refuse, text
from tests.agents.llm.stub_server import StubServer
from tests.agents.stubbed import Stubbed
from tests.agents.summarising.chats import FACTS, GOOD, ORDER, current, fresh, full_chat, mend, take_up
from tests.agents.summarising.chats import fill as say_it_fills
from tests.cast import Cast, Person, new_agent, new_chat


@pytest.fixture
def chat(alice: Person, impatient: None) -> Iterator[Stubbed]:
    """A chat with a summary of its model's, and another one on top of it."""
    with StubServer(otherwise=text(GOOD)) as server:
        made = full_chat(alice, server)
        take_up(made)
        fill(alice, made.chat, 20, "we sat and read " * 12)
        say_it_fills(made)
        take_up(made)
        yield made


def ask_anew(chat: Stubbed) -> Summary:
    with chat.person.scope():
        return summarising.ask_anew(chat.chat.conversation_id)


def found(chat: Stubbed, query: str, *states: str) -> list[object]:
    with chat.person.scope():
        page = retrieval.search(query, Filters(kinds=[IndexEntry.Kind.SUMMARY], states=states or [CURRENT]))
    return [hit.id for hit in page.hits]


def test_it_is_made_of_every_message_that_it_covers(chat: Stubbed) -> None:
    old = current(chat)
    assert old.previous_id is not None
    number = len(chat.server.requests)
    assert ask_anew(chat).id == old.id
    assert current(chat).id == old.id
    assert mend(chat, old)
    made = current(chat)
    assert (made.replaces_id, made.previous_id) == (old.id, None)
    assert (made.from_position, made.to_position) == (old.from_position, old.to_position)
    asked = "".join(str(each.json["messages"][1]["content"]) for each in chat.server.requests[number:])
    assert all(fact in asked for fact in FACTS)
    with chat.person.scope():
        covered = set(summaries.covered(made).values_list("id", flat=True))
        assert covered == set(summaries.covered(old).values_list("id", flat=True))
        rows = Message.objects.filter(conversation_id=chat.chat.conversation_id)
        assert covered == set(rows.filter(position__lte=old.to_position).values_list("id", flat=True))


def test_where_the_model_fails_the_old_one_stays_and_it_is_tried_again(chat: Stubbed) -> None:
    old = current(chat)
    ask_anew(chat)
    chat.queue(refuse(401))
    assert not mend(chat, old)
    assert current(chat).id == old.id
    again = fresh(chat, old)
    assert (again.fault, again.tries) == ("anew", 1)
    assert again.mend_at is not None
    assert mend(chat, old)
    assert current(chat).replaces_id == old.id


def test_where_the_model_fails_for_good_it_says_so_and_waits_no_more(chat: Stubbed) -> None:
    old = current(chat)
    ask_anew(chat)
    with chat.person.scope():
        Summary.objects.filter(id=old.id).update(tries=drafting.TRIES_MOST - 2)
    chat.queue(refuse(401))
    assert not mend(chat, old)
    assert fresh(chat, old).fault == "anew"
    chat.queue(refuse(401))
    assert not mend(chat, old)
    given_up = fresh(chat, old)
    assert (given_up.fault, given_up.mend_at) == ("refused_key", None)
    ask_anew(chat)
    assert mend(chat, old)
    assert current(chat).replaces_id == old.id


def test_nobody_else_begins_while_it_is_read_piece_by_piece(
    chat: Stubbed, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = current(chat)
    with chat.person.scope():
        chat.agent.model.window = 2_000
        chat.agent.model.save()
    ask_anew(chat)
    monkeypatch.setattr(mending, "CLAIMED_FOR", timedelta(0))  # over at once, unless it is claimed again
    claims: list[datetime] = []

    def heard(*given: object) -> str:
        claims.append(fresh(chat, old).mend_at or old.created_at)
        return GOOD

    monkeypatch.setattr(asking, "_heard", heard)
    assert mend(chat, old)
    assert len(claims) > 1
    assert claims == sorted(set(claims))


def test_without_a_model_it_is_extractive(chat: Stubbed) -> None:
    old = current(chat)
    with chat.person.scope():
        chat.agent.model.origin = "offline"
        chat.agent.model.save()
    ask_anew(chat)
    assert mend(chat, old)
    made = current(chat)
    assert (made.made_by, made.fault, made.replaces_id) == (Summary.EXTRACTIVE, "", old.id)
    assert ORDER in made.content
    assert FACTS[1].rstrip(".") in made.content


def test_the_next_one_is_made_of_the_new_one(chat: Stubbed) -> None:
    old = current(chat)
    ask_anew(chat)
    mend(chat, old)
    made = current(chat)
    fill(chat.person, chat.chat, 24, "we sat and read " * 12)
    compiled(chat.person, ask(chat.person, chat.chat))
    later = current(chat)
    assert (later.previous_id, later.from_position) == (made.id, 1)
    assert later.to_position > made.to_position
    assert ORDER in later.content


def test_a_replaced_one_is_never_found_as_current(chat: Stubbed) -> None:
    old = current(chat)
    assert found(chat, "boiler pressure") == [old.id]
    ask_anew(chat)
    mend(chat, old)
    made = current(chat)
    assert found(chat, "boiler pressure") == [made.id]
    assert old.id in found(chat, "boiler pressure", SUPERSEDED)
    with chat.person.scope():
        standing = list(summaries.standing(chat.chat.conversation_id))
    assert standing[0].id == made.id
    assert old.id not in {each.id for each in standing}


def test_its_span_leads_to_the_messages(chat: Stubbed) -> None:
    with chat.person.scope():
        span = summaries.span_of(current(chat))
        first = Message.objects.get(id=span.first)
        last = Message.objects.get(id=span.last)
    assert first.content == ORDER
    assert last.position == current(chat).to_position == span.count
    assert (span.since, span.until) == (first.created_at, last.created_at)


def test_asking_is_announced_after_commit(chat: Stubbed) -> None:
    told = []
    summary_due.connect(hear := lambda **ids: told.append(ids["row_id"]))
    try:
        with chat.person.scope():
            summarising.ask_anew(chat.chat.conversation_id)
            assert told == []
    finally:
        summary_due.disconnect(hear)
    assert told == [current(chat).id]


def test_who_may_not_change_the_chat_may_not_ask(chat: Stubbed, cast: Cast) -> None:
    with pytest.raises(chat.chat.conversation.DoesNotExist), cast.bob.scope():
        summarising.ask_anew(chat.chat.conversation_id)
    cast.let_bob_in("viewer")
    team = new_chat(cast.alice, new_agent(cast.alice, cast.team), cast.team)
    with pytest.raises(NotAllowed), cast.bob.scope():
        summarising.ask_anew(team.conversation_id)
    with pytest.raises(NothingToRebuild), cast.alice.scope():
        summarising.ask_anew(team.conversation_id)
