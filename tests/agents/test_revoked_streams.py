"""Open streams end with the key, the seat or the place in a workspace that they were opened with, at once.

On a real site: what is revoked in one process is told to the web process that holds the stream. No worker
runs, so no turn ends by itself; and without the notice a stream would look again only after 15 seconds.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from agents.models import MainContext, Turn
from tenants import keys, members, people
from tenants.models import ApiKey, Membership
from tests.agents.mortal import until
from tests.cast import Cast, Person, new_agent, new_chat, send
from tests.live import Live, make_live

# Less than the 15 seconds after which a stream looks again by itself.
AT_ONCE = 10.0


FOLLOWERS: list[threading.Thread] = []


@pytest.fixture(scope="module")
def site(database: None) -> Iterator[Live]:
    site = make_live()
    site.start("web")
    yield site
    site.stop()
    for each in FOLLOWERS:
        each.join(60)


@dataclass
class Stream:
    """An open event stream: whether it has begun, whether it has ended, and what came."""

    url: str
    access: dict[str, Any]
    begun: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)
    status: int = 0
    came: bytes = b""

    def open(self) -> Stream:
        FOLLOWERS.append(threading.Thread(target=self._run))
        FOLLOWERS[-1].start()
        assert self.begun.wait(60), self.status
        return self

    def _run(self) -> None:
        """To the end, or until the site of the test stops."""
        with (
            suppress(httpx.RemoteProtocolError),
            httpx.Client(timeout=60, **self.access) as client,
            client.stream("GET", self.url) as answer,
        ):
            self.status = answer.status_code
            for piece in answer.iter_raw():
                self.came += piece
                if b"data:" in self.came:
                    self.begun.set()
        self.begun.set()
        self.ended.set()


def by_key(secret: str) -> dict[str, Any]:
    return {"headers": {"Authorization": f"Bearer {secret}"}}


def by_session(person: Person) -> dict[str, Any]:
    return {"cookies": {"sessionid": person.browser.cookies["sessionid"].value}}


def api_stream(site: Live, secret: str, turn: Turn) -> Stream:
    return Stream(f"{site.url}/api/v1/turns/{turn.id}/events/", by_key(secret))


def page_stream(site: Live, person: Person, turn: Turn) -> Stream:
    here = f"{site.url}/w/{turn.workspace_id}/c/{turn.conversation_id}/turns/{turn.id}/events/"
    return Stream(here, by_session(person))


def waiting_turn(person: Person, home: uuid.UUID | None = None) -> Turn:
    """A turn that nobody works on, in a chat of a workspace."""
    chat: MainContext = new_chat(person, new_agent(person, home), home)
    return send(person, chat, "hello")


def another_key(person: Person) -> str:
    with person.scope():
        return keys.create_key(name="another", scopes=keys.SCOPES)


def revoke(person: Person, secret: str) -> None:
    with person.scope():
        keys.revoke_key(key_id=ApiKey.objects.get(digest=keys.digest(secret)).id)


def assert_open(*streams: Stream) -> None:
    time.sleep(0.5)
    assert [each.ended.is_set() for each in streams] == [False] * len(streams)
    assert [each.status for each in streams] == [200] * len(streams)


def test_a_revoked_key_ends_its_streams_and_no_others(site: Live, alice: Person) -> None:
    turn, other = waiting_turn(alice), another_key(alice)
    mine = api_stream(site, alice.key, turn).open()
    kept = [api_stream(site, other, turn).open(), page_stream(site, alice, turn).open()]
    assert_open(mine, *kept)
    revoke(alice, alice.key)
    assert mine.ended.wait(AT_ONCE)
    assert b"done" not in mine.came, "it did not end because the turn did"
    assert_open(*kept)
    again = api_stream(site, alice.key, turn).open()
    assert again.status == 401


def test_a_revoked_key_is_refused_where_it_waits_for_an_answer(site: Live, alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    answers: list[httpx.Response] = []

    def ask() -> None:
        address = f"{site.url}/api/v1/conversations/{chat.conversation_id}/messages/?wait=60"
        answers.append(httpx.post(address, json={"content": "hello"}, timeout=90, **by_key(alice.key)))

    asking = threading.Thread(target=ask)
    asking.start()
    until(lambda: _is_asked(alice, chat))
    time.sleep(0.5)
    assert answers == [], "it waits"
    revoke(alice, alice.key)
    asking.join(AT_ONCE)
    assert [answer.status_code for answer in answers] == [401]
    assert answers[0].headers["WWW-Authenticate"].startswith("Bearer")


def _is_asked(person: Person, chat: MainContext) -> bool:
    with person.scope():
        return Turn.objects.filter(conversation_id=chat.conversation_id).exists()


def test_a_removed_person_loses_every_stream(site: Live, cast: Cast) -> None:
    turn, others = waiting_turn(cast.bob), waiting_turn(cast.alice)
    streams = [api_stream(site, cast.bob.key, turn).open(), page_stream(site, cast.bob, turn).open()]
    kept = page_stream(site, cast.alice, others).open()
    assert_open(*streams, kept)
    with cast.alice.scope():
        people.remove_person(membership_id=Membership.objects.get(user_id=cast.bob.user.id).id)
    assert all(each.ended.wait(AT_ONCE) for each in streams)
    assert_open(kept)
    assert api_stream(site, cast.bob.key, turn).open().status == 401
    assert page_stream(site, cast.bob, turn).open().status in {302, 404}


@pytest.mark.parametrize("how", ["taken out", "made an auditor"])
def test_who_is_out_of_a_team_loses_its_streams_and_keeps_their_own(site: Live, cast: Cast, how: str) -> None:
    cast.let_bob_in("member")
    teams, own = waiting_turn(cast.alice, cast.team), waiting_turn(cast.bob)
    lost = [api_stream(site, cast.bob.key, teams).open(), page_stream(site, cast.bob, teams).open()]
    kept = [
        page_stream(site, cast.bob, own).open(),
        api_stream(site, cast.bob.key, own).open(),
        page_stream(site, cast.alice, teams).open(),
    ]
    assert_open(*lost, *kept)
    with cast.alice.scope():
        if how == "taken out":
            members.remove_member(workspace_id=cast.team, user_id=cast.bob.user.id)
        else:
            seat = Membership.objects.get(user_id=cast.bob.user.id)
            people.change_role(membership_id=seat.id, role="auditor")
    assert all(each.ended.wait(AT_ONCE) for each in lost)
    assert_open(*kept)
    assert api_stream(site, cast.bob.key, teams).open().status == 404
    assert page_stream(site, cast.bob, teams).open().status == 404
