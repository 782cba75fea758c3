"""The floor of what is remembered. It knows no agents."""

from django.apps import AppConfig


class MemoryConfig(AppConfig):
    """It has nothing to set up."""

    name = "memory"
