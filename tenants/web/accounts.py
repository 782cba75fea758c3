"""allauth's forms, which also learn the browser's time zone of a person who has never chosen one."""

from __future__ import annotations

from typing import Any

from allauth.account.forms import LoginForm, SignupForm
from django import forms
from django.http import HttpRequest

from tenants.profile import learn_time_zone


def zone_field() -> forms.CharField:
    """A hidden field that script fills in."""
    return forms.CharField(
        required=False, max_length=64, widget=forms.HiddenInput(attrs={"data-time-zone": ""})
    )


class SignInForm(LoginForm):  # type: ignore[misc]
    """Signing in."""

    time_zone = zone_field()

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["login"].widget.attrs |= {"autofocus": True, "placeholder": ""}
        self.fields["password"].widget.attrs |= {"placeholder": ""}

    def login(self, request: HttpRequest, redirect_url: str | None = None) -> Any:
        """Sign in, and keep the zone where the person has none."""
        answer = super().login(request, redirect_url)
        if self.user:
            learn_time_zone(self.user.id, self.cleaned_data["time_zone"])
        return answer


class SignUpForm(SignupForm):  # type: ignore[misc]
    """Making an account, where that is open."""

    time_zone = zone_field()

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["email"].widget.attrs |= {"autofocus": True, "placeholder": ""}
        self.fields["password1"].widget.attrs |= {"placeholder": ""}

    def save(self, request: HttpRequest) -> Any:
        """Make the account with the browser's zone."""
        user = super().save(request)
        learn_time_zone(user.id, self.cleaned_data["time_zone"])
        return user
