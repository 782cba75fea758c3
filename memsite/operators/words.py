"""Words of the admin's theme. It brings no Chinese, so they stand in our catalogue."""

from __future__ import annotations

from django.utils.translation import gettext_noop

THEME = (
    gettext_noop("Apply Filters"),
    gettext_noop("Expand row"),
    gettext_noop("False"),
    gettext_noop("Run"),
    gettext_noop("Select action"),
    gettext_noop("Select action to run"),
    gettext_noop("Select all rows"),
    gettext_noop("Select record"),
    gettext_noop("Select value"),
    gettext_noop("System"),
    gettext_noop("True"),
    gettext_noop("Type to search"),
)
