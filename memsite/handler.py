"""How a request is worked on: middleware, view and rendering in one piece, in a thread of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.handlers.asgi import ASGIHandler


class InOneThread(ASGIHandler):
    """Django's handler, which enters the request's thread once.

    Django's own comes back to the event loop before each middleware that looks at the view, before the view
    and before rendering, which costs a short request half a millisecond. Only what serves static files,
    outside all else, stays on the loop.
    """

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    def adapt_method_mode(
        self,
        is_async: bool,
        method: Callable[..., Any],
        method_is_async: bool | None = None,
        debug: bool = False,
        name: str | None = None,
    ) -> Callable[..., Any]:
        """As Django does, but what is asynchronous stays so: the outermost middleware."""
        if method_is_async:
            return method
        return super().adapt_method_mode(is_async, method, method_is_async, debug, name)
