"""What two sequences of lines or words have in common, and whether a close comparison ends soon."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

STEPS_AT_MOST = 12_000_000
"""A comparison that could take more steps than this is not tried: about a tenth of a second."""


def in_common(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """How many pieces both begin with, and how many of the rest both end with."""
    most = min(len(old), len(new))
    start = next((at for at in range(most) if old[at] != new[at]), most) if old[:most] != new[:most] else most
    most -= start
    end = next((at for at in range(most) if old[-1 - at] != new[-1 - at]), most)
    return start, end


class Budget:
    """How much may still be compared closely, in steps: many comparisons of one request share one."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def allows(self, old: Sequence[str], new: Sequence[str], times: int = 1) -> bool:
        """Take what a comparison may cost, where so much is left."""
        cost = _steps(old, new) * times
        if cost > self.left:
            return False
        self.left -= cost
        return True


def is_affordable(old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether `difflib` ends soon."""
    return _steps(old, new) <= STEPS_AT_MOST


def _steps(old: Sequence[str], new: Sequence[str]) -> int:
    """How much `difflib` does at most: each match that it finds may cost a look at all the equal pairs."""
    ours, theirs = Counter(old), Counter(new)
    pairs = sum(count * theirs[piece] for piece, count in ours.items())
    return min(pairs, len(old), len(new)) * (len(old) + len(new) + pairs)
