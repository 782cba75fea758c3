"""What was killed comes back, and has lost nothing."""

import json
import signal
import subprocess
import sys

import psycopg
import pytest
import redis

from memsite.embedded.process import identity, stop_orphans
from tests.memsite.embedded.launching import kill, until

linux_only = pytest.mark.skipif(
    sys.platform != "linux",
    reason="only Linux ends programs whose launcher died; others do it at the next start",
)


def write_note(launcher):
    with psycopg.connect(launcher.addresses()["DATABASE_OWNER_URL"]) as connection:
        connection.execute("CREATE TABLE note AS SELECT 'kept' AS text")


def read_note(launcher):
    with psycopg.connect(launcher.addresses()["DATABASE_OWNER_URL"]) as connection:
        return connection.execute("SELECT text FROM note").fetchone()


def test_after_everything_was_killed_the_next_start_has_lost_nothing(launcher):
    launcher.start_services(fast=False)
    write_note(launcher)
    launcher.kill_everything()
    launcher.start_services(fast=False)
    assert read_note(launcher) == ("kept",)


@linux_only
def test_when_the_launcher_is_killed_its_programs_end_too(launcher):
    process = launcher.start_services()
    pids = launcher.pids().values()
    process.kill()
    process.wait()
    until(lambda: not any(identity(pid) for pid in pids))


def test_a_start_right_after_the_launcher_was_killed_works(launcher):
    first = launcher.start_services(fast=False)
    write_note(launcher)
    first.kill()
    first.wait()
    launcher.start_services(fast=False)
    assert read_note(launcher) == ("kept",)


@pytest.mark.parametrize("name", ["postgres", "valkey"])
def test_a_service_that_was_killed_comes_back_at_the_same_address(launcher, name):
    launcher.start_services()
    addresses, pid = launcher.addresses(), launcher.pids()[name]
    kill(pid)
    until(lambda: launcher.pids().get(name, pid) != pid)
    until(lambda: answers(addresses))
    assert launcher.addresses() == addresses


def answers(addresses):
    try:
        with redis.Redis.from_url(addresses["CELERY_BROKER_URL"]) as client:
            client.ping()
        psycopg.connect(addresses["DATABASE_URL"]).close()
    except (redis.ConnectionError, psycopg.OperationalError):
        return False
    return True


def test_a_trace_of_a_server_whose_number_another_program_has_now_is_no_hindrance(launcher):
    launcher.start_services(fast=False)
    write_note(launcher)
    trace = launcher.cluster / "postmaster.pid"
    lines = trace.read_text().splitlines()
    launcher.kill_everything()
    with subprocess.Popen(["sleep", "600"], **as_owner_of(trace.parent)) as other:
        trace.write_text("\n".join([str(other.pid), *lines[1:]]))
        launcher.start_services(fast=False)
        assert read_note(launcher) == ("kept",)
        assert other.poll() is None
        other.kill()


def as_owner_of(folder):
    """PostgreSQL believes a process number when the process belongs to its own user."""
    owner = folder.stat()
    return {"user": owner.st_uid, "group": owner.st_gid} if identity(1) and owner.st_uid else {}


def test_what_an_earlier_launcher_left_behind_is_ended(tmp_path):
    with subprocess.Popen(["sleep", "600"]) as orphan:
        record = {"pid": orphan.pid, "identity": identity(orphan.pid), "signal": int(signal.SIGTERM)}
        (tmp_path / "worker.pid").write_text(json.dumps(record))
        stop_orphans(tmp_path)
        assert orphan.wait() == -signal.SIGTERM
    assert list(tmp_path.iterdir()) == []


def test_a_later_program_with_the_same_number_is_left_alone(tmp_path):
    with subprocess.Popen(["sleep", "600"]) as other:
        record = {"pid": other.pid, "identity": "another time", "signal": int(signal.SIGTERM)}
        (tmp_path / "worker.pid").write_text(json.dumps(record))
        stop_orphans(tmp_path)
        assert other.poll() is None
        other.kill()
    assert list(tmp_path.iterdir()) == []
