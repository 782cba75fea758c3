"""`python -m memsite.embedded run`: the whole of memsite on this machine, until it is told to stop."""

import hashlib
import http.client
import signal
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import psycopg

from memsite.embedded.faults import CommandFailed
from memsite.embedded.folder import PROJECT, DataFolder
from memsite.embedded.interruption import Interruption
from memsite.embedded.ports import LOOPBACK, check_site_port, site_port
from memsite.embedded.process import Program
from memsite.embedded.services import Services, check_addresses, running, site_environment, write_addresses
from memsite.embedded.supervisor import Supervisor

_PATIENCE = 90.0


def run(folder: DataFolder, given: Mapping[str, str]) -> None:
    """Starts memsite and looks after it until StopAsked. Raises a Fault where it cannot go on."""
    port = site_port(given.get("PORT") or "8000")
    check_addresses(given)
    address = f"http://localhost:{port}/"
    with folder.held(f"at {address}"), Interruption() as interruption:
        check_site_port(port)
        say("memsite is starting ...")
        supervisor = Supervisor(interruption)
        with running(folder, supervisor, given) as services:
            if services.place:
                say(services.place)
            write_addresses(folder, services, given)
            environment = site_environment(folder, services, given) | {"PORT": str(port)}
            programs = SitePrograms(folder, environment, port)
            _migrate(programs, folder, services, supervisor)
            link = _start(programs, folder, services, supervisor)
            say(f"memsite runs at {address} (data and logs: {folder.path}; Ctrl-C stops it)")
            if link:
                say(f"First visit, which makes your account: {link}")
            supervisor.watch()


def say(text: str) -> None:
    """Tells the person at the terminal."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


class SitePrograms:
    """The programs that the site is made of."""

    def __init__(self, folder: DataFolder, environment: Mapping[str, str], port: int) -> None:
        self._folder = folder
        self._environment = {"PYTHONUNBUFFERED": "1", **environment}
        self.port = port

    def web(self) -> Program:
        """The pages and the API. Answers that are being streamed get two seconds to end."""
        place = ["--host", LOOPBACK, "--port", str(self.port)]
        return self._program(
            "web",
            ["-m", "uvicorn", "memsite.asgi:application", *place]
            + ["--no-access-log", "--timeout-graceful-shutdown", "2"],
        )

    def worker(self) -> Program:
        """Runs the turns. One that is cut off is taken up again at the next start, by its lease."""
        lean = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
        return self._program(
            "worker",
            ["-m", "celery", "-A", "memsite.celery", "worker", "-P", "threads", "-c", "8", "-l", "warning"]
            + lean,
        )

    def beat(self) -> Program:
        """Sends the tasks that are due."""
        schedule = str(self._folder.path / "celerybeat-schedule")
        return self._program(
            "beat",
            ["-m", "celery", "-A", "memsite.celery", "beat", "-l", "warning", "--pidfile=", "-s", schedule],
        )

    def migrate(self, owner_url: str) -> Program:
        """Brings the tables up to date: the only program that knows the owner's address."""
        program = self._program("migrate", ["manage.py", "migrate", "--database", "owner", "--no-input"])
        return replace(program, environment={**program.environment, "DATABASE_OWNER_URL": owner_url})

    def setup_link(self) -> Program:
        """Prints the link that opens the set-up page, where there is no tenant yet."""
        base = f"http://localhost:{self.port}"
        program = self._program("setup_link", ["manage.py", "setup_link", "--base", base])
        return replace(program, output=self._folder.pids / "setup_link.txt")

    def _program(self, name: str, arguments: list[str]) -> Program:
        return Program(
            name=name,
            argv=[sys.executable, *arguments],
            environment=self._environment,
            log=self._folder.log(name),
            pid_file=self._folder.pids / f"{name}.pid",
            folder=PROJECT,
            stopping=((signal.SIGTERM, 6.0), (signal.SIGKILL, 5.0)),
        )


def _migrate(programs: SitePrograms, folder: DataFolder, services: Services, supervisor: Supervisor) -> None:
    """Migrates, unless both the migrations and what the database has of them are as after the last time."""
    wanted = _migrations_on_disk()
    if services.own_database and services.memory.migrated == f"{wanted} {_migrations_done(services)}":
        return
    say("Bringing the database up to date ...")
    supervisor.run(programs.migrate(services.owner_url))
    if services.own_database:
        services.memory.migrated = f"{wanted} {_migrations_done(services)}"
        folder.remember(services.memory)


def _migrations_on_disk() -> str:
    """A fingerprint of our migrations and of the packages that bring their own."""
    files = [PROJECT / "requirements.txt", *sorted(PROJECT.glob("*/migrations/*.py"))]
    text = b"\0".join(
        part for file in files for part in (bytes(file.relative_to(PROJECT)), file.read_bytes())
    )
    return hashlib.sha256(text).hexdigest()


def _migrations_done(services: Services) -> str:
    """A fingerprint of what the database says was done, so that one from a backup is seen as such."""
    names = "SELECT md5(string_agg(app || '.' || name, ' ' ORDER BY id)) FROM django_migrations"
    try:
        with psycopg.connect(services.owner_url) as connection:
            row = connection.execute(names).fetchone()
    except psycopg.Error:  # no table yet; anything worse is for `migrate` to tell
        return "nothing"
    return str(row[0]) if row else "nothing"


def _start(programs: SitePrograms, folder: DataFolder, services: Services, supervisor: Supervisor) -> str:
    """Starts web, worker and beat, waits until the site answers; returns the set-up link, empty if none."""
    web = supervisor.start(programs.web)
    supervisor.start(programs.worker)
    link = ""
    if not (services.own_database and services.memory.set_up):
        link = _setup_link(programs.setup_link(), supervisor)
        services.memory.set_up = not link
        folder.remember(services.memory)
    supervisor.wait(web, lambda _: _answers(web_port=programs.port), seconds=_PATIENCE)
    supervisor.start(programs.beat)
    return link


def _setup_link(program: Program, supervisor: Supervisor) -> str:
    output = program.output or Path()
    output.unlink(missing_ok=True)
    try:
        supervisor.run(program)
        return output.read_text().strip()
    except CommandFailed as fault:
        return str(fault)  # the site runs all the same
    finally:
        output.unlink(missing_ok=True)


def _answers(*, web_port: int) -> bool:
    connection = http.client.HTTPConnection(LOOPBACK, web_port, timeout=2.0)
    try:
        connection.request("GET", "/readyz", headers={"Host": "localhost"})
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
