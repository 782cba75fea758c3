"""Small talk gets a short and honest answer in the language in which it was made."""

import pytest

from tests.agents.llm.offline.chat import Block, Chat


@pytest.mark.parametrize(
    ("words", "part"), [("Hello!", "offline model built into memsite"), ("你好", "memsite 自带的离线模型")]
)
def test_it_says_what_it_is_when_it_is_greeted_first(words: str, part: str) -> None:
    chat = Chat()
    assert part in chat(words).text
    assert part not in chat(words).text


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ("Thanks!", "welcome"),
        ("谢谢你", "不客气"),
        ("bye", "Goodbye"),
        ("晚安", "再见"),
        ("how are you?", "I am a program"),
        ("你好吗？", "我是程序"),
        ("who are you?", "offline model"),
        ("你是谁？", "离线模型"),
        ("What can you do?", "find a message"),
        ("你能做什么？", "找出一条消息"),
        ("Write me a poem about the sea", "I cannot do that"),
        ("帮我写一首诗", "这个我做不了"),
        ("Can you code a game in Python?", "I cannot do that"),
        ("Remind me to call mom", "cannot send reminders"),
        ("What time is it?", "2026-11-30 14:02"),
        ("今天几号？", "2026-11-30"),
        ("", "empty"),
    ],
)
def test_it_answers_without_touching_memory(words: str, part: str) -> None:
    said = Chat()(words)
    assert part in said.text
    assert said.calls == []


def test_it_quotes_its_persona_when_asked_who_it_is() -> None:
    chat = Chat(blocks={"persona": Block("I am Ada, a calm helper."), "human": Block()})
    assert "I am Ada, a calm helper." in chat("Who are you?").text


def test_it_counts() -> None:
    assert Chat()("Please count to 200").text == ", ".join(map(str, range(1, 201)))
    assert Chat()("从 5 数到 8").text == "5, 6, 7, 8"
    assert "5000 at most" in Chat()("count to 100000").text


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ("If I moved to Rome, I'd be happy", "supposition"),
        ("Bob says the deadline is June 30", "somebody else"),
        ("I used to live in Paris", "over"),
        ("I'm so tired today", "for now only"),
        ("Maybe I'm allergic to nuts", "sound sure"),
        ("Tell Bob that I'm late", "pass on messages"),
        ("他说他不吃香菜", "转述"),
        ("如果我不吃香菜的话", "假设"),
    ],
)
def test_it_says_why_it_wrote_nothing(words: str, part: str) -> None:
    said = Chat()(words)
    assert part in said.text
    assert said.calls == []
