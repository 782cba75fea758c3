"""The floor that wires the others."""

from importlib import import_module

from django.apps import AppConfig


class MemsiteConfig(AppConfig):
    """Configures Celery in every process."""

    name = "memsite"

    def ready(self) -> None:
        import_module("memsite.celery")  # tasks published by the web process find their broker
