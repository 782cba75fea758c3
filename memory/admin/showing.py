"""How pages of the admin show what changed."""

from __future__ import annotations

from django.template.loader import render_to_string

from memory.web import diff


def compared(before: str, after: str) -> str:
    """Both texts as one, with what went and what came."""
    return render_to_string("admin/operators/diff.html", {"runs": diff.runs(before, after)})
