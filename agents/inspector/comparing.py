"""Two windows side by side: what came, what went, what changed, what stayed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agents.inspector.seen import Seen, SeenMessage, SeenPart


@dataclass(frozen=True)
class PartChange:
    """A part in both windows; None where one of them has it not. `is_same` where the texts are the same."""

    kind: str
    label: str
    before: SeenPart | None
    after: SeenPart | None

    @property
    def is_same(self) -> bool:
        """Whether nothing of its text changed."""
        if self.before is None or self.after is None:
            return False
        return (self.before.text, self.before.version) == (self.after.text, self.after.version)

    @property
    def difference(self) -> int:
        """Tokens more."""
        return (self.after.tokens if self.after else 0) - (self.before.tokens if self.before else 0)


@dataclass(frozen=True)
class Comparison:
    """From one window to another: parts that are not the queue, and the messages that came, went, or are
    shown in another way."""

    parts: tuple[PartChange, ...]
    came: tuple[SeenMessage, ...]
    went: tuple[SeenMessage, ...]
    changed: tuple[SeenMessage, ...]
    stayed: int


def compare(before: Seen, after: Seen) -> Comparison:
    """What is different in the second window."""
    old = {each.message.id: each for each in before.queue}
    new = {each.message.id: each for each in after.queue}
    both = [each for key, each in new.items() if key in old]
    changed = [each for each in both if _shown(each) != _shown(old[each.message.id])]
    return Comparison(
        parts=tuple(_parts(before, after)),
        came=tuple(each for key, each in new.items() if key not in old),
        went=tuple(each for key, each in old.items() if key not in new),
        changed=tuple(changed),
        stayed=len(both) - len(changed),
    )


def _shown(message: SeenMessage) -> tuple[object, ...]:
    return (message.text, message.calls)


def _parts(before: Seen, after: Seen) -> Iterable[PartChange]:
    old, new = _named(before), _named(after)
    for key in dict.fromkeys([*new, *old]):
        yield PartChange(key[0], key[1], old.get(key), new.get(key))


def _named(window: Seen) -> dict[tuple[str, str, int], SeenPart]:
    """The parts by kind and label; what several of a kind have in common is told apart by its place."""
    found: dict[tuple[str, str, int], SeenPart] = {}
    for part in window.parts:
        if part.messages or part.kind == "queue":
            continue
        place = sum(1 for kind, label, _ in found if (kind, label) == (part.kind, part.label))
        found[(part.kind, part.label, place)] = part
    return found
