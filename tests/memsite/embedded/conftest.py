"""Launchers for the tests."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.memsite.embedded.launching import Launcher


@pytest.fixture
def launcher(open_folder: Path) -> Iterator[Launcher]:
    """A launcher on a folder of its own."""
    with Launcher(open_folder / "data") as one:
        yield one


@pytest.fixture(scope="module")
def services() -> Iterator[Launcher]:
    """Running services, shared by tests that only look at them."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        with Launcher(Path(folder) / "data") as one:
            one.start_services()
            yield one


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user can pass through, as those of pytest are not."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)
