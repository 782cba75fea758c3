"""A text cut into words: Chinese by word, nothing lost."""

from __future__ import annotations

import random

import pytest

from memory.words import words


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("周报：要点", "周报|：|要点"),
        ("我现在吃香菜", "我|现在|吃|香菜"),
        ("Ship in May.", "Ship| |in| |May|."),
        ("v2 发布\n11月", "v2| |发布|\n|11|月"),
        ("", ""),
    ],
)
def test_it_cuts_between_words(text: str, pieces: str) -> None:
    assert "|".join(words(text)) == pieces


def test_it_loses_nothing() -> None:
    dice = random.Random(7)
    signs = [
        "香",
        "菜",
        "\U00020000",
        "한",
        "ひ",
        "é",
        "a1",
        " ",
        "\t",
        "\r",
        "\n",
        "\u2028",
        "。",
        "|",
        "😀",
    ]
    for _round in range(500):
        text = "".join(dice.choices(signs, k=20))
        assert "".join(words(text)) == text
