"""The floor that measures the others."""

from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    """Brings `manage.py evaluate`."""

    name = "evaluation"
