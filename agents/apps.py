"""The floor of who thinks."""

from importlib import import_module

from django.apps import AppConfig


class AgentsConfig(AppConfig):
    """Connects the queue to the services, and agents to their names."""

    name = "agents"

    def ready(self) -> None:
        import_module("agents.tasks")  # connects the queue to the services
        import_module("agents.web.names")  # says what agents are called
        import_module("agents.web.left")  # says which versions lie on branches that were left
