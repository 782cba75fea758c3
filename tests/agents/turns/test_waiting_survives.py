"""What waits for a yes waits in the database: no process has to live for it."""

import json
import urllib.request
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from agents.following import read_now, wait
from agents.models import Approval, Turn
from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.llm.stub_server import StubServer
from tests.agents.mortal import QUICK, MortalSite, until
from tests.agents.ruled import NOTE, of, rule
from tests.agents.stubbed import Stubbed, make_stubbed
from tests.cast import Person, send


@pytest.fixture(scope="module")
def site(database: None) -> Iterator[MortalSite]:
    with MortalSite(**QUICK) as mortal:
        yield mortal


@pytest.fixture
def asking(alice: Person, site: MortalSite) -> Iterator[Stubbed]:
    """A chat whose model wants to write core memory, and may not without a yes."""
    with StubServer(calls(NOTE), otherwise=text("As you say.")) as server:
        stubbed = make_stubbed(alice, server)
        rule(stubbed, of("requires_approval", NOTE[0]))
        yield stubbed


def asked(stubbed: Stubbed) -> tuple[Turn, Approval]:
    """A turn that the real worker has brought to where it waits."""
    turn = send(stubbed.person, stubbed.chat, "I drink tea.")
    until(lambda: stubbed.fresh(turn).status == Turn.Status.AWAITING)
    with stubbed.person.scope():
        return turn, Approval.objects.get(turn=turn)


def say_and_wait(site: MortalSite, stubbed: Stubbed) -> tuple[int, str]:
    """Status of the answer, and of the turn, to somebody who would wait for five minutes."""
    request = urllib.request.Request(
        f"{site.live.url}/api/v1/conversations/{stubbed.chat.conversation_id}/messages/?wait=300",
        json.dumps({"content": "I drink tea."}).encode(),
        {"Authorization": f"Bearer {stubbed.person.key}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=120) as answer:
        return answer.status, json.loads(answer.read())["turn"]["status"]


def approve(site: MortalSite, person: Person, approval: Approval) -> str:
    """Say yes over the wire."""
    request = urllib.request.Request(
        f"{site.live.url}/api/v1/approvals/{approval.id}/approve/",
        b"{}",
        {"Authorization": f"Bearer {person.key}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return str(json.loads(answer.read())["status"])


def test_it_goes_on_after_web_and_worker_were_killed(asking: Stubbed, site: MortalSite) -> None:
    site.live.start("web")
    turn, approval = asked(asking)
    deaths = site.deaths
    site.live.kill("web")
    site.kill_worker()
    until(lambda: site.deaths > deaths)
    site.live.start("web")
    assert asking.fresh(turn).status == Turn.Status.AWAITING
    assert approve(site, asking.person, approval) == "approved"
    assert wait(asking.person.identity, turn.id, 180)
    ended = asking.fresh(turn)
    assert (ended.status, ended.attempt) == (Turn.Status.DONE, 1)
    assert asking.block("human").value == "Drinks tea."
    kinds = [event.kind for event in read_now(asking.person.identity, turn.id, 0)]
    assert kinds.count("approval") == 2
    assert kinds.count("done") == 1
    assert "restart" not in kinds


def test_a_worker_that_dies_after_the_yes_runs_it_once(asking: Stubbed, site: MortalSite) -> None:
    if not site.live.is_running("web"):
        site.live.start("web")
    turn, approval = asked(asking)
    site.die_at("claimed", "tool-committed")
    approve(site, asking.person, approval)
    assert wait(asking.person.identity, turn.id, 180)
    ended = asking.fresh(turn)
    assert (ended.status, ended.attempt) == (Turn.Status.DONE, 3)
    assert asking.block("human").value == "Drinks tea."
    assert [each.role for each in asking.messages()] == ["user", "assistant", "tool", "assistant"]


def test_who_waits_for_the_answer_hears_that_it_waits(asking: Stubbed, site: MortalSite) -> None:
    if not site.live.is_running("web"):
        site.live.start("web")
    assert say_and_wait(site, asking) == (202, "awaiting")


def test_the_beat_finds_what_nobody_decided_in_time(asking: Stubbed) -> None:
    turn, approval = asked(asking)
    with asking.person.scope():
        Approval.objects.filter(id=approval.id).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert wait(asking.person.identity, turn.id, 180)
    assert json.loads(asking.results(turn)[0])["code"] == "expired"
    assert asking.block("human").value == ""
