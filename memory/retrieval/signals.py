"""The signals of the memory stream beside relevance (Park et al., 2023, "Generative Agents", section 4.1)."""

from __future__ import annotations

from datetime import datetime, timedelta

HALF_LIFE = timedelta(days=30)


def recency(when: datetime, now: datetime) -> float:
    """1 for what was used at this moment, half of it for each 30 days since.

    An age, not a rank: what nobody has touched for years has none, so it decides nothing among old records.
    """
    return float(0.5 ** (max(now - when, timedelta(0)) / HALF_LIFE))
