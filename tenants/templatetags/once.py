"""The field by which a form that may have its effect only once is known again."""

from __future__ import annotations

import uuid

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tenants.web.once import FIELD

register = template.Library()


@register.simple_tag
def once() -> SafeString:
    """A hidden field with a new name for this form."""
    return format_html('<input type="hidden" name="{}" value="{}">', FIELD, uuid.uuid4().hex)
