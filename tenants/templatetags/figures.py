"""Numbers as pages show them: grouped by thousands, the same in English and in Chinese."""

from __future__ import annotations

from django import template

register = template.Library()


@register.filter
def figure(number: int | str | None) -> str:
    """1234 as `1,234`; what is no number as it is, so that a form can show what was typed."""
    try:
        return f"{int(number or 0):,}"
    except ValueError:
        return str(number)
