"""A tenant to measure in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from evaluation.loading import in_foreground, open_tenant
from tenants.scope import Identity


@pytest.fixture
def owner(database: None) -> Iterator[Identity]:
    """The owner of a new tenant; what is written there is embedded by the test, not by a worker."""
    with in_foreground():
        yield open_tenant()
