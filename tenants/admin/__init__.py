"""Doors of the site's staff: sections of the admin about tenants' people, accounts and logs.

`memsite.operators` opens the picked tenant's scope around every view here, and says where each section is.
"""
