"""Summaries in the background: made before a window is full, mended where a model failed, made anew.

A task reads what is to be summarised, asks the model while no transaction is open, and stores what came of it
in a short one, if nothing has moved on meanwhile.
"""

from agents.summarising.announcing import announce, context_filling, summary_due
from agents.summarising.filling import take_up
from agents.summarising.mending import ask_anew, mend

__all__ = ["announce", "ask_anew", "context_filling", "mend", "summary_due", "take_up"]
