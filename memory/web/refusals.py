"""Why a write was refused, in the person's language; what the domain says is for models and programs."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memory.core import BadBlock
from memory.operations import BlockError, LimitPassed


def sentence(error: BlockError) -> str:
    """One sentence about what is wrong."""
    if isinstance(error, LimitPassed):
        over = int(error.facts["over"])
        return ngettext(
            "That is %(over)s character over the limit of %(limit)s.",
            "That is %(over)s characters over the limit of %(limit)s.",
            over,
        ) % {"over": over, "limit": error.facts["limit"]}
    if isinstance(error, BadBlock):
        return _bad_block(error)
    return {
        "read_only": _("This block is read-only."),
        "bad_operation": _("That version cannot be brought back."),
    }.get(error.code, _("The block was not changed."))


def _bad_block(error: BadBlock) -> str:
    if error.field == "label" and "already" in str(error):
        return _("The agent has a block with this label already.")
    return {
        "label": _("A label starts with a letter and holds letters, digits, _ and -."),
        "limit": _("The limit is too small or too large."),
        "description": _("The description is too long."),
    }.get(error.field, _("The block was not changed."))


def field_of(error: BlockError) -> str:
    """The form's field that the error is about."""
    return error.field if isinstance(error, BadBlock) else "value"
