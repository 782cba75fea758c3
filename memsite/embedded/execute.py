"""`python -m memsite.embedded exec -- COMMAND`: a command that has the services for as long as it runs."""

import signal
import subprocess
from collections.abc import Mapping, Sequence

from memsite.embedded.faults import CommandUnknown, StopAsked
from memsite.embedded.folder import DataFolder
from memsite.embedded.interruption import Interruption
from memsite.embedded.services import running, site_environment, write_addresses
from memsite.embedded.supervisor import Supervisor


def execute(folder: DataFolder, given: Mapping[str, str], command: Sequence[str], *, fast: bool) -> int:
    """Runs a command with the addresses of the services in its environment; returns its exit code.

    Unlike the site's own programs it also gets DATABASE_OWNER_URL: tests and benchmarks make databases.
    """
    with folder.held(f"for the command {command[0]}"), Interruption() as interruption:
        supervisor = Supervisor(interruption)
        with running(folder, supervisor, given, fast=fast) as services:
            write_addresses(folder, services, given)
            environment = site_environment(folder, services, given)
            environment["DATABASE_OWNER_URL"] = services.owner_url
            try:
                process = subprocess.Popen(command, env=environment)
            except OSError as error:
                raise CommandUnknown(command=command[0], reason=error.strerror) from error
            return _wait(process, interruption, supervisor)


def _wait(process: "subprocess.Popen[bytes]", interruption: Interruption, supervisor: Supervisor) -> int:
    try:
        while (code := process.poll()) is None:
            supervisor.turn(1.0)
    except StopAsked:
        # Ctrl-C in a terminal reached the command as well; other signals reached the launcher alone.
        if interruption.asked[-1] != signal.SIGINT:
            process.terminate()
        code = process.wait()
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
    return code if code >= 0 else 128 - code
