"""MemGPT's nested key-value task (Packer et al., 2023, section 3.2.2), without a model.

A dictionary holds 140 pairs of UUIDs. For so many hops, the value under one key is made another key, whose
value is the next one's, and so on; the answer is the value that is no key. The files are those of the paper's
experiments: dictionaries as JSON lines, and for each number of hops the places of the keys in the chain.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

from evaluation.samples import Malformed

HOPS = (0, 1, 2, 3, 4)
DICTIONARIES = "kv-retrieval-*.jsonl.gz"
ORDERINGS = "random_orderings_*_{hops}_levels.jsonl"
_PAIR = re.compile(r"key = (\S+), value = (\S+)")


@dataclass(frozen=True)
class Case:
    """The pairs of one dictionary with a chain in it: where it begins, and the value at its end."""

    hops: int
    pairs: dict[str, str]
    key: str
    answer: str

    def texts(self) -> list[str]:
        """The passages, worded as in the paper's experiments."""
        return [f"Key-value pair: key = {key}, value = {value}" for key, value in self.pairs.items()]


def read_cases(folder: Path, dictionaries: int) -> Iterator[Case]:
    """A case for each number of hops in each of the first so many dictionaries. Raises Malformed, OSError."""
    orderings = {hops: _orderings(folder, hops) for hops in HOPS if hops}
    with gzip.open(_only(folder, DICTIONARIES), "rt", encoding="utf-8") as file:
        for number, line in enumerate(islice(file, dictionaries)):
            given = json.loads(line)
            pairs = dict(given["ordered_kv_records"])
            yield Case(0, pairs, given["key"], pairs[given["key"]])
            for chains in orderings.values():
                yield chained(pairs, chains[number % len(chains)])


def chained(pairs: dict[str, str], places: Sequence[int]) -> Case:
    """The pairs with a chain through the keys at these places."""
    keys = list(pairs)
    links = {keys[here]: keys[after] for here, after in pairwise(places)}
    return Case(len(places), pairs | links, keys[places[0]], pairs[keys[places[-1]]])


def follow(key: str, look: Callable[[str], Sequence[str]]) -> str:
    """What a reader ends with who looks keys up until a value is no key; `look` answers texts, best first.

    Only the best text counts that has not been read on the way: one that was read names the key as its value.
    """
    read: set[str] = set()
    while True:
        text = next((each for each in look(key) if each not in read), "")
        pair = _PAIR.search(text)
        if pair is None or pair[1] != key:
            return key
        read.add(text)
        key = pair[2]


def _orderings(folder: Path, hops: int) -> list[list[int]]:
    lines = _only(folder, ORDERINGS.format(hops=hops)).read_text(encoding="utf-8").splitlines()
    found: list[Any] = [json.loads(line) for line in lines if line.strip()]
    if not found or any(len(each) != hops for each in found):
        raise Malformed(f"The orderings of {hops} hops in {folder} do not have {hops} places each.")
    return found


def _only(folder: Path, pattern: str) -> Path:
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise Malformed(f"{folder} should hold one file {pattern}; it has {len(found)}.")
    return found[0]
