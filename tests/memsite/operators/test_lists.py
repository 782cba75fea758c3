"""Lists of the admin: found, filtered, paged, and in a number of queries that does not grow with the rows."""

import logging
import uuid
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from agents.models import Agent
from agents.services import stop_turn
from memory import core, proposals
from memory.actors import Actor, ActorKind
from memory.models import Block, Proposal
from memory.operations import Append
from tenants.services import update_tenant
from tenants.web.events import sentence
from tests.cast import Cast, ask, new_agent, new_chat, send
from tests.memsite.operators.staff import Staff, block_of, events
from tests.tenants.walk import routes

QUERIES_AT_MOST = 16
LISTS = [route.name.removeprefix("admin:") for route in routes("admin") if route.name.endswith("_changelist")]


@pytest.fixture(autouse=True)
def _refusals_are_expected(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, "django.request")


def fill(cast: Cast, times: int) -> None:
    """Some of everything that lists show."""
    for _ in range(times):
        agent = new_agent(cast.alice, cast.team)
        for home in (cast.team, cast.alice.personal):
            ask(cast.alice, new_chat(cast.alice, agent, home), "Hello.")
        propose(cast, block_of(cast.alice, cast.team, label=f"b{uuid.uuid4().hex[:8]}"))


def propose(cast: Cast, block: Block) -> Proposal:
    """An agent's proposal about a block of the team."""
    with cast.alice.scope():
        Block.objects.filter(id=block.id).update(governance=Block.Governance.PROPOSE)
        made = core.operate(block.id, Append("More."), actor=Actor(ActorKind.AGENT, uuid.uuid4()))
    assert isinstance(made, Proposal)
    return made


def queries(staff: Staff, name: str) -> int:
    with CaptureQueriesContext(connection) as asked:
        staff.text(name)
    return len(asked)


def test_lists_take_few_queries_however_many_rows_there_are(inside: Staff, cast: Cast) -> None:
    fill(cast, 1)
    few = {name: queries(inside, name) for name in LISTS}
    fill(cast, 4)
    many = {name: queries(inside, name) for name in LISTS}
    assert {name: count for name, count in many.items() if count > few[name]} == {}
    assert {name: count for name, count in many.items() if count > QUERIES_AT_MOST} == {}


def test_every_list_is_ordered_paged_and_filtered_without_a_fault(inside: Staff, cast: Cast) -> None:
    fill(cast, 1)
    odd: list[dict[str, Any]] = [
        {"o": "1.-2.3"},
        {"o": "99"},
        {"o": "x"},
        {"p": "2"},
        {"p": "-1"},
        {"p": "x"},
        {"q": "a' \" % _ \\ 中文"},
        {"q": "x" * 5000},
        {"q": "\x00"},
        {"all": "1"},
        {"_popup": "1"},
        {"_facets": "1"},
        {"e": "1"},
    ]
    for name in LISTS:
        for query in odd:
            assert inside.get(name, **query).status_code in {200, 302}, (name, query)


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("memory_block_changelist", {"workspace__kind__exact": "team"}),
        ("memory_block_changelist", {"governance__exact": "propose"}),
        ("memory_block_changelist", {"retired_at__isempty": "0"}),
        ("memory_proposal_changelist", {"status__exact": "open"}),
        ("agents_turn_changelist", {"status__exact": "done"}),
        ("tenants_membership_changelist", {"role__exact": "owner"}),
        ("tenants_auditevent_changelist", {"actor_kind__exact": "staff"}),
        ("tenants_user_changelist", {"is_staff__exact": "1"}),
    ],
)
def test_a_list_is_filtered(inside: Staff, cast: Cast, name: str, query: dict[str, str]) -> None:
    fill(cast, 1)
    closed = propose(cast, block_of(cast.alice, cast.team))
    stopped = send(cast.alice, new_chat(cast.alice, new_agent(cast.alice)), "Stop.")
    with cast.alice.scope():
        proposals.reject(closed.id)
        core.delete_block(block_of(cast.alice, cast.team, label="gone").id)
        stop_turn(stopped.id)
    everything, some = (inside.get(name, **each).context["cl"].result_count for each in ({}, query))
    assert 0 < some < everything


