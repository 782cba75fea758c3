"""Every route of the API with odd bodies, queries and headers: a stated refusal, nothing changed, no 500."""

from __future__ import annotations

import random
import re
import uuid
from typing import Any

import pytest
from django.urls import URLPattern, get_resolver

from agents.api.bodies import BlocksQuery, ConversationsQuery, MessagesQuery
from memory import core
from memory.actors import Actor, ActorKind
from memory.api.bodies import ProposalsQuery
from memory.api.search import SearchQuery
from memory.governance import Origin
from memory.operations import Append
from tests.api_calls import PROBLEM, call, get, state_of
from tests.cast import Person, new_agent, new_chat, send

VERBS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD")
ODD: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    10**9,
    2**63,
    10**40,
    1.5,
    1e308,
    "",
    " ",
    "\x00",
    "\ud800",
    "\U0001f600" * 10,
    "x" * 300_000,
    "</human>",
    "%s{0}${x}\\",
    "'; DROP TABLE memory_block; --",
    "append",
    "00000000-0000-0000-0000-000000000000",
    [],
    [[]],
    {},
    {"a": {"b": [None]}},
    ["append"],
)
# Bodies that would do, by the end of the address.
HONEST: dict[str, dict[str, Any]] = {
    r"/agents/$": {"name": "Memo", "description": "", "window": 4000, "persona": "I.", "instructions": ""},
    r"/agents/[^/]+/$": {"name": "Memo", "description": "", "window": 4000, "instructions": "Be brief."},
    r"/agents/[^/]+/blocks/$": {"label": "plan", "value": "x", "limit": 9, "governance": "free"},
    r"/agents/[^/]+/blocks/[^/]+/$": {"override": "propose", "in_shared_chats": True},
    r"/blocks/[^/]+/agents/$": {"agents": ["00000000-0000-0000-0000-000000000000"]},
    r"/blocks/[^/]+/(?:move|copy)/$": {"workspace": "00000000-0000-0000-0000-000000000000"},
    r"/blocks/[^/]+/$": {"label": "plan", "value": "x", "limit": 9000, "unit": "tokens", "sections": []},
    r"/operations/$": {"operation": "insert", "content": "x", "line": 0},
    r"/approve/$": {"value": "x", "version": 1},
    r"/reject/$": {"note": "no"},
    r"/conversations/$": {"agent": "", "title": "Plans"},
    r"/conversations/[^/]+/$": {"title": "Plans", "pinned": True},
    r"/messages/$": {"content": "hello", "client_id": "one"},
    r"": {},
}
EXTRA = ["model", "workspace", "old_content", "new_content", "id", "nothing"]
PARAMETERS = sorted(
    {
        name
        for query in (BlocksQuery, ConversationsQuery, MessagesQuery, ProposalsQuery, SearchQuery)
        for name in query().fields
    }
    | {"wait", "after", "format"}
)


def routes() -> list[str]:
    """Every address of the API's first version, with its ids in angle brackets."""
    found: list[str] = []

    def walk(patterns: Any, before: str) -> None:
        for pattern in patterns:
            here = before + str(pattern.pattern)
            if isinstance(pattern, URLPattern):
                found.append(here)
            else:
                walk(pattern.url_patterns, here)

    walk(get_resolver().url_patterns, "/")
    return [route for route in found if route.startswith("/api/v1/")]


@pytest.fixture
def addresses(alice: Person) -> list[str]:
    """Each route twice: with ids that are there, and with one that is not."""
    agent = new_agent(alice)
    turn = send(alice, new_chat(alice, agent), "hello")
    block = get(alice, f"agents/{agent.id}/blocks/")["results"][0]["id"]
    with alice.scope():
        hand, origin = Actor(ActorKind.AGENT, agent.id), Origin(override="propose")
        proposal = core.operate(uuid.UUID(block), Append("x"), actor=hand, origin=origin)
    ids: dict[str, Any] = {
        "agent_id": agent.id,
        "block_id": block,
        "conversation_id": turn.conversation_id,
        "message_id": turn.message_id,
        "turn_id": turn.id,
        "proposal_id": proposal.id,
        "workspace_id": alice.personal,
        "number": 1,
        "a": 0,
        "b": 1,
    }

    def filled(route: str, ids: dict[str, Any]) -> str:
        return re.sub(r"<\w+:(\w+)>", lambda match: str(ids.get(match[1], uuid.uuid4())), route)

    missing = {"number": 2**31, "a": 2**31, "b": 2**31}
    return [filled(route, each) for route in routes() for each in (ids, missing)]


