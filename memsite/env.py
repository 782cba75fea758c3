"""Typed readers of the environment that fail loudly.

What is not in the environment is looked up in `memsite.env` in the data folder, which the launcher
writes; the real environment always wins.
"""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("MEMSITE_DATA") or ROOT / ".data").resolve()


def read_file(path: Path) -> dict[str, str]:
    """KEY=VALUE lines of a file; {} where there is none."""
    if not path.is_file() or not os.access(path, os.R_OK):
        return {}
    pairs = (line.partition("=") for line in path.read_text(encoding="utf-8").splitlines() if "=" in line)
    return {key.strip(): value.strip() for key, _, value in pairs if not key.startswith("#")}


_written = read_file(DATA / "memsite.env")


def text(name: str, default: str | None = None) -> str:
    """The setting as text. Raises ImproperlyConfigured where it is required and missing."""
    value = os.environ.get(name) or _written.get(name) or default
    if value is None:
        raise ImproperlyConfigured(f"{name} is not set. Start memsite with `make run`, or set it.")
    return value


def known(name: str) -> bool:
    """Whether the setting was made at all."""
    return bool(os.environ.get(name) or _written.get(name))


def number(name: str, default: int) -> int:
    """The setting as a whole number."""
    value = text(name, str(default))
    try:
        return int(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}.") from None


def switch(name: str, *, default: bool) -> bool:
    """The setting as yes or no: 1, true, yes, on, or 0, false, no, off."""
    value = text(name, "yes" if default else "no").lower()
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"0", "false", "no", "off"}:
        return False
    raise ImproperlyConfigured(f"{name} must be yes or no, not {value!r}.")


def one_of(name: str, *choices: str) -> str:
    """The setting as one of some words; the first is what it is otherwise."""
    value = text(name, choices[0]).lower()
    if value not in choices:
        raise ImproperlyConfigured(f"{name} must be {' or '.join(choices)}, not {value!r}.")
    return value


def words(name: str, default: str = "") -> list[str]:
    """The setting as a list, separated by commas."""
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def database(name: str) -> dict[str, object]:
    """Django's settings of the database that a URL names: postgresql://user:password@host:port/name."""
    url = urlsplit(text(name))
    if url.scheme not in {"postgres", "postgresql"}:
        raise ImproperlyConfigured(f"{name} must start with postgresql://, memsite runs on PostgreSQL only.")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(url.path.lstrip("/")),
        "USER": unquote(url.username or ""),
        "PASSWORD": unquote(url.password or ""),
        "HOST": url.hostname or "",
        "PORT": str(url.port or ""),
    }
