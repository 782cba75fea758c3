"""Commands of memsite: `python manage.py help` lists them. Works with the system's Python too."""

import importlib.util
import os
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent
# Commands that work as the owner of the tables, beside the site.
OWNERS = ("seed_scale", "build_vector_index")


def main() -> None:
    """Runs a command, in `.venv` where this Python has no Django."""
    if importlib.util.find_spec("django") is None:
        run_in_environment()
    if sys.argv[1:2] == ["evaluate"] and not os.environ.get("DATABASE_OWNER_URL"):
        run_with_services()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memsite.settings")
    # Imported here, where Django is known to be there.
    from django.conf import settings
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db import OperationalError

    if sys.argv[1:2] and sys.argv[1] in OWNERS:
        become_owner()
    if sys.argv[1:2] == ["prepare_database"]:
        # It runs before there is anything that a secret could protect.
        os.environ.setdefault("SECRET_KEY", "not needed to prepare a database")
    try:
        # A pool tries again for a while before it says that there is no database.
        settings.DATABASES["default"].get("OPTIONS", {}).pop("pool", None)
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"memsite: {error} If memsite was never started here, start it with: make run")
    except OperationalError as error:
        if getattr(error.__cause__, "sqlstate", None):  # the server itself said no
            raise
        reason = str(error).strip().splitlines()[-1]
        sys.exit(f"memsite: its database cannot be reached ({reason}). Start memsite with: make run")


def run_in_environment() -> None:
    """Starts this again with the Python of `.venv`."""
    python = PROJECT / ".venv" / "bin" / "python"
    if not python.exists() or Path(sys.prefix) == PROJECT / ".venv":
        sys.exit("memsite is not installed yet. Install and start it with: make run")
    os.execv(python, [str(python), *sys.argv])


def become_owner() -> None:
    """Gives a command the owner's address of the embedded database, which no program that serves is given."""
    from memsite import env

    if not os.environ.get("DATABASE_URL"):
        for name, value in env.read_file(env.DATA / "owner.env").items():
            os.environ.setdefault(name, value)


def run_with_services() -> None:
    """Starts this again with services of its own, beside the site's: what it measures is not the site's."""
    if {"-h", "--help"} & set(sys.argv):
        return
    hidden = ("DATABASE_URL", "CELERY_BROKER_URL", "MEMSITE_DATA")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    environment["PYTHONPATH"] = str(PROJECT)
    launcher = ["-m", "memsite.embedded", "exec", "--data", str(PROJECT / ".cache" / "evaluation"), "--fast"]
    command = [sys.executable, str(PROJECT / "manage.py"), *sys.argv[1:]]
    os.execve(sys.executable, [sys.executable, *launcher, "--", *command], environment)


if __name__ == "__main__":
    main()
