"""Tables in previews of texts."""

from __future__ import annotations

from django import template

from memory.web.tables import cells_apart

register = template.Library()
register.filter("cells", cells_apart)
