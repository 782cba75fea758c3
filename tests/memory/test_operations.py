"""The operations on a block's text: what comes out, and what is refused."""

import pytest

from memory.operations import (
    Append,
    BadOperation,
    BlockError,
    Insert,
    Operation,
    Replace,
    Rethink,
    TextFoundTwice,
    TextNotFound,
)

HELD = "Name: 李雷\nCity: Ghent\nCity: Lyon"


@pytest.mark.parametrize(
    ("held", "operation", "made"),
    [
        ("", Append("Name: 李雷"), "Name: 李雷"),
        (" \n", Append("a"), "a"),
        ("a", Append("b\nc"), "a\nb\nc"),
        (HELD, Replace("Ghent", "Bruges"), "Name: 李雷\nCity: Bruges\nCity: Lyon"),
        (HELD, Replace("City: Ghent", ""), "Name: 李雷\nCity: Lyon"),
        (HELD, Replace("Name: 李雷", ""), "City: Ghent\nCity: Lyon"),
        (HELD, Replace("City: Lyon", ""), "Name: 李雷\nCity: Ghent"),
        ("only", Replace("only", ""), ""),
        ("a b", Replace(" b", ""), "a"),
        ("a\nc", Insert("b", 1), "a\nb\nc"),
        ("a\nc", Insert("b", 0), "b\na\nc"),
        ("a\nc", Insert("b"), "a\nc\nb"),
        ("", Insert("b", 0), "b"),
        (HELD, Rethink("short"), "short"),
        (HELD, Rethink(""), ""),
    ],
)
def test_it_makes_the_text_that_is_meant(held: str, operation: Operation, made: str) -> None:
    assert operation.apply(held) == made


@pytest.mark.parametrize(
    ("operation", "error", "said"),
    [
        (Append(" \n"), BadOperation, "empty"),
        (Insert(""), BadOperation, "empty"),
        (Insert("b", 4), BadOperation, "has 3 lines"),
        (Insert("b", -2), BadOperation, "no line -2"),
        (Replace("", "x"), BadOperation, "empty"),
        (Replace("Paris", "x"), TextNotFound, "does not stand"),
        (Replace("ghent", "x"), TextNotFound, "does not stand"),
        (Replace("City: ", "x"), TextFoundTwice, "2 times"),
    ],
)
def test_it_refuses_with_a_reason(operation: Operation, error: type[BlockError], said: str) -> None:
    with pytest.raises(error, match=said):
        operation.apply(HELD)
