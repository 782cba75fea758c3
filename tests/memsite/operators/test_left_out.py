"""The product does not need its admin: it runs without, and worker and beat never load it."""

import json
import os
import subprocess
import sys
from typing import Any

from tests.live import ROOT

TELL = """
import json, sys
import django
from django.urls import get_resolver
ours = ("unfold", "memsite.operators", "tenants.admin", "memory.admin", "agents.admin")
loaded = [name for name in sys.modules if name.startswith(ours)]
print(json.dumps({"loaded": loaded, "spaces": sorted(get_resolver().namespace_dict) if %s else []}))
"""


def told(begin: str, *, addresses: bool, **environment: str) -> dict[str, Any]:
    """What a new process has loaded after `begin`."""
    kept = {name: value for name, value in os.environ.items() if name != "MEMSITE_ADMIN"}
    said = subprocess.run(
        [sys.executable, "-c", begin + TELL % addresses],
        cwd=ROOT,
        env=kept | {"DJANGO_SETTINGS_MODULE": "memsite.settings", "PYTHONPATH": str(ROOT)} | environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return dict(json.loads(said.stdout.splitlines()[-1]))


def test_web_has_it() -> None:
    found = told("import django; django.setup()\n", addresses=True)
    assert found["loaded"]
    assert found["spaces"] == ["admin"]


def test_a_switch_leaves_it_out_and_the_addresses_of_the_product_stay() -> None:
    found = told("import django; django.setup()\n", addresses=True, MEMSITE_ADMIN="no")
    assert found == {"loaded": [], "spaces": []}


def test_worker_and_beat_do_not_load_it() -> None:
    begin = (
        "import memsite.celery, django\nmemsite.celery.app.loader.import_default_modules()\ndjango.setup()\n"
    )
    assert told(begin, addresses=False)["loaded"] == []
