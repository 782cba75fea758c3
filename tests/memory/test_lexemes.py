"""Text and query are cut into the same lexemes, whatever the form of a word."""

import pytest

from memory import lexical
from memory.irregular import regular


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("went", "going"),
        ("bought", "buys"),
        ("children", "kids"),
        ("written", "writing"),
        ("mom", "mother"),
        ("Painting", "painted"),
    ],
)
def test_forms_of_one_word_are_one_lexeme(one: str, other: str) -> None:
    assert lexical.lexemes(one) == lexical.lexemes(other)


def test_what_is_regular_stays() -> None:
    assert regular("walked") == "walked"
    assert lexical.lexemes("walk") != lexical.lexemes("went")


def test_a_number_is_its_own_stem() -> None:
    numbers = ["7", "2024", "00412", "٤٢", "9" * 40]
    assert [lexical.stem(number) for number in numbers] == numbers
    assert lexical.lexemes(" ".join(numbers)) == numbers


def test_an_apostrophe_ends_a_word() -> None:
    assert lexical.query_lexemes("Caroline's dog") == lexical.query_lexemes("the dog of Caroline")[::-1]


def test_identifiers_are_kept_whole() -> None:
    assert "e-4512" in lexical.lexemes("It failed with E-4512.")


@pytest.mark.parametrize("question", ["Why did she do it?", "What would you have?", "他是我的什么"])
def test_words_that_tell_nothing_count_where_there_is_nothing_else(question: str) -> None:
    assert lexical.query_lexemes(question)
    assert len(lexical.query_lexemes(f"{question} Biscuit")) < len(lexical.lexemes(f"{question} Biscuit"))


def test_a_month_is_a_word_that_tells_something() -> None:
    assert "may" in lexical.query_lexemes("What did we do in May?")


def test_a_word_of_letters_alone_is_cut_as_every_other() -> None:
    most = lexical.LEXEME_MAX
    assert list(lexical.words("z" * most)) == ["z" * most]
    assert list(lexical.words("z" * (most + 1))) == ["z" * most]
    assert list(lexical.words("Zebras zebra's zebra_1 zébras")) == [
        *("zebra", "zebra", "s", "zebra_1", "zebra", "1", "zébras"),
    ]


@pytest.mark.parametrize(
    ("text", "length"),
    [("", 0), ("two words", 2), ("a-b c_d 1.5", 3), ("tea and 茶", 3), ("我现在吃香菜", 3), ("テスト", 2)],
)
def test_the_length_of_a_text_counts_words_and_pairs_of_characters(text: str, length: int) -> None:
    assert lexical.length(text) == length


@pytest.mark.parametrize(
    ("one", "other"),
    [("ＡＢＣ１２３", "abc123"), ("cafe\u0301", "caf\u00e9"), ("ｶﾀｶﾅ", "カタカナ"), ("Straße", "STRASSE")],
)
def test_what_reads_the_same_is_cut_the_same(one: str, other: str) -> None:
    assert lexical.lexemes(one) == lexical.lexemes(other) != []


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("王小明在老虎滩工作。好", ["作"]),
        ("老虎 tiger 老虎", ["虎"]),
        ("カナ서울", ["ナ", "울"]),
        ("tiger", []),
        ("虎", []),
    ],
)
def test_the_last_character_of_each_run_is_known(text: str, last: list[str]) -> None:
    assert lexical.last_characters(text) == last


@pytest.mark.parametrize(
    ("query", "beginnings"),
    [
        ("老", ("老",)),
        (" 老 tiger ", ("老",)),
        ("老虎", ()),
        ("a 5月", ()),
        ("Harb", ()),
        ("", ()),
    ],
)
def test_a_character_that_stands_alone_is_the_beginning_of_words(
    query: str, beginnings: tuple[str, ...]
) -> None:
    assert lexical.beginnings(query, is_typed=False) == beginnings


@pytest.mark.parametrize(
    ("query", "beginnings"),
    [
        ("tea Harb", ("harb",)),
        ("tea harb ", ()),
        ("h", ()),
        ("老 ha", ("老", "ha")),
        ("老虎harb", ("harb",)),
        ("e_conn_40", ("e_conn_40",)),
        ("what is it about", ()),
        ("的", ()),
        ("老虎", ()),
        ("what?", ()),
        ("  ", ()),
    ],
)
def test_the_last_word_is_a_beginning_while_somebody_types_it(
    query: str, beginnings: tuple[str, ...]
) -> None:
    assert lexical.beginnings(query, is_typed=True) == beginnings
