"""A worker is killed on a site as it is shipped, with its own leases and sweeps."""

from django.conf import settings

from agents.following import wait
from agents.models import Turn
from memsite.celery import app
from tests.agents.llm.stub_behaviours import hang_after, text
from tests.agents.llm.stub_server import StubServer
from tests.agents.mortal import MortalSite, has_told, until
from tests.agents.stubbed import make_stubbed
from tests.cast import Person, send

# How long a machine may take that does much else at once.
PATIENCE = 240


def test_what_is_shipped_adds_up_to_half_a_minute() -> None:
    """A lease that was just renewed runs out, the next sweep finds the turn. No test holds a clock to it."""
    sweep = app.conf.beat_schedule["sweep-turns"]["schedule"]
    assert settings.TURN_LEASE + sweep <= 30


def test_a_turn_goes_on_without_its_worker(alice: Person) -> None:
    with StubServer(hang_after("Half a"), otherwise=text("A whole one.")) as server, MortalSite() as site:
        stubbed = make_stubbed(alice, server)
        turn = send(alice, stubbed.chat, "Hello.")
        until(lambda: has_told(alice, turn, "Half a"))
        site.kill_worker()
        assert wait(alice.identity, turn.id, PATIENCE)
        ended = stubbed.fresh(turn)
        assert (ended.status, ended.attempt) == (Turn.Status.DONE, 2)
        assert stubbed.answers(turn) == [("complete", "A whole one.")]
