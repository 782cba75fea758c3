"""`manage.py evaluate`: a database of its own, figures on stdout, progress on stderr."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connections

from evaluation.database import PREFIX, own_database
from memsite.env import ROOT
from tests.agents.mortal import until
from tests.evaluation.test_nested_keys import make_folder
from tests.evaluation.test_reading_locomo import conversation, written


def run(*arguments: str) -> tuple[str, str]:
    """What a command prints, and what it says meanwhile."""
    out, err = StringIO(), StringIO()
    call_command("evaluate", *arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def databases() -> set[str]:
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database")
        return {name for (name,) in cursor.fetchall()}


def tenants() -> int:
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT count(*) FROM tenants_tenant")
        return int(cursor.fetchone()[0])


class Measured(NamedTuple):
    """One run that prints JSON, with what there was before and after it."""

    out: str
    err: str
    new_databases: set[str]
    tenants: tuple[int, int]


@pytest.fixture(scope="module")
def measured(database: None, tmp_path_factory: pytest.TempPathFactory) -> Measured:
    chats = written(tmp_path_factory.mktemp("locomo"), conversation())
    databases_before, tenants_before = databases(), tenants()
    out, err = run("locomo", str(chats), "--json")
    return Measured(out, err, databases() - databases_before, (tenants_before, tenants()))


def test_locomo_is_one_json_object_and_progress_beside_it(measured: Measured) -> None:
    found = json.loads(measured.out)
    assert found["set"] == "locomo"
    assert found["recall"] == {"5": 100.0, "10": 100.0, "25": 100.0, "50": 100.0}
    assert found["kinds"]["single-hop"]["questions"] == 1
    assert list(found["conversations"]) == ["conv-1"]
    assert "4 messages imported" in measured.err


def test_without_json_it_is_a_table(database: None, tmp_path: Path) -> None:
    out, _ = run("locomo", str(written(tmp_path, conversation())))
    head, first = out.splitlines()[:2]
    assert head.split() == ["questions", "R@5", "R@10", "R@25", "R@50", "sessions@10"]
    assert first.split() == ["all", "1", "100.0", "100.0", "100.0", "100.0", "100.0"]
    assert "CPU of a query, ms: app" in out


def test_nested_kv_prints_the_accuracy_by_hops(database: None, tmp_path: Path) -> None:
    out, _ = run("nested-kv", str(make_folder(tmp_path)), "--dictionaries", "1", "--json")
    assert set(json.loads(out)["hops"]) == {"0", "1", "2", "3", "4"}


def test_nothing_of_it_is_left(measured: Measured) -> None:
    _all_gone({name for name in measured.new_databases if name.startswith(PREFIX)})
    tenants_before, tenants_after = measured.tenants
    assert tenants_after == tenants_before


def _all_gone(names: set[str]) -> None:
    """Where tests run at once, another process may measure in a database of its own, which goes too."""
    until(lambda: not names & databases(), seconds=150)


def test_its_database_goes_when_it_fails_too(
    database: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: set[str] = set()

    def fail(*given: object, **named: object) -> None:
        seen.update(name for name in databases() if name.startswith(PREFIX))
        raise ZeroDivisionError

    monkeypatch.setattr("evaluation.measuring.measure", fail)
    with pytest.raises(ZeroDivisionError):
        run("locomo", str(written(tmp_path, conversation())))
    assert seen
    _all_gone(seen)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["locomo", "no-such-file.json"], "no-such-file.json"),
        (["locomo", "pyproject.toml"], "is not a LoCoMo file"),
        (["nested-kv", "docs"], "should hold one file"),
        (["nested-kv", ".", "--dictionaries", "0"], "1 or more"),
        (["chinese", "--limit-questions", "many"], "limit-questions"),
        ([], "SET"),
    ],
)
def test_what_cannot_be_measured_is_refused_in_a_sentence(arguments: list[str], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        run(*arguments)


@pytest.mark.parametrize("task", [[], ["locomo"], ["nested-kv"], ["chinese-held-back"]])
def test_help_needs_no_service(task: list[str]) -> None:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("DATABASE")}
    asked = [sys.executable, str(ROOT / "manage.py"), "evaluate", *task, "--help"]
    found = subprocess.run(
        asked, env=environment | {"MEMSITE_DATA": "nothing"}, capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stderr
    assert "--json" in found.stdout or "locomo" in found.stdout


def test_its_database_goes_though_a_session_in_it_takes_a_moment_to_end(database: None) -> None:
    with own_database() as name:
        params = connections["owner"].get_connection_params()
        where = {key: params[key] for key in ("user", "password", "host", "port")}
        lingering = psycopg.connect(dbname=name, **where)
        threading.Timer(1.0, lingering.close).start()
    assert name not in databases()
