"""Other people's data for measuring: beside the project or in MEMSITE_SHARED_DATA, never in the project."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memsite.env import ROOT

DATA = Path(os.environ.get("MEMSITE_SHARED_DATA") or ROOT.parent / "shared" / "data")


def shared(name: str) -> Path:
    """A file or folder of the data; the test is skipped where it is not there."""
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{path} is not there: other people's data does not come with the project")
    return path
