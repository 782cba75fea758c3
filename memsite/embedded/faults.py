"""What can keep memsite from starting, each in a sentence that a person can act on."""

import inspect


class Fault(Exception):
    """memsite cannot start."""

    def __init__(self, **facts: object) -> None:
        super().__init__(inspect.cleandoc(self.__doc__ or "").replace("\n", " ").format(**facts))


class StopAsked(Exception):
    """Somebody asked the launcher to stop, with Ctrl-C or a signal."""


class AlreadyRuns(Fault):
    """It already runs with the data folder {folder}: {what}, process {pid}.
    Stop that one first, or give this one another folder with MEMSITE_DATA."""

    def __init__(self, *, folder: object, what: str, pid: object) -> None:
        super().__init__(folder=folder, what=what, pid=pid)
        # Where the site can be opened; empty where something else holds the folder.
        self.address = what.removeprefix("at ") if what.startswith("at ") else ""


class FolderUnwritable(Fault):
    """The data folder {folder} cannot be written ({reason}).
    Give memsite a folder of its own with MEMSITE_DATA=/path/to/folder."""


class FolderIncomplete(Fault):
    """The data folder {folder} holds a database, but its file {file} with the passwords is missing.
    Bring that file back from a backup."""


class FolderUnreadable(Fault):
    """The file {file} cannot be understood ({reason}). Bring it back from a backup."""


class PortInvalid(Fault):
    """PORT must be a number from 1 to 65535, not "{port}"."""


class PortBusy(Fault):
    """Port {port} is taken by another program. Stop that program, or choose another port:
    PORT={other} make run"""


class PortForbidden(Fault):
    """This user may not listen on port {port} ({reason}). Choose one above 1023: PORT=8000 make run"""


class OwnerAddressMissing(Fault):
    """DATABASE_URL is set but DATABASE_OWNER_URL is not. Migrations need the address of the role that owns
    the tables: set both, or neither to use the embedded PostgreSQL.
    `python manage.py prepare_database --sql` prints what makes the roles."""


class AppAddressMissing(Fault):
    """DATABASE_OWNER_URL is set but DATABASE_URL is not.
    Set both, or neither to use the embedded PostgreSQL."""


class PackageMissing(Fault):
    """The Python package {package} is not installed. `make run` installs it."""


class NoAccount(Fault):
    """PostgreSQL refuses to run as root, and no other account could be used for it ({reason}).
    Start memsite as an ordinary user, or make the account: useradd --system {name}"""


class NoReachablePlace(Fault):
    """PostgreSQL has to run as the user {account}, and no folder could be found that this user can reach
    (tried {tried}). Start memsite as an ordinary user, or give a reachable folder with MEMSITE_DATA."""


class ClusterUnreachable(Fault):
    """The database in {cluster} belongs to the user {account}, who cannot reach it any more.
    Give back the permission to pass through its parent folders, or move the data folder."""


class ClusterMissing(Fault):
    """The database of this data folder was kept in {cluster}, and that is gone. Bring it back from a backup.
    To begin anew with an empty site, remove {folder}."""


class ClusterBusy(Fault):
    """The database in {cluster} is in use by another memsite, whose data folder is a copy of this one."""


class CommandFailed(Fault):
    """{what} failed: {reason}. More is in {log}."""


class StopsAgain(Fault):
    """{name} stops again and again: {reason}. More is in {log}."""


class NotReady(Fault):
    """{name} did not become ready within {seconds} seconds. Its log is {log}."""


class DatabaseRefused(Fault):
    """The embedded PostgreSQL could not be prepared ({reason}). Its log is {log}."""


class CommandUnknown(Fault):
    """The command {command} could not be started ({reason})."""
