"""Whether the pages outside offer to make an account."""

from __future__ import annotations

from django import template
from django.conf import settings

from tenants import services

register = template.Library()


@register.simple_tag
def sign_up_is_open() -> bool:
    """True where anyone may make an account."""
    return bool(settings.SIGNUP == "open")


@register.simple_tag
def nobody_is_here() -> bool:
    """True before the site is set up: there is no account to sign in with."""
    return not services.any_tenant()
