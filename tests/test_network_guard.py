"""No test can call a real provider, not even one whose code swallows the error."""

import contextlib
import socket

import httpx
import pytest

from agents.llm.base import ModelRequest
from agents.llm.openai import OpenAIModel
from tests.network_guard import NetworkGuard, RealNetworkCall


def test_it_refuses_a_call_to_a_real_provider(network_guard: NetworkGuard) -> None:
    model = OpenAIModel("https://api.openai.com/v1", "sk-none", "gpt-5", attempts=1)
    with pytest.raises(RealNetworkCall):
        list(model.stream(ModelRequest("", [{"role": "user", "content": "hello"}])))
    assert network_guard.refused == ["api.openai.com"]
    network_guard.refused.clear()


def test_it_refuses_an_address_without_a_name(network_guard: NetworkGuard) -> None:
    with socket.socket() as reaching, pytest.raises(RealNetworkCall):
        reaching.connect(("192.0.2.1", 80))
    network_guard.refused.clear()


def test_it_remembers_a_call_whose_error_was_swallowed(network_guard: NetworkGuard) -> None:
    with contextlib.suppress(Exception):
        httpx.get("http://provider.example/")
    assert network_guard.refused == ["provider.example"]
    network_guard.refused.clear()


def test_it_lets_this_machine_through() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
        pass
