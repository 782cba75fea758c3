"""Two changes of one text in one: by line, by word within a line, Chinese too, and what has to be chosen."""

import pytest

from memory.comparing import Budget
from memory.merge import STEPS, three_way

BASE = "Name: 李雷\nCity: Ghent\nLikes: tea\nPets: none"


DRINKS = "I drink {} every day at {}."
SIP = "我喜欢喝{}，每天{}都喝。"
PROJECT = "项目的截止日期是十二月{}日，负责人是{}。"
CLEAN = [
    (BASE, BASE.replace("Ghent", "Lyon"), f"{BASE}\nAge: 40", f"{BASE}\nAge: 40".replace("Ghent", "Lyon")),
    (BASE, f"Dr\n{BASE}", BASE.replace("\nPets: none", ""), f"Dr\n{BASE}".replace("\nPets: none", "")),
    (BASE, BASE, "mine", "mine"),
    (BASE, "theirs", BASE, "theirs"),
    (BASE, "same", "same", "same"),
    ("", "theirs", "", "theirs"),
    ("a", "", "a", ""),
    ("a\n", "a\n", "x\n", "x\n"),
    # Lines beside each other.
    ("In: Ghent\nLikes: tea", "In: Lyon\nLikes: tea", "In: Ghent\nLikes: rice", "In: Lyon\nLikes: rice"),
]
# Within a line, by word: what both began with, and two places in it.
WORDS = [
    (DRINKS, ("tea", "four"), ("coffee", "five")),
    (SIP, ("茶", "早上"), ("咖啡", "晚上")),
    (PROJECT, ("三", "李雷"), ("九", "韩梅梅")),
]
CLEAN += [
    (line.format(*old), line.format(new[0], old[1]), line.format(old[0], new[1]), line.format(*new))
    for line, old, new in WORDS
]


@pytest.mark.parametrize(("base", "theirs", "mine", "merged"), CLEAN)
def test_it_merges_what_does_not_meet(base: str, theirs: str, mine: str, merged: str) -> None:
    found = three_way(base, theirs, mine)
    assert (found.text, found.is_clean, found.conflicts) == (merged, True, [])


@pytest.mark.parametrize(
    ("base", "theirs", "mine"),
    [
        ("tea", "coffee", "water"),
        ("I drink tea.", "I drink coffee.", "I drink water."),
        ("我喝茶。", "我喝咖啡。", "我喝水。"),
        # So little of the line stayed that its words would be joined at random.
        ("I drink tea every day.", "We never drink what others do.", "You eat rice every noon."),
        ("a", "a\nb", "a\nc"),
        ("a\nb\nc", "a\nc", "a\nB\nc"),
        ("", "theirs", "mine"),
    ],
)
def test_both_stand_there_where_somebody_has_to_choose(base: str, theirs: str, mine: str) -> None:
    found = three_way(base, theirs, mine)
    assert not found.is_clean
    assert len(found.conflicts) == 1
    lines = found.text.split("\n")
    assert {*theirs.split("\n"), *mine.split("\n")} <= {*lines, ""}


def test_a_conflict_names_the_lines_of_all_three_and_the_rest_is_merged() -> None:
    theirs = BASE.replace("City: Ghent", "Town: Bruges").replace("none", "two cats")
    mine = BASE.replace("City: Ghent", "City: Lyon").replace("Name", "Full name")
    found = three_way(BASE, theirs, mine)
    (place,) = found.conflicts
    assert "Town: Bruges\n" in place.theirs
    assert "City: Lyon\n" in place.mine
    assert "City: Ghent\n" in place.base
    assert found.text.endswith("Likes: tea\nPets: two cats")
    assert "Full name: 李雷" in found.text


def test_it_gives_up_soon_on_what_would_take_long() -> None:
    base = "x\n" * 20_000
    found = three_way(base, f"a\n{base}y\nx\n" * 2, f"b\n{base}z\nx\n" * 2)
    assert not found.is_clean
    words = "tea " * 50_000
    assert not three_way(words, f"a {words}b", f"c {words}d").is_clean


def test_all_merges_of_a_request_share_what_they_may_cost() -> None:
    """Each group of lines costs little; hundreds of them, and twenty proposals in a page, add up."""
    theirs, mine = BASE.replace("none", "two cats"), BASE.replace("Pets: none", "Animals: none")
    assert three_way(BASE, theirs, mine).is_clean
    assert not three_way(BASE, theirs, mine, Budget(0)).is_clean
    budget = Budget(STEPS)
    three_way(BASE, theirs, mine, budget)
    cost = STEPS - budget.left
    assert cost > 0
    shared = Budget(2 * cost)
    cleared = [three_way(BASE, theirs, mine, shared).is_clean for _ in range(4)]
    assert cleared == [True, True, False, False]
    groups = "\n--\n".join([BASE] * 50)
    whole = Budget(2 * cost)
    assert not three_way(
        groups, groups.replace("none", "cats"), groups.replace("Pets", "Animals"), whole
    ).is_clean
    assert whole.left >= 0
