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


def start(launcher):
    process = launcher.start("run")
    until(lambda: "memsite runs at" in launcher.said() or process.poll() is not None)
    assert process.poll() is None, launcher.complained()
    return process


def status_of(url):
    with urllib.request.urlopen(url, timeout=30) as response:
        return response.status


def bootstrap(launcher):
    options = ["--tenant", "acme", "--email", "alice@example.com", "--password", "correct horse", "--json"]
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


def test_after_everything_was_killed_the_site_is_there_again_with_what_was_made(launcher):
    start(launcher)
    made = bootstrap(launcher)
    launcher.kill_everything()
    start(launcher)
    assert bootstrap(launcher)["agent"] == made["agent"]
    assert "First visit" not in launcher.said()


def test_a_later_start_does_not_migrate_again_and_stops_when_told(launcher):
    first = start(launcher)
    first.send_signal(signal.SIGINT)
    assert first.wait(timeout=60) == 0
    log = (launcher.data / "logs" / "migrate.log").read_text()
    second = start(launcher)
    second.send_signal(signal.SIGTERM)
    assert second.wait(timeout=60) == 0
    assert launcher.said().endswith("memsite has stopped.\n")
    assert launcher.complained() == ""
    assert launcher.pids() == {}
    assert (launcher.data / "logs" / "migrate.log").read_text() == log


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"MEMSITE_DEBUG": "maybe"}, "MEMSITE_DEBUG must be yes or no"),
        ({"UVICORN_LOOP": "nonsense"}, "web stops again and again"),
    ],
)
def test_a_program_that_cannot_run_is_told_in_a_sentence_with_its_log(launcher, changes, sentence):
    done = launcher.finish("run", changes=changes)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    (line,) = done.stderr.splitlines()
    assert sentence in line
    assert f"More is in {launcher.data}/logs/" in line
    assert launcher.pids() == {}
