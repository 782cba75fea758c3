"""The floor that says who may see what."""

from __future__ import annotations

from django.apps import AppConfig
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate

from tenants.rls import grant_exempt_tables
from tenants.scope import install_guard


class TenantsConfig(AppConfig):
    """Puts the guard on every connection, and grants what a migration has made."""

    name = "tenants"

    def ready(self) -> None:
        connection_created.connect(install_guard)
        post_migrate.connect(grant_exempt_tables, sender=self)
