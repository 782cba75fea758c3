"""Names of models as people read them."""

from __future__ import annotations

from django.utils.translation import gettext as _

from agents.llm.catalog import OFFLINE_NAME
from agents.models import LanguageModel


def model_label(model: LanguageModel) -> str:
    """A model with its provider, or what it honestly is."""
    if model.is_offline:
        return _("Offline model")
    return f"{model.name} · {model.provider.name}" if model.provider else model.name


def name_label(name: str) -> str:
    """A model by the name that a step has kept of it."""
    return _("Offline model") if name == OFFLINE_NAME else name
