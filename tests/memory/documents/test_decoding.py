"""Text in the encodings in which it is found."""

import pytest

from memory.documents.decoding import decoded, source
from memory.documents.faults import UnreadableDocument
from memory.documents.limits import CHARACTERS

CHINESE = "今天天气很好，我们去公园散步吧。"
PROJECT = "项目的截止日期是十二月三日，负责人是李雷。请在本周五之前提交所有的文件。"
TRADITIONAL = "這個專案的截止日期是十二月三日，負責人是李雷。請在本週五之前提交所有的文件。"
JAPANESE = "今日は天気がいいので公園に行きます。カタカナも書きます。"
KOREAN = "오늘은 날씨가 좋아서 공원에 갑니다."
FRENCH = "Le café est très bon, naïve façade où l'été arrive."
GERMAN = "Größe über Straßen, schöne Grüße aus München"
ENGLISH = "It’s “fine” — he said… 5 € for a café"
RUSSIAN = "Сегодня хорошая погода, мы идём в парк."


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (CHINESE, "utf-8"),
        (CHINESE, "utf-8-sig"),
        (CHINESE, "utf-16"),
        (CHINESE + " 2026", "utf-16-le"),
        (PROJECT + " 2026", "utf-16-be"),
        (CHINESE, "utf-32"),
        (CHINESE, "gb18030"),
        (PROJECT, "gb18030"),
        ("李雷", "gb18030"),
        ("会议纪要", "gb18030"),
        ("Name: 李雷, city: 根特 (Ghent), likes: 茶", "gb18030"),
        (TRADITIONAL, "big5"),
        ("會議紀錄", "big5"),
        (JAPANESE, "cp932"),
        (JAPANESE, "euc_jp"),
        (KOREAN, "euc_kr"),
        (FRENCH, "cp1252"),
        (FRENCH, "utf-8"),
        (GERMAN, "latin-1"),
        (ENGLISH, "cp1252"),
        (RUSSIAN, "cp1251"),
        ("plain", "ascii"),
    ],
)
def test_it_reads_text_in_its_encoding(text: str, encoding: str) -> None:
    assert decoded(text.encode(encoding)) == text


def test_it_finds_the_encoding_though_the_beginning_is_english() -> None:
    text = "An English introduction.\n" * 5000 + PROJECT
    assert decoded(text.encode("gb18030")) == text


def test_line_ends_are_of_one_kind() -> None:
    assert decoded(b"a\r\nb\rc\n") == "a\nb\nc\n"


def test_what_fits_nowhere_is_marked_and_the_rest_is_read() -> None:
    assert "\ufffd" in decoded(b"\xef\xbb\xbfgood \xff bad")
    assert decoded(b"\xef\xbb\xbfgood \xff bad").startswith("good ")


def test_a_text_that_is_too_long_is_refused() -> None:
    assert len(source(b"x" * CHARACTERS)) == CHARACTERS
    with pytest.raises(UnreadableDocument) as refused:
        source(b"x" * (CHARACTERS + 1))
    assert refused.value.code == "too_long"
