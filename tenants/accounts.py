"""How allauth behaves here: sign-up is closed unless a setting opens it."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.http import HttpRequest


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Accounts are made by set-up, by commands and, where MEMSITE_SIGNUP is open, by anyone."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return settings.SIGNUP == "open"
