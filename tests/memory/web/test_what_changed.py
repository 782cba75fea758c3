"""What a version changed, in words that a person reads: whole, and as one line for a chip."""

from __future__ import annotations

import random
from difflib import SequenceMatcher

import pytest

from memory import comparing
from memory.web import diff
from memory.web.diff import DELETED, INSERTED, Run, folded, one_line, runs


def written(found: list[Run]) -> str:
    signs = {INSERTED: "[+{}+]", DELETED: "[-{}-]"}
    return "".join(signs.get(run.kind, "{}").format(run.text) for run in found)


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        ("", "Name: 李雷", "[+Name: 李雷+]"),
        ("周报：段落\n时区：上海", "周报：要点\n时区：上海", "周报：[-段落-][+要点+]"),
        ("我不吃香菜", "我现在吃香菜", "我[-不吃-][+现在吃+]香菜"),
        ("李雷负责季度计划", "韩梅梅负责季度计划", "[-李雷-][+韩梅梅+]负责季度计划"),
        ("The deadline is Friday.", "The deadline is Monday.", "The deadline is [-Friday-][+Monday+]."),
        ("截止日期是11月15日", "The deadline is 15 May", "[-截止日期是11月15日-][+The deadline is 15 May+]"),
        ("a\nb\nc", "a\nc", "[-b-]"),
        ("a", "a\nb\nc", "[+b · c+]"),
        ("same", "same", ""),
    ],
)
def test_it_shows_a_change_in_one_line(before: str, after: str, line: str) -> None:
    assert written(one_line(before, after)) == line


def test_it_cuts_a_long_change_short() -> None:
    line = written(one_line("", "word " * 1000))
    assert len(line) < 200
    assert line.endswith("…+]")


def test_it_loses_nothing_of_either_text() -> None:
    dice = random.Random(3)
    alphabet = ["香菜", "tea", " ", "\n", "，", "x1", "不", "-"]
    for _round in range(200):
        before, after = ("".join(dice.choices(alphabet, k=dice.randint(0, 12))) for _side in "ab")
        found = runs(before, after)
        assert "".join(run.text for run in found if run.kind != INSERTED) == before
        assert "".join(run.text for run in found if run.kind != DELETED) == after


def test_it_compares_long_texts_by_lines() -> None:
    before = "\n".join(f"line {number}" for number in range(2000))
    found = runs(before, before.replace("line 1000\n", "line one thousand\n"))
    assert [run.text for run in found if run.kind == INSERTED] == ["line one thousand\n"]


def numbered(name: str, count: int = 3000) -> str:
    return "".join(f"{name} {number}\n\n" for number in range(count))


def refused(*_arguments: object, **_options: object) -> SequenceMatcher[str]:
    raise AssertionError("this comparison takes minutes")


def test_it_does_not_compare_what_would_take_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diff, "SequenceMatcher", refused)
    before, after = "first\n" + numbered("old") + "last", "first\n" + numbered("new") + "last"
    assert [run.kind for run in runs(before, after)] == ["same", DELETED, INSERTED, "same"]
    assert "".join(run.text for run in runs(before, after) if run.kind != INSERTED) == before
    assert "".join(run.text for run in runs(before, after) if run.kind != DELETED) == after
    assert written(one_line(before, after)).startswith("[-old 0 · old 1")


@pytest.mark.parametrize("steps", [0, 50, 2_000])
def test_it_loses_nothing_whatever_it_may_spend(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing, "STEPS_AT_MOST", steps)
    test_it_loses_nothing_of_either_text()


def test_it_finds_changes_far_apart_in_a_long_text() -> None:
    before = "".join(f"line {number}\n" for number in range(2000))
    after = before.replace("line 3\n", "three\n").replace("line 1990\n", "near the end\n")
    assert [run.text for run in runs(before, after) if run.kind == INSERTED] == ["three\n", "near the end\n"]


def test_it_leaves_out_what_stayed_far_from_any_change() -> None:
    before = "\n".join(f"line {number}" for number in range(40))
    after = before.replace("line 10\n", "line ten\n").replace("line 30\n", "line thirty\n")
    shown = written(folded(runs(before, after)))
    assert "line 8\nline 9\nline [-10-][+ten+]\nline 11\nline 12" in shown
    assert "line 28\nline 29\nline [-30-][+thirty+]\nline 31" in shown
    assert shown.startswith("…\n")
    assert shown.endswith("\n…")
    assert "line 20" not in shown
    assert folded(runs("a\nb", "a\nc")) == runs("a\nb", "a\nc")
