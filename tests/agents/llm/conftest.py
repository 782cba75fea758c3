"""A stub server for each test, and the real client pointed at it."""

from collections.abc import Iterator

import pytest

from agents.llm.openai import OpenAIModel
from tests.agents.llm.stub_server import StubServer


@pytest.fixture
def stub() -> Iterator[StubServer]:
    """A server with an empty queue."""
    with StubServer() as server:
        yield server


@pytest.fixture
def model(stub: StubServer) -> OpenAIModel:
    """The stub's model, asked without much patience."""
    return OpenAIModel(stub.url, "sk-stub-key", "stub", timeout=5, backoff=0.001)


@pytest.fixture(autouse=True)
def _nothing_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    # A port may come back, and with it what was learned of another test's server.
    monkeypatch.setattr("agents.llm.openai._learned", {})
