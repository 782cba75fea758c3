"""Which changes of memory lie on a branch that was left, for the pages of memory that list versions."""

from __future__ import annotations

from agents.left_memory import places_left
from memory.web.left import register_left

register_left(places_left)