def answered_well(response: Any) -> bool:
    """Below 500; what is refused is refused as a problem."""
    refused = response.status_code >= 400
    return response.status_code < 500 and (not refused or response.headers["Content-Type"] == PROBLEM)


def spoiled(address: str, chance: random.Random) -> dict[str, Any]:
    """A body that would do at this address, but for one or two fields."""
    honest = next(body for end, body in HONEST.items() if re.search(end, address))
    names = [*honest] * 3 + EXTRA
    return honest | {name: chance.choice(ODD) for name in chance.sample(names, chance.randint(1, 2))}


def test_it_has_routes_to_try() -> None:
    assert len(routes()) > 35


def test_it_refuses_bodies_that_are_no_objects(alice: Person, addresses: list[str]) -> None:
    before = state_of(alice.identity.tenant_id)
    bodies = [
        b"{",
        b"[" * 5000,
        b"\xff",
        b"nul",
        b'"x"',
        b"[1]",
        b"3",
        b'{"a": NaN}',
        b'{"\\ud800": "\\u0000"}',
    ]
    for address in addresses:
        if address.endswith(("/stop/", "/retry/")) or "/events/" in address:
            continue
        for verb in ("POST", "PATCH"):
            for body in bodies:
                response = call(alice, verb, address, body, If_Match='"1"')
                assert answered_well(response), (verb, address, body, response.content)
                assert response.status_code in {400, 404, 405}, (verb, address, body)
    assert state_of(alice.identity.tenant_id) == before


@pytest.mark.parametrize("seed", range(4))
def test_it_survives_odd_fields(alice: Person, addresses: list[str], seed: int) -> None:
    chance = random.Random(seed)
    for address in addresses:
        for verb in ("POST", "PATCH"):
            for _ in range(8):
                body = spoiled(address, chance)
                tag = chance.choice(['"1"', '"2"', "1", "*", "x", ""])
                response = call(
                    alice, verb, address + "?wait=0" * address.endswith("messages/"), body, If_Match=tag
                )
                assert answered_well(response), (verb, address, body, response.content)


@pytest.mark.parametrize("seed", range(2))
def test_it_survives_odd_questions(alice: Person, addresses: list[str], seed: int) -> None:
    chance = random.Random(seed)
    before = state_of(alice.identity.tenant_id)
    values = [
        "",
        "0",
        "-1",
        "1e9",
        "1000000000",
        "9" * 50,
        "%00",
        "%ff",
        "%ED%A0%80",
        "a" * 9000,
        "[]",
        "x&x=1",
    ]
    values += [str(uuid.uuid4()), "true", "message", "newest", "香菜", "'", "%25s"]
    for address in addresses:
        for verb in ("GET", "HEAD", "OPTIONS"):
            if "/events/" in address and verb == "GET":
                continue
            for _ in range(4):
                asked = "&".join(
                    f"{name}={chance.choice(values)}"
                    for name in chance.sample(PARAMETERS, chance.randint(1, 3))
                )
                response = call(alice, verb, f"{address}?{asked}")
                assert answered_well(response) or verb == "HEAD", (verb, address, asked, response.content)
                assert response.status_code < 500, (verb, address, asked)
    assert state_of(alice.identity.tenant_id) == before


def test_it_survives_odd_headers(alice: Person, addresses: list[str]) -> None:
    odd = [
        {"Accept": "text/html"},
        {"Accept": "a/b/c;q=x"},
        {"Accept": ";" * 500},
        {"Content_Type": "application/json; charset=nothing"},
        {"Content_Type": "/"},
        {"Content_Type": ";;"},
        {"Content_Encoding": "gzip"},
        {"Accept_Language": "xx-YY;q=9," * 50},
        {"If_Match": "\xff"},
        {"Last_Event_ID": "\xff"},
        {"Host": "a.example:99999"},
        {"X_HTTP_Method_Override": "DELETE"},
    ]
    for address in addresses:
        for headers in odd:
            for verb in ("POST", "PATCH", "OPTIONS"):
                response = call(alice, verb, address, {}, **headers)
                assert response.status_code < 500, (verb, address, headers, response.content)


def test_it_answers_every_verb(alice: Person, addresses: list[str]) -> None:
    for address in addresses:
        for verb in VERBS:
            if (verb == "GET" and "/events/" in address) or verb == "DELETE":
                continue
            response = call(alice, verb, address)
            assert answered_well(response) or verb == "HEAD", (verb, address, response.content)
            assert response.status_code < 500, (verb, address)
            assert "no-store" in response.headers["Cache-Control"], (verb, address)
