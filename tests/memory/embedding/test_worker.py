"""Real workers embed what real processes write, whatever dies in between."""

from __future__ import annotations

import os
import subprocess
import sys

from memory.models import Conversation
from tests.agents.broker import running_broker
from tests.agents.mortal import QUICK, MortalSite, until
from tests.cast import Cast, Person
from tests.live import ROOT, Live, free_port
from tests.memory.embedding.embedded import rows, say

WRITE = """
import sys, uuid
import django
django.setup()
from memory import core, recall
from tenants.scope import Identity, scope
tenant, person, workspace = map(uuid.UUID, sys.argv[1:])
with scope(Identity(tenant, person)):
    conversation = recall.start_conversation(workspace_id=workspace)
    recall.add_message(conversation, role="user", content="Written elsewhere.", actor=core.by_me())
print(conversation.id)
"""
PUBLISH = """
import uuid
import django
django.setup()
from memory.tasks import enqueue
for _ in range(3):
    enqueue(uuid.uuid4(), uuid.uuid4())
print("all published")
"""


def run(script: str, environment: dict[str, str], *words: object) -> str:
    """What a process of the site prints that does this."""
    command = [sys.executable, "-c", script, *map(str, words)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=60, check=True)
    return done.stdout.decode()


def embedded(person: Person, chat: Conversation) -> int:
    return sum(row.vector is not None for row in rows(person, chat))


def test_a_worker_embeds_what_another_process_has_committed(alice: Person, live: Live) -> None:
    identity = alice.identity
    said = run(WRITE, live.environment, identity.tenant_id, identity.user_id, alice.personal)
    with alice.scope():
        chat = Conversation.objects.get(id=said.strip())
    until(lambda: embedded(alice, chat) == 1)


def test_what_was_left_by_the_broker_and_by_a_dead_worker_is_embedded(cast: Cast) -> None:
    with running_broker() as broker, MortalSite(CELERY_BROKER_URL=broker.url, **QUICK) as site:
        # Nothing is published here: the rows are found in the database.
        long = say(cast.alice, *(f"Line {number} of a long chat." for number in range(150)))
        until(lambda: embedded(cast.alice, long) > 0)
        site.kill_worker()
        broker.kill()
        late = say(cast.charlie, "Written without a broker.")
        broker.start()
        until(lambda: embedded(cast.alice, long) == 150)
        until(lambda: embedded(cast.charlie, late) == 1)
        assert site.deaths == 1


def test_a_broker_that_is_down_holds_nobody_up() -> None:
    given = {
        "CELERY_BROKER_URL": f"redis://127.0.0.1:{free_port()}/0",
        "DJANGO_SETTINGS_MODULE": "tests.settings",
    }
    said = run(PUBLISH, os.environ | given)
    assert said.count("broker out of reach") == 3
    assert "all published" in said
