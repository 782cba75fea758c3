"""How long a password must be, said in the person's language."""

from __future__ import annotations

from django.contrib.auth.password_validation import MinimumLengthValidator
from django.utils.translation import gettext as _


class LongEnough(MinimumLengthValidator):
    """Django's rule; its own Chinese sentence is not found by Django 5.2, so the sentences are ours."""

    def get_error_message(self) -> str:
        return _("This password is too short. It needs at least %d characters.") % self.min_length

    def get_help_text(self) -> str:
        return _("At least %d characters.") % self.min_length
