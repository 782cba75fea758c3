"""The embedded services listen on the loopback interface only and ask for a password."""

import stat
import sys
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

SERVICES = ("DATABASE_URL", "CELERY_BROKER_URL")


def listening(port):
    """The addresses, in the kernel's spelling, on which somebody listens on this port."""
    rows = [
        line.split()
        for table in ("/proc/net/tcp", "/proc/net/tcp6")
        if Path(table).exists()
        for line in Path(table).read_text().splitlines()[1:]
    ]
    local = [row[1].split(":") for row in rows if row[3] == "0A"]
    return {address for address, number in local if int(number, 16) == port}


@pytest.mark.skipif(sys.platform != "linux", reason="reads the kernel's table of sockets, which Linux has")
@pytest.mark.parametrize("name", SERVICES)
def test_they_listen_on_the_loopback_interface_only(services, name):
    port = urlsplit(services.addresses()[name]).port
    assert listening(port) == {"0100007F"}


@pytest.mark.parametrize("role", ["postgres", "memsite_owner", "memsite_app"])
@pytest.mark.parametrize("password", ["", ":wrong"])
def test_the_database_asks_every_role_for_its_password(services, role, password):
    place = urlsplit(services.addresses()["DATABASE_URL"]).netloc.rpartition("@")[2]
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(f"postgresql://{role}{password}@{place}/memsite")


def test_the_database_has_no_socket_in_the_file_system(services):
    with psycopg.connect(services.addresses()["DATABASE_SUPERUSER_URL"]) as connection:
        assert connection.execute("SHOW unix_socket_directories").fetchone() == ("",)


@pytest.mark.parametrize("password", [None, "wrong"])
def test_the_broker_asks_for_its_password(services, password):
    port = urlsplit(services.addresses()["CELERY_BROKER_URL"]).port
    with (
        redis.Redis(port=port, password=password, retry=Retry(NoBackoff(), 0)) as client,
        pytest.raises((redis.AuthenticationError, redis.ResponseError)),
    ):
        client.ping()


def test_passwords_are_kept_in_files_for_their_owner_alone(services):
    for name in ("embedded.json", "memsite.env", "owner.env", "valkey/valkey.conf"):
        assert stat.S_IMODE((services.data / name).stat().st_mode) == 0o600, name


def test_no_password_stands_in_a_command_line(services):
    passwords = {urlsplit(url).password for url in services.addresses().values()} - {None}
    commands = [Path(f"/proc/{pid}/cmdline").read_text() for pid in services.pids().values()]
    assert len(passwords) == 4
    assert not [command for command in commands for password in passwords if password in command]


def test_the_role_that_serves_can_neither_pass_policies_nor_make_tables(services):
    question = "SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = %s"
    with psycopg.connect(services.addresses()["DATABASE_URL"], autocommit=True) as connection:
        assert connection.execute(question, ["memsite_app"]).fetchone() == (False,) * 4
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("CREATE TABLE mine (id int)")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("SET ROLE memsite_owner")
