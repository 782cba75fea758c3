"""What people type about themselves and their site."""

from __future__ import annotations

import zoneinfo
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth import password_validation
from django.utils.translation import gettext_lazy as _

from tenants.models import User

THEMES = [("", _("Like the system")), ("light", _("Light")), ("dark", _("Dark"))]


def time_zones() -> list[tuple[str, str]]:
    """Every zone by its name, UTC first."""
    return [(name, name.replace("_", " ")) for name in ("UTC", *sorted(_zones() - {"UTC"}))]


def _zones() -> set[str]:
    return {
        name for name in zoneinfo.available_timezones() if "/" in name and not name.startswith("Etc/")
    } | {"UTC"}


class ProfileForm(forms.Form):
    """How memsite speaks to a person."""

    name = forms.CharField(
        label=_("Name"), max_length=120, help_text=_("What others in this organisation see."), strip=True
    )
    language = forms.ChoiceField(
        label=_("Language"), required=False, choices=[("", _("Like the browser")), *settings.LANGUAGES]
    )
    time_zone = forms.ChoiceField(label=_("Time zone"), choices=time_zones)
    theme = forms.ChoiceField(label=_("Appearance"), required=False, choices=THEMES)
    shortcuts = forms.BooleanField(
        label=_("Single-key shortcuts"), required=False, help_text=_("Press ? in a page to see them.")
    )
    # The name is the one in this organisation, whatever another tab has switched to.
    tenant = forms.UUIDField(required=False, widget=forms.HiddenInput)


class SetupForm(forms.Form):
    """The first tenant and its owner."""

    tenant = forms.CharField(
        label=_("Organisation"),
        max_length=120,
        widget=forms.TextInput(attrs={"autofocus": True, "autocomplete": "organization"}),
        help_text=_("Your team's or company's name; yours will do."),
    )
    name = forms.CharField(
        label=_("Your name"), max_length=120, widget=forms.TextInput(attrs={"autocomplete": "name"})
    )
    email = forms.EmailField(
        label=_("Email"),
        widget=forms.EmailInput(attrs={"autocomplete": "username"}),
        help_text=_("You sign in with it. Nothing is sent to it."),
    )
    password = forms.CharField(
        label=_("Password"),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_("At least 8 characters."),
    )
    time_zone = forms.ChoiceField(
        choices=time_zones, required=False, widget=forms.HiddenInput(attrs={"data-time-zone": ""})
    )

    def clean_email(self) -> str:
        email = str(self.cleaned_data["email"]).lower()
        if User.objects.filter(email=email).exists():
            raise forms.ValidationError(_("There is an account with this email already."))
        return email

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "password" in cleaned:
            try:
                password_validation.validate_password(
                    cleaned["password"], User(email=cleaned.get("email", ""))
                )
            except forms.ValidationError as error:
                self.add_error("password", error)
        return cleaned


class SeatForm(forms.Form):
    """The name under which an invited person joins."""

    name = forms.CharField(
        label=_("Your name"),
        max_length=120,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
        help_text=_("What others in this organisation see."),
    )


class JoinForm(SeatForm):
    """An invited person's account."""

    password = forms.CharField(
        label=_("Password"),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_("At least 8 characters."),
    )
    time_zone = forms.ChoiceField(
        choices=time_zones, required=False, widget=forms.HiddenInput(attrs={"data-time-zone": ""})
    )

    def __init__(self, *arguments: Any, email: str, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.email = email

    def clean_password(self) -> str:
        password = str(self.cleaned_data["password"])
        password_validation.validate_password(password, User(email=self.email))
        return password


class TenantForm(forms.Form):
    """A tenant of one's own, for someone who signed up."""

    tenant = forms.CharField(label=_("Organisation"), max_length=120)
    name = forms.CharField(label=_("Your name"), max_length=120)
