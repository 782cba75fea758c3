"""The admin of the site's staff: its doors, the picking of a tenant, and where each section is.

Sections lie with their floor (`tenants.admin`, `memory.admin`, `agents.admin`). The product needs none of it.
"""
