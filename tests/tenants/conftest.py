"""The permission tests run three times: with both locks, and with each lock alone."""

from collections.abc import Iterator

import pytest

from tests.tenants.cases import STRANGERS, Case, make_cases
from tests.tenants.locks import LOCKS, turned


@pytest.fixture(params=LOCKS)
def locks(request: pytest.FixtureRequest, database: None) -> Iterator[str]:
    """Which locks hold during the test: its name."""
    with turned(request.param):
        yield request.param


@pytest.fixture(scope="session")
def cases(database: None) -> dict[str, Case]:
    """Strangers by what they are to Alice's rows. Nothing in them is ever changed for good."""
    return make_cases()


@pytest.fixture(params=STRANGERS)
def case(request: pytest.FixtureRequest, cases: dict[str, Case], locks: str) -> Case:
    """One stranger."""
    return cases[request.param]
