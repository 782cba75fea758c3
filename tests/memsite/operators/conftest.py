"""The cast of the admin's tests: an operator beside Alice, Bob and Charlie."""

import pytest

from tests.cast import Person
from tests.memsite.operators.staff import Staff, appointed


@pytest.fixture
def staff(database: None) -> Staff:
    """An operator who has entered no tenant."""
    return appointed()


@pytest.fixture
def inside(staff: Staff, alice: Person) -> Staff:
    """The operator, in Alice's tenant."""
    staff.enter(alice)
    return staff
