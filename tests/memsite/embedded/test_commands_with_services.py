"""`exec`: a command that has the services for as long as it runs."""

import signal
import sys
from pathlib import Path

import psycopg

ASK_BOTH = """
import os, psycopg, redis
for name in ("DATABASE_URL", "DATABASE_OWNER_URL"):
    with psycopg.connect(os.environ[name]) as connection:
        print(*connection.execute("SELECT current_user, current_database()").fetchone())
print(redis.Redis.from_url(os.environ["CELERY_BROKER_URL"]).ping())
"""


def python(code):
    return sys.executable, "-c", code


def test_it_gives_a_command_the_addresses_of_the_services(launcher):
    done = launcher.execute(*python(ASK_BOTH))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["memsite_app memsite", "memsite_owner memsite", "True"]


def test_it_returns_the_exit_code_of_the_command(launcher):
    assert launcher.execute(*python("raise SystemExit(7)")).returncode == 7


def test_it_says_so_when_the_command_is_not_there(launcher):
    done = launcher.execute("no-such-command")
    assert done.returncode == 1
    assert "no-such-command could not be started" in done.stderr
    assert "Traceback" not in done.stderr


def test_keys_and_passwords_stay_from_one_start_to_the_next(launcher):
    launcher.execute("true")
    former = launcher.addresses()
    launcher.execute("true")
    assert launcher.addresses() == former
    assert {"SECRET_KEY", "MEMSITE_ENCRYPTION_KEY", "DATABASE_SUPERUSER_URL"} <= set(former)


def test_nothing_runs_when_the_command_has_ended(launcher):
    launcher.execute("true")
    assert launcher.pids() == {}
    assert not (launcher.cluster / "postmaster.pid").exists()


def test_it_ends_the_command_when_it_is_told_to_stop(launcher):
    process = launcher.start_services()
    processes = launcher.pids()
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=60) == 128 + signal.SIGTERM
    assert set(processes) == {"postgres", "valkey"}
    assert launcher.pids() == {}


def test_lines_that_a_person_added_to_the_file_of_addresses_stay(launcher):
    launcher.execute("true")
    file: Path = launcher.data / "memsite.env"
    file.write_text("# my model\nMEMSITE_MODEL_NAME=mine\n" + file.read_text())
    launcher.execute("true")
    assert file.read_text().startswith("# my model\nMEMSITE_MODEL_NAME=mine\n")


def test_databases_of_tests_have_vectors_without_a_superuser(services):
    owner_url = services.addresses()["DATABASE_OWNER_URL"]
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE of_a_test")
    with psycopg.connect(owner_url, dbname="of_a_test") as connection:
        assert connection.execute("SELECT '[1,2]'::vector").fetchone() == ("[1,2]",)


def test_text_is_utf8_and_sorts_by_code_point_everywhere(services):
    question = "SELECT pg_encoding_to_char(encoding), datlocale FROM pg_database WHERE datname = 'memsite'"
    with psycopg.connect(services.addresses()["DATABASE_URL"]) as connection:
        assert connection.execute(question).fetchone() == ("UTF8", "C.UTF-8")
        assert connection.execute("SELECT upper('ä'), '香菜' ~ '^\\w+$'").fetchone() == ("Ä", True)
