"""A slow machine on a slow network, to find tests and pages that race: `MEMSITE_SLOW_BROWSER=1 make test`.

What races on a busy machine once in a hundred runs fails here each time. The web server of the tests answers
late (`tests.slow_web`), and the pages' processor is throttled. It takes some three times as long.
"""

from __future__ import annotations

import os

from playwright.sync_api import Page

IS_SLOW = os.environ.get("MEMSITE_SLOW_BROWSER") == "1"
THROTTLED = 6


def throttle(page: Page) -> None:
    """The page computes as on a machine six times slower."""
    client = page.context.new_cdp_session(page)
    client.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLED})
