"""What tests of the tenants' pages share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.cast import Client, Person, one_handler


@pytest.fixture
def forged() -> Callable[[Person, str, dict[str, Any]], None]:
    """Send a form as another site would: with the person's session, without the token. It is refused."""

    def send(person: Person, address: str, body: dict[str, Any]) -> None:
        browser = Client()
        browser.handler = one_handler(is_strict=True)
        browser.force_login(person.user)
        assert browser.post(address, body).status_code == 403

    return send
