"""A worker is killed on a site as it is shipped, with its own leases and sweeps."""

from datetime import timedelta

from django.utils import timezone

from agents.following import wait
from agents.models import Turn
from tests.agents.llm.stub_behaviours import hang_after, text
from tests.agents.llm.stub_server import StubServer
from tests.agents.mortal import MortalSite, has_told, until
from tests.agents.stubbed import make_stubbed
from tests.cast import Person, send


def test_a_turn_goes_on_within_half_a_minute(alice: Person) -> None:
    with StubServer(hang_after("Half a"), otherwise=text("A whole one.")) as server, MortalSite() as site:
        stubbed = make_stubbed(alice, server)
        turn = send(alice, stubbed.chat, "Hello.")
        until(lambda: has_told(alice, turn, "Half a"))
        killed_at = timezone.now()
        site.kill_worker()
        assert wait(alice.identity, turn.id, 60)
        ended = stubbed.fresh(turn)
        assert (ended.status, ended.attempt) == (Turn.Status.DONE, 2)
        assert ended.started_at is not None
        # The one time that a test holds, since it is a promise.
        assert ended.started_at - killed_at < timedelta(seconds=30)
        assert stubbed.answers(turn) == [("complete", "A whole one.")]
