"""How long a password must be, said in the person's language; and when a link for a new one is good."""

from __future__ import annotations

from django.contrib.auth.password_validation import MinimumLengthValidator
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.utils.translation import gettext as _

from tenants.models import User
from tenants.services import seats_of


class ResetTokens(PasswordResetTokenGenerator):
    """Links that die when the person gets or loses a seat, or becomes staff.

    An owner hands such a link over only to somebody who sits nowhere else (`tenants.people.password_link`).
    What the link opens has to stay what it was then.
    """

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        seats = sorted(f"{seat.tenant_id}{seat.role}" for seat in seats_of(user.id))
        return f"{super()._make_hash_value(user, timestamp)}{user.is_staff}{seats}"


class LongEnough(MinimumLengthValidator):
    """Django's rule; its own Chinese sentence is not found by Django 5.2, so the sentences are ours."""

    def get_error_message(self) -> str:
        return _("This password is too short. It needs at least %d characters.") % self.min_length

    def get_help_text(self) -> str:
        return _("At least %d characters.") % self.min_length
