"""CPU of a turn at turn 20 and at turn 1,000 of one chat with a window of 8,000 tokens."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.long_chats import begin, by_hand, steps, talk
from benchmarks.site import database, open_account, say

LATE, EARLY, AROUND = 1_000, 20, 15


def measure(folder: Path) -> None:
    """Print CPU ms per turn around both, in this process and in PostgreSQL, and their ratio."""
    account = open_account()
    chat = begin(account)
    found: dict[int, tuple[float, float]] = {}
    with by_hand():
        for number in range(LATE + AROUND):
            found[number] = cpu(lambda number=number: talk(account, chat, number))
    say(
        f"\nlongchat: {len(found):,} turns, {len(steps(account, chat)):,} prompts; CPU ms per turn, median of"
    )
    say(f"  {2 * AROUND} turns around each")
    early, late = (middle(found, place) for place in (EARLY, LATE))
    for name, one, other in zip(("here", "PostgreSQL", "both"), early, late, strict=True):
        say(f"  {name:<12} turn {EARLY} {one:7.1f}   turn {LATE:,} {other:7.1f}   ratio {other / one:5.2f}")


def cpu(act: Callable[[], object]) -> tuple[float, float]:
    """CPU ms of this process and of PostgreSQL."""
    group = database()
    before, mine = group.seconds(), time.process_time()
    act()
    return (time.process_time() - mine) * 1000, (group.seconds() - before) * 1000


def middle(found: dict[int, tuple[float, float]], place: int) -> tuple[float, float, float]:
    """The medians around a turn: here, in PostgreSQL, and of both together."""
    near = [found[number] for number in range(place - AROUND, place + AROUND) if number in found]
    here, there = (statistics.median(column) for column in zip(*near, strict=True))
    return here, there, statistics.median(map(sum, near))
