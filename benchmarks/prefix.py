"""What of each prompt stood at the front of the one before it, and why it broke off there: 200 turns with the
built-in model, which writes to memory and searches as it does for people."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.long_chats import begin, by_hand, steps, talk
from benchmarks.site import open_account, say

TURNS = 200


def measure(folder: Path) -> None:
    """Print the share of tokens that a provider could have in its cache, and what broke the prefix."""
    account = open_account()
    chat = begin(account)
    with by_hand():
        for number in range(TURNS):
            talk(account, chat, number)
    windows = [step.window for step in steps(account, chat)]
    later = windows[1:]
    whole = sum(map(sent, later))
    shared = sum(window["shared_tokens"] for window in later)
    say(f"\nprefix: {TURNS} turns, {len(windows)} prompts, {whole // len(later):,} tokens each on average")
    say(f"  shared with the prompt before   {shared * 100 / whole:5.1f} % of all tokens")
    unbroken = [window for window in later if not window["breaks"]]
    part = sum(window["shared_tokens"] for window in unbroken) * 100 / sum(map(sent, unbroken))
    say(f"  where nothing broke it          {part:5.1f} %, {len(unbroken)} of {len(later)} prompts")
    for names, (count, lost) in reasons(later).items():
        say(f"  {names:<40} {count:4d} times, {lost:8,} tokens sent anew")


def sent(window: dict[str, Any]) -> int:
    """Tokens of a prompt."""
    return sum(part["tokens"] for part in window["parts"] if part["kind"] != "reserve")


def reasons(windows: list[dict[str, Any]]) -> dict[str, tuple[int, int]]:
    """For each set of breaks: how often, and how many tokens were not shared then."""
    counts: Counter[str] = Counter()
    tokens: Counter[str] = Counter()
    for window in windows:
        if window["breaks"]:
            name = ", ".join(window["breaks"])
            counts[name] += 1
            tokens[name] += sent(window) - window["shared_tokens"]
    return {name: (count, tokens[name]) for name, count in counts.most_common()}
