"""A chat that was had elsewhere is read on its page like any other: in its order, a page at a time."""

from __future__ import annotations

import re
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from agents.importing import import_conversation
from agents.models import Agent, MainContext
from memory.importing import ImportedMessage
from memory.models import Message
from tests.cast import Cast, Person, new_agent, send, work

BEGIN = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
SCRIPT = {"HX-Request": "true"}


def bring(
    person: Person, *said: dict[str, Any], agent: Agent | None = None, title: str = "Elsewhere"
) -> MainContext:
    messages = [
        ImportedMessage(**{"role": "user", "external_id": str(number)} | each)
        for number, each in enumerate(said)
    ]
    with person.scope():
        return import_conversation((agent or new_agent(person)).id, title, messages).context


def lines(count: int) -> list[dict[str, Any]]:
    return [
        {
            "role": "assistant" if number % 2 else "user",
            "content": f"line {number:03}.",
            "created_at": BEGIN + timedelta(minutes=number),
        }
        for number in range(count)
    ]


def page(person: Person, chat: MainContext, rest: str = "") -> str:
    answer = person.browser.get(f"/w/{chat.workspace_id}/c/{chat.conversation_id}/{rest}")
    assert answer.status_code == 200
    return answer.content.decode()


def part(person: Person, address: str) -> str:
    answer = person.browser.get(address.replace("&amp;", "&"), headers=SCRIPT)
    assert answer.status_code == 200
    return answer.content.decode()


def shown(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"line (\d{3})\.", text)]


def link(text: str, place: str) -> str:
    return text.split(f'id="{place}"')[1].split('href="')[1].split('"')[0]


def id_of(person: Person, chat: MainContext, content: str) -> uuid.UUID:
    with person.scope():
        return Message.objects.get(conversation_id=chat.conversation_id, content__startswith=content).id


def test_it_shows_who_said_what_and_when_and_that_it_was_imported(alice: Person) -> None:
    chat = bring(
        alice,
        {"content": "Giraffe *question*", "name": "Caroline", "created_at": BEGIN},
        {"content": "Giraffe **answer**", "role": "assistant"},
        {"content": "<b>raw</b> **result**", "role": "tool"},
        {"content": "Speak of giraffes.", "role": "system"},
        {"content": "And I?"},
    )
    text = page(alice, chat)
    assert "something worth keeping" not in text
    assert re.findall(r'<span class="name">(.+?)</span>', text.split('id="messages"')[1])[:5] == [
        "Caroline",
        "Memo",
        "Tool",
        "System message",
        "Alice",
    ]
    assert text.count("<span>imported</span>") == 5
    assert "2023-05-08 13:56" in text
    assert "<strong>answer</strong>" in text
    tool = text.split('<details class="tool">')[1].split("</details>")[0]
    assert "&lt;b&gt;raw&lt;/b&gt; **result**" in tool


def test_it_stands_between_the_turns_and_the_chat_goes_on(alice: Person) -> None:
    agent = new_agent(alice)
    chat = bring(alice, *lines(2), agent=agent)
    work(send(alice, chat, "line 002."))
    bring(alice, *lines(2), {"content": "line 003."}, agent=agent)
    work(send(alice, chat, "line 004."))
    send(alice, chat, "line 005.")
    log = page(alice, chat).split('id="messages"')[1].split('id="composer"')[0]
    asked = re.findall(r'<article class="message(?: user)?" id="m-[^>]*>.*?line (\d{3})', log, re.DOTALL)
    assert [int(number) for number in asked] == [0, 1, 2, 3, 4, 5]
    assert log.count("<span>imported</span>") == 3
    assert log.count('class="turn"') == 3


def test_a_page_has_forty_messages_and_the_older_ones_come_on_demand(alice: Person) -> None:
    chat = bring(alice, *lines(100))
    work(send(alice, chat, "I am back."))
    text = page(alice, chat)
    assert shown(text) == list(range(62, 100))
    older = part(alice, link(text, "earlier"))
    assert "<html" not in older
    assert shown(older) == list(range(22, 62))
    oldest = part(alice, link(older, "earlier"))
    assert shown(oldest) == list(range(22))
    assert 'id="earlier"' not in oldest


def test_a_message_leads_to_its_place_with_what_stands_around_it(alice: Person) -> None:
    chat = bring(alice, *lines(200))
    wanted = id_of(alice, chat, "line 090.")
    answer = alice.browser.get(f"/w/{alice.personal}/messages/{wanted}/")
    assert answer["Location"].endswith(f"/c/{chat.conversation_id}/?at={wanted}#m-{wanted}")
    text = page(alice, chat, f"?at={wanted}")
    assert f'id="m-{wanted}"' in text
    assert shown(text) == [*range(70, 111), *range(160, 200)]
    more = part(alice, link(text, "gap"))
    assert shown(more) == list(range(111, 151))
    rest = part(alice, link(more, "gap"))
    assert shown(rest) == list(range(151, 160))
    assert 'id="gap"' not in rest
    assert shown(part(alice, link(text, "earlier"))) == list(range(30, 70))


def test_near_the_end_nothing_is_left_out(alice: Person) -> None:
    chat = bring(alice, *lines(70))
    turn = send(alice, chat, "I am back.")
    work(turn)
    text = page(alice, chat, f"?at={id_of(alice, chat, 'line 055.')}")
    assert shown(text) == list(range(35, 70))
    assert 'id="gap"' not in text
    assert text.count(f'id="turn-{turn.id}"') == 1
    with alice.scope():
        said = Message.objects.get(turn_id=turn.id, role="assistant")
    text = page(alice, chat, f"?at={said.id}")
    assert shown(text) == list(range(50, 70))
    assert f'id="turn-{turn.id}"' in text


def test_the_queries_do_not_grow_with_the_messages(alice: Person) -> None:
    counts = []
    for count in (5, 500):
        chat = bring(alice, *lines(count), title=f"of {count}")
        work(send(alice, chat, "I am back."))
        for rest in ("", f"?at={id_of(alice, chat, 'line 002.')}"):
            page(alice, chat, rest)
            with CaptureQueriesContext(connection) as asked:
                assert "line 00" in page(alice, chat, rest) or count == 500
            counts.append(len(asked))
    few, few_at, many, many_at = counts
    assert many <= few
    assert many_at <= few_at


def test_a_message_of_another_chat_leads_nowhere(cast: Cast) -> None:
    chat, other = bring(cast.alice, *lines(2)), bring(cast.alice, {"content": "another"})
    path = f"/w/{cast.alice.personal}/c/{chat.conversation_id}/"
    own, foreign = id_of(cast.alice, chat, "line 001."), id_of(cast.alice, other, "another")
    assert cast.alice.browser.get(f"{path}?at={own}").status_code == 200
    for rest in (f"?at={foreign}", f"messages/?before={foreign}", f"messages/?after={own}&before={foreign}"):
        assert cast.alice.browser.get(f"{path}{rest}").status_code == 404
    assert cast.charlie.browser.get(f"{path}?at={own}").status_code == 404
