"""Each thing that keeps memsite from starting is told in a sentence, never with a traceback."""

import socket
import subprocess
import sys

import pytest

from memsite.embedded.folder import PROJECT


def refusal(done):
    """The one sentence that a launcher which could not start has said."""
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    (sentence,) = done.stderr.splitlines()
    assert sentence.startswith("memsite: ")
    return sentence


def test_a_second_start_says_that_memsite_runs_already(launcher):
    first = launcher.start_services()
    sentence = refusal(launcher.finish("run"))
    assert f"already runs with the data folder {launcher.data}" in sentence
    assert f"process {first.pid}" in sentence
    assert first.poll() is None


def test_a_busy_port_is_named_with_another_to_try(launcher):
    with socket.create_server(("127.0.0.1", launcher.port)):
        sentence = refusal(launcher.finish("run"))
    assert f"Port {launcher.port} is taken" in sentence
    assert f"PORT={launcher.port + 1} make run" in sentence


@pytest.mark.parametrize("port", ["http", "0", "65536", "-1", "８０"])
def test_a_port_that_is_none_is_refused(launcher, port):
    assert f'not "{port}"' in refusal(launcher.finish("run", changes={"PORT": port}))


@pytest.mark.parametrize("folder", ["/proc/memsite", "/dev/null/memsite"])
def test_a_data_folder_that_cannot_be_written_is_named(launcher, folder):
    sentence = refusal(launcher.finish("run", changes={"MEMSITE_DATA": folder}))
    assert f"The data folder {folder} cannot be written" in sentence


@pytest.mark.parametrize(
    ("given", "missing"),
    [("DATABASE_URL", "DATABASE_OWNER_URL is not"), ("DATABASE_OWNER_URL", "DATABASE_URL is not")],
)
def test_one_database_address_without_the_other_is_refused(launcher, given, missing):
    sentence = refusal(launcher.finish("run", changes={given: "postgresql://a:b@127.0.0.1/c"}))
    assert missing in sentence


def test_lost_passwords_are_not_taken_for_a_new_folder(launcher):
    launcher.execute("true")
    (launcher.data / "embedded.json").rename(launcher.data / "kept")
    assert "embedded.json with the passwords is missing" in refusal(launcher.finish("run"))
    (launcher.data / "kept").rename(launcher.data / "embedded.json")
    assert launcher.execute("true").returncode == 0


def test_spoilt_passwords_are_told(launcher):
    launcher.execute("true")
    (launcher.data / "embedded.json").write_text("{")
    assert "embedded.json cannot be understood" in refusal(launcher.finish("run"))


def test_a_command_of_memsite_says_that_it_does_not_run(launcher):
    launcher.execute("true")
    done = subprocess.run(
        [sys.executable, "manage.py", "showmigrations"],
        cwd=PROJECT,
        env=launcher.environment(),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "Start memsite with: make run" in done.stderr
