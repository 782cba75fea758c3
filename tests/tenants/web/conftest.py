"""What tests of the tenants' pages share."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from django.test.client import ClientHandler

from tests.cast import Client, Person


@cache
def strict_handler() -> ClientHandler:
    """The site as browsers have it, with its protection against forged forms."""
    return ClientHandler(enforce_csrf_checks=True)


@pytest.fixture
def forged() -> Callable[[Person, str, dict[str, Any]], None]:
    """Send a form as another site would: with the person's session, without the token. It is refused."""

    def send(person: Person, address: str, body: dict[str, Any]) -> None:
        browser = Client()
        browser.handler = strict_handler()
        browser.force_login(person.user)
        assert browser.post(address, body).status_code == 403

    return send
