"""Requests of a page that wait until a test lets them go, so that what is seen meanwhile can be looked at."""

from __future__ import annotations

from playwright.sync_api import Page, Route

from tests.agents.mortal import until


class Held:
    """Requests to an address by one method."""

    def __init__(self, page: Page, address: str, method: str = "POST") -> None:
        self.routes: list[Route] = []
        self.page, self.address, self.method = page, address, method
        page.route(address, self._hold)

    def _hold(self, route: Route) -> None:
        if route.request.method == self.method:
            self.routes.append(route)
        else:
            route.continue_()

    def await_one(self) -> Route:
        """The first of them, which is on its way."""
        until(lambda: self.routes or self.page.wait_for_timeout(20))
        return self.routes[0]

    def let_go(self) -> None:
        """These, and all that come after them."""
        for route in self.routes:
            route.continue_()
        self.routes.clear()
        self.page.unroute(self.address)
