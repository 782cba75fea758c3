"""Why a write was refused, in the person's language; what the domain says is for models and programs."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memory.core import BadBlock
from memory.models import Block
from memory.operations import BadSections, BlockError, LimitPassed


def sentence(error: BlockError) -> str:
    """One sentence about what is wrong."""
    if isinstance(error, LimitPassed):
        return _too_long(error)
    if isinstance(error, BadBlock):
        return _bad_block(error)
    if isinstance(error, BadSections):
        return _bad_sections(error)
    if "change nothing" in str(error):
        return _("Nothing would change: the block reads like that already.")
    return {
        "read_only": _("This block is read-only."),
        "deleted": _("This block was deleted. Bring it back first."),
        "bad_operation": _("That version cannot be brought back."),
        "inbox_full": _("Too many proposals wait for this block. An editor has to decide on some first."),
    }.get(error.code, _("The block was not changed."))


def _too_long(error: LimitPassed) -> str:
    over = int(error.facts["over"])
    if error.facts.get("unit") == Block.Unit.TOKENS:
        words = ngettext(
            "That is %(over)s token over the limit of %(limit)s.",
            "That is %(over)s tokens over the limit of %(limit)s.",
            over,
        )
    else:
        words = ngettext(
            "That is %(over)s character over the limit of %(limit)s.",
            "That is %(over)s characters over the limit of %(limit)s.",
            over,
        )
    return words % {"over": over, "limit": error.facts["limit"]}


def _bad_sections(error: BadSections) -> str:
    expected = ", ".join(f"## {name}" for name in error.facts.get("expected", []))
    return _("The text holds each of these lines once, and no other line that begins with ##: %(lines)s.") % {
        "lines": expected
    }


def _bad_block(error: BadBlock) -> str:
    if error.field == "label" and "already" in str(error):
        return _("The agent has a block with this label already.")
    return {
        "block": _("The agent has this block already."),
        "label": _("A label starts with a letter and holds letters, digits, _ and -."),
        "limit": _("The limit is too small or too large."),
        "description": _("The description is too long."),
        "sections": _("Each section has a name of its own, in one line of at most 64 characters."),
    }.get(error.field, _("The block was not changed."))


def field_of(error: BlockError, form: forms.BaseForm) -> str | None:
    """The form's field that the error is about; None where it is about the whole."""
    field = error.field if isinstance(error, BadBlock) else "value"
    return field if field in form.fields else None
