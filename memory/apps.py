"""The floor of what is remembered. It knows no agents."""

from importlib import import_module

from django.apps import AppConfig


class MemoryConfig(AppConfig):
    """Connects the embedder to what is written."""

    name = "memory"

    def ready(self) -> None:
        import_module("memory.tasks")  # connects the queue to the index
