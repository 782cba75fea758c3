"""The tools of an agent of Alice's."""

import pytest

from tests.agents.tools.calling import Tools, make_tools
from tests.cast import Person


@pytest.fixture
def tools(alice: Person) -> Tools:
    return make_tools(alice)
