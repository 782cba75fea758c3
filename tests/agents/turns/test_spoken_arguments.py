"""A message is read out of its JSON while the model still writes it."""

import json
import random
import time

import pytest

from agents.turns.speech import SpokenArguments

MESSAGES = [
    "",
    "Good day.",
    'Line one\nline two\t"quoted" \\ and / done',
    "我不吃香菜，李雷。",
    "👩‍🚀 and 𝒳",
    "\u2028\x7f\x01",
]


def streamed(written: str, size: int) -> str:
    reader = SpokenArguments()
    return "".join(reader.feed(written[start : start + size]) for start in range(0, len(written), size))


@pytest.mark.parametrize("message", MESSAGES)
@pytest.mark.parametrize("escaped", [True, False])
def test_it_reads_the_message_whatever_the_pieces(message: str, escaped: bool) -> None:
    written = json.dumps({"message": message}, ensure_ascii=escaped)
    for size in (1, 2, 3, 5, 7, len(written)):
        assert streamed(written, size) == message


@pytest.mark.parametrize(
    "written", ['  {\n "message" :\t"Hello', '{"message":"Hello', '{"message":"Hello","x":"y"}']
)
def test_it_takes_spaces_and_other_arguments_after_the_message(written: str) -> None:
    assert streamed(written, 4) == "Hello"


@pytest.mark.parametrize(
    "written", ['{"other": "x", "message": "Hello"}', '["message"]', "Hello", '{"message": 3}']
)
def test_it_says_nothing_of_what_it_cannot_read_yet(written: str) -> None:
    assert streamed(written, 3) == ""


@pytest.mark.parametrize(
    ("written", "read"), [(r'{"message": "a\qb', "a\ufffdb"), (r'{"message": "\ud83dxyzabcd', "")]
)
def test_it_goes_on_over_broken_escapes(written: str, read: str) -> None:
    assert streamed(written, 1).startswith(read)


@pytest.mark.parametrize("half", [r"\ud83d", r"\udc00", r"\u0000"])
def test_it_never_lets_half_a_character_out(half: str) -> None:
    said = streamed(f'{{"message": "a{half} and more words"}}', 1)
    said.encode()
    assert said.endswith(" and more words") or said.endswith("more words")


def test_it_is_fast_with_a_megabyte_in_one_piece() -> None:
    message = "line\n" * 200_000
    started = time.process_time()
    assert streamed(json.dumps({"message": message}), 2**21) == message
    # Not a measure: quadratic work would take minutes.
    assert time.process_time() - started < 20


def test_it_reads_random_pieces() -> None:
    chance = random.Random(5)
    for _ in range(200):
        message = "".join(chance.choice('ab"\\\n香👩\u0001') for _ in range(30))
        written = json.dumps({"message": message}, ensure_ascii=chance.random() < 0.5)
        reader, said, place = SpokenArguments(), "", 0
        while place < len(written):
            size = chance.randrange(1, 6)
            said += reader.feed(written[place : place + size])
            place += size
        assert said == message
