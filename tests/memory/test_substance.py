"""How much a message says is told from the message alone."""

import pytest

from memory.telling import substance


def test_a_long_statement_says_more_than_a_short_one() -> None:
    assert 0 < substance("Wow, great!") < substance("I moved to Ghent in May to work for a printer there.")


@pytest.mark.parametrize("mark", ["?", "？", "? \n"])
def test_a_question_says_less_than_the_statement(mark: str) -> None:
    text = "You moved to Ghent in May to work for a printer there"

    assert 0 < substance(text + mark) < substance(text) / 2


def test_it_is_at_most_one() -> None:
    assert substance("word " * 100_000) == 1
    assert substance("") == 0


def test_two_characters_of_chinese_weigh_as_a_word() -> None:
    assert substance("我去年搬到了上海工作") == substance("I moved to Shanghai then")
