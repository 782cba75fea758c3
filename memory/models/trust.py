"""How far a remembered text is trusted, by where it comes from."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Trust(models.IntegerChoices):
    """The higher, the more. What an agent derives is trusted no more than what it was made of."""

    UNTRUSTED = 1, _("untrusted: a document, a web page")
    DERIVED = 2, _("written by an agent")
    TRUSTED = 3, _("said by a person")
