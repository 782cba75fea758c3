"""Fields of scoped tables."""

from __future__ import annotations

from typing import Any

from django.db import models


class ScopedForeignKey(models.ForeignKey):  # type: ignore[type-arg]
    """A foreign key between scoped tables.

    Django's own constraint and index are left out: `tenants.rls.Protect` makes both, with the tenant in
    front, so that my child cannot hang under your parent. Where both tables lie in workspaces the key holds
    the workspace too. `across` is for the few rows that refer to another workspace's, such as my chat with
    a team's agent: then the policy and `check_scope` ask that the parent is in sight.
    """

    def __init__(self, to: Any, on_delete: Any, *, across: bool = False, **options: Any) -> None:
        options["db_constraint"] = options["db_index"] = False
        super().__init__(to, on_delete, **options)
        self.across = across

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        name, path, args, kwargs = super().deconstruct()
        for fixed in ("db_constraint", "db_index"):
            kwargs.pop(fixed, None)
        if self.across:
            kwargs["across"] = True
        return name, path, list(args), kwargs
