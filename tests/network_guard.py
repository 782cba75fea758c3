"""A pytest plugin: a test that reaches for another machine fails, even if its own code swallows the error.

Register it in `tests/conftest.py` with `pytest_plugins = ["tests.network_guard"]`. It covers what goes
through Python's sockets, and so every model call; a child process is on its own. Databases and brokers that
the environment names may stand elsewhere.
"""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

_SERVICES = ("DATABASE_URL", "DATABASE_OWNER_URL", "CELERY_BROKER_URL")


class RealNetworkCall(RuntimeError):
    """A test reached for another machine."""


class NetworkGuard:
    """Stands between Python and the network; `refused` holds the hosts that were asked for."""

    def __init__(self) -> None:
        self.refused: list[str] = []
        self._allowed = {"", "localhost", *self._hosts_of_services()}

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Put the check before every way to name or reach a host."""
        for owner, name, place in (
            (socket, "getaddrinfo", 0),
            (socket.socket, "connect", 1),
            (socket.socket, "connect_ex", 1),
            (socket.socket, "sendto", -1),
        ):
            monkeypatch.setattr(owner, name, self._checked(getattr(owner, name), place))

    def _checked(self, real: Any, place: int) -> Any:
        def call(*arguments: Any, **named: Any) -> Any:
            self._check(named.get("host", arguments[place] if arguments else None))
            return real(*arguments, **named)

        return call

    def _check(self, address: Any) -> None:
        host = address[0] if isinstance(address, tuple) else address
        name = host.decode() if isinstance(host, bytes) else host
        # A path is a Unix socket; an address that is no tuple belongs to another family than IP.
        if name is None or not isinstance(name, str) or "/" in name or self._is_near(name):
            return
        self.refused.append(name)
        raise RealNetworkCall(f"a test reached for {name}: tests speak to this machine only")

    def _is_near(self, name: str) -> bool:
        if name in self._allowed:
            return True
        try:
            address = ipaddress.ip_address(name.split("%")[0])
        except ValueError:
            return False
        return address.is_loopback or address.is_unspecified

    def _hosts_of_services(self) -> Iterator[str]:
        addresses: set[str] = set()
        for host in (urlsplit(os.environ.get(name, "")).hostname for name in _SERVICES):
            if host:
                addresses.add(host)
                addresses.update(str(found[4][0]) for found in socket.getaddrinfo(host, None))
        return iter(addresses)


@pytest.fixture(scope="session")
def network_guard() -> Iterator[NetworkGuard]:
    """The guard, on for the whole session."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        guard = NetworkGuard()
        guard.install(monkeypatch)
        yield guard


@pytest.fixture(autouse=True)
def _no_real_network(network_guard: NetworkGuard) -> Iterator[None]:
    yield
    refused, network_guard.refused = network_guard.refused, []
    if refused:
        pytest.fail(
            f"this test reached for {', '.join(refused)}; no test may call a real provider", pytrace=False
        )
