"""What is to be forgotten leaves core memory; what is not to be kept never gets there."""

import pytest

from tests.agents.llm.offline.chat import Chat


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        ("I don't eat coriander", "Forget that I don't eat coriander"),
        ("I don't eat coriander", "please delete what I said about coriander from your memory"),
        ("My birthday is May 3", "Forget my birthday"),
        ("我不吃香菜", "忘掉我不吃香菜"),
        ("我住在北京", "把我住在北京这条删掉"),
    ],
)
def test_it_removes_a_line(fact: str, words: str) -> None:
    chat = Chat()
    chat("I like tea")
    chat(fact)
    said = chat(words)
    assert chat.human == ["I like tea"]
    assert fact in said.text


def test_it_says_that_there_was_nothing_to_forget() -> None:
    said = Chat()("Forget that I have a dog")
    assert said.calls == []
    assert "nothing to remove" in said.text


@pytest.mark.parametrize(
    "words", ["forget that", "just kidding", "don't remember that", "当我没说", "开玩笑的", "别记这个"]
)
def test_it_takes_back_what_the_message_before_stated(words: str) -> None:
    chat = Chat()
    chat("I like tea")
    chat("I live on Mars")
    chat(words)
    assert chat.human == ["I like tea"]


def test_it_takes_back_nothing_else() -> None:
    chat = Chat()
    chat("I live in Rome")
    chat("I'm the queen of England, just kidding")
    chat("别记这个：我的密码是 1234")
    assert chat.human == ["I live in Rome"]


@pytest.mark.parametrize(
    "words",
    [
        "Don't remember this: I live in Berlin",
        "别记：我住在柏林",
        "Off the record: I live in Berlin",
        "不用记，我住在柏林",
    ],
)
def test_it_does_not_keep_what_is_not_to_be_kept(words: str) -> None:
    said = Chat()(words)
    assert said.calls == []
    assert said.text.startswith(("All right, I wrote none of it to memory.", "好的，我没有把它写入记忆。"))


def test_it_puts_a_text_into_the_archive_on_request() -> None:
    chat = Chat()
    assert chat("Archive this: the minutes are in the blue folder").names == ["archival_memory_insert"]
    chat("归档：会议纪要在蓝色文件夹")
    assert chat.archive == ["the minutes are in the blue folder", "会议纪要在蓝色文件夹"]


def test_it_brings_back_what_a_joke_had_replaced() -> None:
    chat = Chat()
    chat("I live in Rome")
    chat("I live on Mars now")
    said = chat("just kidding")
    assert chat.human == ["I live in Rome"]
    assert said.text == "Updated: “I live on Mars now” is now “I live in Rome”."


def test_it_removes_one_line_at_a_time() -> None:
    chat = Chat()
    chat("I don't eat coriander")
    chat("My wife doesn't eat coriander")
    chat("Forget that I don't eat coriander")
    assert chat.human == ["My wife doesn't eat coriander"]
