"""Doors of the site's staff: sections of the admin about agents, turns and steps."""
