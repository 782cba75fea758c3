"""Texts of several sentences: one sentence that says otherwise marks both, rows and other months do not."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from memory.retrieval import Filters, search
from memory.retrieval.contradicting import mark_contradictions
from tests.cast import Person
from tests.memory.documents.uploading import new_archive, read, upload

AROUND = (
    "The committee met in the hall on a rainy evening. Everybody agreed on the colours of the new doors. "
    "Nobody could say when the windows of the kitchen will come, but there was cake, and it was good. "
)
OTHER = "The roof was looked at by two people. They found some leaves and a ball, and took both away. "
AROUND_EAST, OTHER_EAST = "委员会在大厅开会，大家都同意新门的颜色。", "屋顶由两个人看过，没有问题。"


@dataclass(eq=False)
class Text:
    """What the rules look at of a hit."""

    text: str
    id: int = 0
    contradicts: list[int] = field(default_factory=list)
    is_abandoned: bool = False


def marks(*texts: str) -> list[tuple[int, list[int]]]:
    """The order of texts after marking, each with those that it contradicts."""
    hits: list[Any] = [Text(text, number) for number, text in enumerate(texts)]
    return [(hit.id, hit.contradicts) for hit in mark_contradictions(hits)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (f"{AROUND}The budget is 48,200 euros.", f"{OTHER}The budget is 51,000 euros."),
        (f"{AROUND}The fair is not in the park.\n{OTHER}", f"The fair is in the park.\n{OTHER}{AROUND}"),
        (f"{AROUND}The key lies with Anna Peeters.", "The key lies with Bert Lommel."),
        (f"{AROUND_EAST}总预算是四万八千元。", f"{OTHER_EAST}总预算是五万一千元。"),
    ],
)
def test_one_sentence_that_says_otherwise_marks_both_texts(one: str, other: str) -> None:
    assert marks(one, "Something else entirely.", other) == [(0, [2]), (2, [0]), (1, [])]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (f"{AROUND}The budget for May was 300 euros.", f"{OTHER}The budget for June was 310 euros."),
        (f"{AROUND}The budget is 48,200 euros.", f"{OTHER}The budget is 48,200 euros."),
        ("| Juice of the farm | 12 |\n| Juice of the farm | 13 |", f"| Juice of the farm | 14 |\n{OTHER}"),
        (f"{AROUND}Page 3 of 9.", f"{OTHER}Page 4 of 9."),
    ],
)
def test_what_differs_as_it_should_marks_nothing(one: str, other: str) -> None:
    assert marks(one, other) == [(0, []), (1, [])]


def test_a_sentence_that_many_texts_have_with_values_of_their_own_is_a_list() -> None:
    logs = [f"{AROUND}Entry {number} of the weekly log follows." for number in range(5)]
    assert marks(*logs[:2])[0][1] == [1]
    assert all(not contradicts for _, contradicts in marks(*logs))


def test_two_documents_of_one_name_that_say_otherwise_come_together_and_are_marked(alice: Person) -> None:
    for amount, around in (("48,200", AROUND), ("51,000", OTHER)):
        text = f"{around * 3}\nThe budget of the project is {amount} euros.\n{around}"
        read(upload(alice, new_archive(alice), text.encode(), "report.txt"))
    with alice.scope():
        hits = search("budget of the project", Filters()).hits
    (one,) = (hit for hit in hits if "48,200" in hit.text)
    (other,) = (hit for hit in hits if "51,000" in hit.text)
    assert (one.contradicts, other.contradicts) == ([other.id], [one.id])
    assert {one.title, other.title} == {"report.txt"}
    assert abs(hits.index(one) - hits.index(other)) == 1
