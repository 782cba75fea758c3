"""The nested key-value task on archives."""

from __future__ import annotations

from evaluation import hops
from evaluation.nested_kv import chained, read_cases
from tenants.scope import Identity
from tests.evaluation.data import shared

PAIRS = {
    f"0e1d2c3b-0000-4000-8000-00000000000{number}": f"9f8e7d6c-1111-4111-8111-11111111111{number}"
    for number in range(5)
}


def unheard(line: str) -> None:
    """Progress that nobody reads."""


def test_keys_lead_to_the_end_of_the_chain(owner: Identity) -> None:
    cases = [chained(PAIRS, [0, 3]), chained(PAIRS, [4, 2, 1, 0])]
    report = hops.measure(owner, cases, unheard)
    assert report["hops"] == {"2": {"cases": 1, "accuracy": 100.0}, "4": {"cases": 1, "accuracy": 100.0}}
    assert (report["archives"], report["passages"]) == (2, 10)
    # Each chain is looked up once more than it is long, to see that its end is no key.
    assert report["lookups"] == 3 + 5
    assert report["not_embedded"] == 0


def test_a_dictionary_of_the_paper_is_solved(owner: Identity) -> None:
    report = hops.measure(owner, read_cases(shared("nested_kv"), 1), unheard)
    assert list(report["hops"]) == ["0", "1", "2", "3", "4"]
    assert all(each["accuracy"] == 100.0 for each in report["hops"].values())
