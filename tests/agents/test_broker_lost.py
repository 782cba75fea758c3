"""Without a broker a message is kept at once and answered later; nothing that a broker loses is lost."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest

from agents.following import wait
from tests.agents.broker import running_broker
from tests.agents.llm.stub_behaviours import text
from tests.agents.llm.stub_server import StubServer
from tests.agents.mortal import QUICK, MortalSite
from tests.agents.stubbed import make_stubbed
from tests.cast import Person, send
from tests.live import ROOT, free_port

PUBLISH = """
import uuid
import django
django.setup()
from agents.tasks import enqueue
for _ in range(6):
    enqueue(uuid.uuid4(), uuid.uuid4(), uuid.uuid4())
print("all published")
"""


@pytest.fixture
def silent() -> Iterator[int]:
    """A port that takes connections and never says a word."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(50)
        yield int(listener.getsockname()[1])


def publish(port: int) -> str:
    """Publish six turns to a broker there, in a process of its own; it must be over in two minutes."""
    environment = os.environ | {
        "CELERY_BROKER_URL": f"redis://127.0.0.1:{port}/0",
        "DJANGO_SETTINGS_MODULE": "tests.settings",
    }
    done = subprocess.run(
        [sys.executable, "-c", PUBLISH],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        timeout=120,
        check=True,
    )
    return done.stdout.decode()


def test_publishing_to_a_broker_that_is_down_holds_nobody_up() -> None:
    said = publish(free_port())
    assert said.count("broker out of reach") == 6
    assert "all published" in said


def test_publishing_to_a_broker_that_says_nothing_holds_nobody_up(silent: int) -> None:
    said = publish(silent)
    assert said.count("broker out of reach") == 6
    assert "all published" in said


def test_turns_that_the_broker_lost_are_found_again(alice: Person) -> None:
    with (
        StubServer(otherwise=text("Yes.")) as server,
        running_broker() as broker,
        MortalSite(CELERY_BROKER_URL=broker.url, **QUICK) as site,
    ):
        stubbed = make_stubbed(alice, server)
        first = send(alice, stubbed.chat, "Hello.")
        assert wait(alice.identity, first.id, 180)
        broker.kill()
        second = send(alice, stubbed.chat, "Are you there?")
        assert not wait(alice.identity, second.id, 3)
        broker.start()
        assert wait(alice.identity, second.id, 180), site.live.log("worker")
        assert site.deaths == 0
        assert stubbed.answers(second) == [("complete", "Yes.")]
