"""PostgreSQL and Valkey for a machine that has none, and the launcher that starts the whole of memsite.

Nothing here imports Django: the launcher starts web, worker and migrations as processes of their own.
"""
