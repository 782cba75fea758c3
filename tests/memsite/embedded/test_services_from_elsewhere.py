"""Addresses in the environment replace the embedded services, each by itself."""

import sys

import pytest

NAMES = ("DATABASE_URL", "DATABASE_OWNER_URL", "CELERY_BROKER_URL")
TELL = f"import os; print(*(os.environ[name] for name in {NAMES}), sep='\\n')"


@pytest.fixture
def elsewhere(services):
    """The addresses of services that run somewhere else."""
    return {name: services.addresses()[name] for name in NAMES}


def names_of(launcher):
    return {file.stem for file in launcher.data.glob("logs/*.log")}


def test_a_database_from_elsewhere_replaces_the_embedded_one(launcher, elsewhere):
    given = {name: elsewhere[name] for name in NAMES[:2]}
    done = launcher.execute(sys.executable, "-c", TELL, changes=given)
    assert done.stdout.splitlines()[:2] == list(given.values())
    assert done.stdout.splitlines()[2] != elsewhere["CELERY_BROKER_URL"]
    assert names_of(launcher) == {"valkey"}


def test_a_broker_from_elsewhere_replaces_the_embedded_one(launcher, elsewhere):
    given = {"CELERY_BROKER_URL": elsewhere["CELERY_BROKER_URL"]}
    done = launcher.execute(sys.executable, "-c", TELL, changes=given)
    assert done.stdout.splitlines()[2] == elsewhere["CELERY_BROKER_URL"]
    assert done.stdout.splitlines()[0] != elsewhere["DATABASE_URL"]
    assert names_of(launcher) == {"initdb", "postgres"}


def test_addresses_and_keys_from_the_environment_are_not_written_down(launcher, elsewhere):
    given = {**elsewhere, "SECRET_KEY": "given", "MEMSITE_ENCRYPTION_KEY": "given too"}
    assert launcher.execute("true", changes=given).returncode == 0
    assert launcher.addresses() == {}


def test_a_key_that_was_made_once_is_kept_while_another_is_given(launcher, elsewhere):
    launcher.execute("true", changes=elsewhere)
    made = launcher.addresses()
    launcher.execute("true", changes={**elsewhere, "MEMSITE_ENCRYPTION_KEY": "given"})
    assert launcher.addresses() == made
