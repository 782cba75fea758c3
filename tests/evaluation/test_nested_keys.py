"""MemGPT's nested key-value task: how chains are made, and what a reader who looks keys up ends with."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from evaluation.nested_kv import Case, chained, follow, read_cases
from evaluation.samples import Malformed
from tests.evaluation.data import shared

PAIRS = {"a": "1", "b": "2", "c": "3", "d": "4", "e": "5"}


def search(case: Case, *, deceived: bool = False) -> Callable[[str], Sequence[str]]:
    """Every text in which a key stands; those in which it is the value first, where `deceived`."""

    def look(key: str) -> list[str]:
        hits = [text for text in case.texts() if key in (text.split()[4].rstrip(","), text.split()[-1])]
        return sorted(hits, key=lambda text: text.endswith(f" {key}"), reverse=deceived)

    return look


def test_a_chain_leads_from_key_to_key_to_the_last_value() -> None:
    case = chained(PAIRS, [3, 0, 2])
    assert case.pairs == {"a": "c", "b": "2", "c": "3", "d": "a", "e": "5"}
    assert (case.hops, case.key, case.answer) == (3, "d", "3")


def test_one_hop_changes_nothing() -> None:
    case = chained(PAIRS, [1])
    assert case.pairs == PAIRS
    assert (case.key, case.answer) == ("b", "2")


@pytest.mark.parametrize("places", [[1], [1, 4], [1, 4, 0], [3, 0, 2, 1]])
@pytest.mark.parametrize("deceived", [False, True])
def test_a_reader_comes_to_the_end_of_the_chain(places: list[int], deceived: bool) -> None:
    # A text that was read on the way names the key as its value; it may come first without harm.
    case = chained(PAIRS, places)
    assert follow(case.key, search(case, deceived=deceived)) == case.answer


def test_a_better_place_for_another_pair_is_a_fault() -> None:
    case = chained(PAIRS, [1, 4, 0])
    right = search(case)
    assert follow("b", lambda key: [case.texts()[2], *right(key)]) != case.answer


def test_finding_nothing_ends_at_the_key() -> None:
    assert follow("b", lambda key: []) == "b"


def test_a_circle_ends() -> None:
    case = Case(2, {"a": "b", "b": "a"}, "a", "")
    assert follow("a", search(case)) in {"a", "b"}


def make_folder(folder: Path, levels: tuple[int, ...] = (1, 2, 3, 4)) -> Path:
    lines = [{"ordered_kv_records": list(PAIRS.items()), "key": "c", "value": "3"}] * 3
    with gzip.open(folder / "kv-retrieval-5_keys_3.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write("".join(json.dumps(line) + "\n" for line in lines))
    for hops in levels:
        chains = [list(range(hops)), list(range(4, 4 - hops, -1))]
        path = folder / f"random_orderings_2_samples_5_indices_{hops}_levels.jsonl"
        path.write_text("".join(f"{chain}\n" for chain in chains), encoding="utf-8")
    return folder


def test_each_dictionary_is_asked_with_no_hop_to_four(tmp_path: Path) -> None:
    cases = list(read_cases(make_folder(tmp_path), 2))
    assert [case.hops for case in cases] == [0, 1, 2, 3, 4] * 2
    assert [case.key for case in cases] == ["c", "a", "a", "a", "a", "c", "e", "e", "e", "e"]
    assert [case.answer for case in cases] == ["3", "1", "2", "3", "4", "3", "5", "4", "3", "2"]


def test_a_folder_without_the_orderings_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match="4_levels"):
        list(read_cases(make_folder(tmp_path, levels=(1, 2, 3)), 1))


def test_orderings_of_another_length_are_refused(tmp_path: Path) -> None:
    make_folder(tmp_path)
    (tmp_path / "random_orderings_2_samples_5_indices_4_levels.jsonl").write_text(
        "[1, 2]\n", encoding="utf-8"
    )
    with pytest.raises(Malformed, match="4 places"):
        list(read_cases(tmp_path, 1))


def test_the_real_folder_holds_sixty_dictionaries_of_140_pairs() -> None:
    cases = list(read_cases(shared("nested_kv"), 100))
    assert len(cases) == 60 * 5
    assert {len(case.pairs) for case in cases} == {140}
    # A plain lookup in the dictionary solves every case: the chains are whole.
    for case in cases:
        key = case.key
        while key in case.pairs:
            key = case.pairs[key]
        assert key == case.answer