@pytest.mark.parametrize(
    "query",
    [{"block_id": "x"}, {"workspace__kind__exact": "x"}, {"retired_at__isempty": "x"}, {"at__gte": "x"}],
)
def test_a_filter_that_is_none_is_refused_without_a_fault(inside: Staff, query: dict[str, str]) -> None:
    for name in (
        "memory_blockversion_changelist",
        "memory_block_changelist",
        "tenants_auditevent_changelist",
    ):
        assert inside.get(name, **query).status_code in {200, 302, 400}


def test_a_block_leads_to_its_versions(inside: Staff, cast: Cast) -> None:
    block, other = block_of(cast.alice, cast.team), block_of(cast.alice, cast.team, label="other")
    assert f"block_id={block.id}" in inside.text("memory_block_change", block.id)
    shown = inside.get("memory_blockversion_changelist", block_id=str(block.id)).context["cl"].result_list
    assert {version.block_id for version in shown} == {block.id}
    assert other.id


def test_shared_blocks_are_found_by_their_words(inside: Staff, cast: Cast) -> None:
    block = block_of(cast.alice, cast.team, label="roadmap", description="What comes next.")
    for words in ("ROADMAP", "comes next", str(block.id)):
        assert [
            row.id for row in inside.get("memory_block_changelist", q=words).context["cl"].result_list
        ] == [block.id], words


def test_agents_are_retired_and_brought_back(inside: Staff, cast: Cast) -> None:
    shared, own = new_agent(cast.alice, cast.team), new_agent(cast.alice)

    def retired() -> set[uuid.UUID]:
        with cast.alice.scope():
            return set(Agent.objects.exclude(retired_at=None).values_list("id", flat=True))

    inside.act("agents_agent", "retire", shared.id, own.id)
    assert retired() == {shared.id}
    assert [event.actor_kind for event in events(cast.alice, "agent.retired")] == ["staff"]
    inside.act("agents_agent", "bring_back", shared.id)
    assert retired() == set()


def test_proposals_are_closed(inside: Staff, cast: Cast) -> None:
    made = propose(cast, block_of(cast.alice, cast.team))
    assert "More." in inside.text("memory_proposal_change", made.id)
    answer = inside.act("memory_proposal", "close", made.id)
    assert "1 proposal closed" in answer.content.decode()
    with cast.alice.scope():
        closed = Proposal.objects.get(id=made.id)
    assert (closed.status, closed.decided_by) == ("rejected", inside.user.id)
    (event,) = events(cast.alice, "proposal.rejected")
    assert (event.actor_kind, event.actor_id) == ("staff", inside.user.id)


def test_an_action_that_is_none_does_nothing(inside: Staff, cast: Cast) -> None:
    block = block_of(cast.alice, cast.team)
    for action in ("delete_selected", "", "no_such_action", "save_model"):
        assert inside.act("memory_block", action, block.id).status_code == 200
    with cast.alice.scope():
        assert Block.objects.get(id=block.id).retired_at is None


def test_what_somebody_typed_is_shown_as_text(inside: Staff, cast: Cast) -> None:
    bad = "<script>alert(1)</script>"
    block = block_of(cast.alice, cast.team, value=bad, description=bad)
    with cast.alice.scope():
        update_tenant(name=bad)
        Agent.objects.filter(id=new_agent(cast.alice, cast.team).id).update(name=bad)
    pages = [inside.text(name) for name in (*LISTS, "index", "tenant")]
    pages.append(inside.text("memory_block_change", block.id))
    assert any("&lt;script&gt;alert(1)" in page for page in pages)
    assert [page for page in pages if "<script>alert" in page] == []


def test_each_row_has_a_log(inside: Staff, cast: Cast) -> None:
    block = block_of(cast.alice, cast.team)
    assert sentence("block.created") in inside.text("memory_block_history", block.id)
