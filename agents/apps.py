"""The floor of who thinks."""

from importlib import import_module

from django.apps import AppConfig


class AgentsConfig(AppConfig):
    """Connects the queue to the services."""

    name = "agents"

    def ready(self) -> None:
        import_module("agents.tasks")  # connects the queue to the services
