"""A stub model for each test, and an impatient client of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.agents.llm.stub_server import StubServer
from tests.agents.stubbed import Stubbed, make_stubbed
from tests.cast import Person


@pytest.fixture
def impatient(settings: Any) -> None:
    """Calls of models that do not wait long, neither for an answer nor to ask again."""
    settings.MODEL_CALLS = {"timeout": 1.0, "backoff": 0.001, "attempts": 2}


@pytest.fixture
def stubbed(alice: Person, impatient: None) -> Iterator[Stubbed]:
    """Alice's chat with an agent that thinks with a stub of its own."""
    with StubServer() as server:
        yield make_stubbed(alice, server)
