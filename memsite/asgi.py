"""The door of the web server. It does not open to a role that row-level security does not bind."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import django

from memsite.body_limits import Bounded
from memsite.checks import refuse_unbound_role
from memsite.handler import InOneThread

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memsite.settings")
django.setup(set_prefix=False)
application = Bounded(InOneThread())
# The server imports this in its event loop, where Django allows no query.
with ThreadPoolExecutor(1) as aside:
    aside.submit(refuse_unbound_role).result()
