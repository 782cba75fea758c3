"""`run`: web, worker and beat on top of the services, in one command."""

import json
import signal
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

import pytest

from memsite.embedded.folder import PROJECT
from tests.memsite.embedded.launching import Launcher, kill, until

PROGRAMS = {"postgres", "valkey", "web", "worker", "beat"}


@pytest.fixture(scope="module")
def site():
    """A site that runs, shared by tests that leave it running."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        with Launcher(Path(folder) / "data") as one:
            start(one)
            yield one


@pytest.fixture(scope="module")
def used():
    """A launcher on a folder in which a site has run and was stopped with Ctrl-C. Who starts it stops it."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        with Launcher(Path(folder) / "data") as one:
            stop(start(one), signal.SIGINT)
            yield one


def start(launcher):
    process = launcher.start("run")
    until(lambda: "memsite runs at" in launcher.said() or process.poll() is not None)
    assert process.poll() is None, launcher.complained()
    return process


def stop(process, number):
    process.send_signal(number)
    assert process.wait(timeout=60) == 0


def status_of(url):
    with urllib.request.urlopen(url, timeout=30) as response:
        return response.status


def bootstrap(launcher, tenant="acme"):
    email = f"alice@{tenant}.example.com"
    options = ["--tenant", tenant, "--email", email, "--password", "correct horse", "--json"]
    done = subprocess.run(
        [sys.executable, "manage.py", "bootstrap", *options],
        cwd=PROJECT,
        env=launcher.environment(),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_address_it_prints_answers(site):
    assert f"http://localhost:{site.port}/" in site.said()
    assert status_of(f"http://localhost:{site.port}/readyz") == 200


def test_the_link_of_the_first_visit_opens_the_page(site):
    (line,) = (line for line in site.said().splitlines() if line.startswith("First visit"))
    assert status_of(line.rpartition(" ")[2]) == 200


def test_every_program_runs(site):
    until(lambda: set(site.pids()) == PROGRAMS)


@pytest.mark.skipif(sys.platform != "linux", reason="reads the environment of processes, as Linux shows it")
@pytest.mark.parametrize("name", ["web", "worker", "beat", "valkey", "postgres"])
def test_no_program_that_serves_knows_the_addresses_of_owner_and_superuser(site, name):
    until(lambda: name in site.pids())
    environment = Path(f"/proc/{site.pids()[name]}/environ").read_bytes()
    assert b"memsite_owner" not in environment
    assert b"DATABASE_OWNER_URL" not in environment
    assert b"postgres:" not in environment


@pytest.mark.parametrize("name", ["worker", "web", "beat"])
def test_a_program_that_was_killed_comes_back(site, name):
    until(lambda: name in site.pids())
    pid = site.pids()[name]
    kill(pid)
    until(lambda: site.pids().get(name, pid) != pid)
    until(lambda: answers(site))


def answers(site):
    try:
        return status_of(f"http://localhost:{site.port}/readyz") == 200
    except OSError:
        return False


def test_after_everything_was_killed_the_site_is_there_again_with_what_was_made(used):
    start(used)
    assert "First visit" in used.said()
    made = bootstrap(used)
    used.kill_everything()
    process = start(used)
    assert bootstrap(used)["agent"] == made["agent"]
    assert "First visit" not in used.said()
    stop(process, signal.SIGTERM)


def test_a_later_start_does_not_migrate_again_and_stops_when_told(used):
    log = (used.data / "logs" / "migrate.log").read_text()
    assert log
    stop(start(used), signal.SIGTERM)
    assert used.said().endswith("memsite has stopped.\n")
    assert used.complained() == ""
    assert used.pids() == {}
    assert (used.data / "logs" / "migrate.log").read_text() == log


def test_a_setting_that_no_program_takes_is_told_in_a_sentence_with_the_log(launcher):
    assert_told(launcher, {"MEMSITE_DEBUG": "maybe"}, "MEMSITE_DEBUG must be yes or no")


def test_a_program_that_stops_again_and_again_is_told_in_a_sentence_with_its_log(used):
    assert_told(used, {"UVICORN_LOOP": "nonsense"}, "web stops again and again")


def assert_told(launcher, changes, sentence):
    done = launcher.finish("run", changes=changes)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    (line,) = done.stderr.splitlines()
    assert sentence in line
    assert f"More is in {launcher.data}/logs/" in line
    assert launcher.pids() == {}
