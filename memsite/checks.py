"""What has to hold before the site serves."""

from __future__ import annotations

from django.db import connection

QUESTION = """
SELECT r.rolsuper OR r.rolbypassrls
       OR EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                  WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p')
                    AND pg_has_role(r.oid, c.relowner, 'MEMBER'))
FROM pg_roles r WHERE r.rolname = current_user
"""


class UnboundRole(Exception):
    """DATABASE_URL names a role that row-level security does not bind. Use the role for the app."""


def refuse_unbound_role() -> None:
    """Raises UnboundRole where the serving role is superuser, has BYPASSRLS, or can become the owner."""
    try:
        with connection.cursor() as cursor:
            cursor.execute(QUESTION)
            if cursor.fetchone()[0]:
                raise UnboundRole(UnboundRole.__doc__)
    finally:
        connection.close()
