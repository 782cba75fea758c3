"""It answers from core memory without searching, then from recall, then the archive; it never invents."""

from pathlib import Path

import pytest

from tests.agents.llm.offline.chat import Block, Chat

UNKNOWN = ("I don't know", "我不知道")
CASES = (Path(__file__).parent / "said/asked.txt").read_text().splitlines()


@pytest.mark.parametrize("case", CASES)
def test_it_names_what_it_was_told_or_says_that_it_does_not_know(case: str) -> None:
    """A case is: a statement || question | what the answer names, "-" for nothing || ..."""
    statement, *questions = case.split(" || ")
    chat = Chat()
    assert chat(statement).wrote
    for question, wanted in (one.split(" | ") for one in questions):
        said = chat(question)
        assert not said.wrote
        if wanted == "-":
            assert any(phrase in said.text for phrase in UNKNOWN), said.text
        else:
            assert wanted in said.text
            assert said.searches == []


def test_it_knows_the_same_in_both_languages() -> None:
    chat = Chat()
    chat("我不吃香菜")
    assert "香菜" in chat("do you remember what I don't eat?").text
    chat("We use PostgreSQL 16")
    assert "PostgreSQL 16" in chat("我们用什么数据库？").text


def test_it_answers_in_the_language_of_the_question() -> None:
    chat = Chat()
    chat("I don't eat coriander")
    assert chat("我不吃什么？").text == "我的核心记忆里写着：“I don't eat coriander”。"
    assert chat("what don't I eat?").text == "My core memory says: “I don't eat coriander”."


def test_it_reads_lines_that_others_wrote() -> None:
    value = "Name: 李雷\nDoesn't eat coriander\nLives in Berlin\n职业：医生"
    chat = Chat(blocks={"human": Block(value)})
    assert "李雷" in chat("我叫什么？").text
    assert "coriander" in chat("what don't I eat?").text
    assert "Berlin" in chat("where do I live?").text
    assert "医生" in chat("我的职业是什么？").text


@pytest.mark.parametrize(
    ("fact", "question"),
    [
        ("My dog is called Rex", "What's my name?"),
        ("My wife doesn't eat peanuts", "Do I eat peanuts?"),
        ("我老婆不吃香菜", "我吃香菜吗？"),
        ("My sister Ada lives in Leiden and works at Philips", "Where do I work?"),
        ("My parents live in Leiden and work at Philips", "Where do I work?"),
        ("我的第一个朋友叫小明，住在北京", "我住在哪里？"),
        ("张三叫小明，住在北京", "我住在哪里？"),
        ("My favourite colour is blue", "What's my favourite food?"),
        ("I work from home", "Where do I live?"),
        ("remember that Bob is allergic to nuts", "What am I allergic to?"),
        ("我们的客户在大阪", "我住在哪里？"),
    ],
)
def test_it_does_not_mix_up_whose_thing_it_is(fact: str, question: str) -> None:
    chat = Chat()
    chat(fact)
    assert any(phrase in chat(question).text for phrase in UNKNOWN)


def test_it_searches_recall_then_the_archive() -> None:
    chat = Chat(archive=["The safe combination is 12-34-56."])
    said = chat("What is the safe combination?")
    assert said.searches[-1] == "archival_memory_search"
    assert said.names[0] == "conversation_search"
    assert "The archive has this, of 2026-10-09 10:00: “The safe combination is 12-34-56”" in said.text


def test_it_quotes_earlier_messages_with_their_date() -> None:
    chat = Chat()
    chat("小王对花生过敏")
    assert chat("小王对什么过敏？").text == "你在 2026-11-01 说过：“小王对花生过敏”。"


def test_it_does_not_quote_questions_suppositions_or_jokes_as_facts() -> None:
    chat = Chat()
    for words in (
        "Does Bob live in Rome?",
        "If Bob lived in Rome, I'd visit",
        "Bob lives in Rome, just kidding",
    ):
        chat(words)
    assert "I don't know that" in chat("Where does Bob live?").text


@pytest.mark.parametrize(
    "question",
    [
        "find the message where I mentioned nuts",
        "When did I tell you about nuts?",
        "search for nuts",
        "did I ever mention nuts?",
    ],
)
def test_it_finds_a_message(question: str) -> None:
    chat = Chat()
    chat("Ann is allergic to nuts")
    said = chat(question)
    assert said.names == ["conversation_search"]
    assert "Ann is allergic to nuts" in said.text


@pytest.mark.parametrize(
    "question", ["找一下我提到花生的消息", "我什么时候说过花生？", "搜索花生", "我提到过花生吗？"]
)
def test_it_finds_a_message_in_chinese(question: str) -> None:
    chat = Chat()
    chat("小王对花生过敏")
    said = chat(question)
    assert said.names == ["conversation_search"]
    assert "小王对花生过敏" in said.text


@pytest.mark.parametrize("question", ["What was the first thing I said?", "我第一句话说了什么？"])
def test_it_finds_the_first_message(question: str) -> None:
    chat = Chat(window=4)
    for words in ("The first words", "then others", "我先走了", "ok"):
        chat(words)
    said = chat(question)
    assert set(said.names) == {"conversation_search"}
    assert "The first words" in said.text


def test_it_reads_a_message_by_its_id() -> None:
    said = Chat()("Read message 01890a5d-ac96-774b-bcce-b302099a8057")
    assert said.names == ["message_read"]
    assert "我不吃香菜" in said.text


def test_it_lists_all_that_it_knows() -> None:
    chat = Chat()
    assert "nothing about you yet" in chat("What do you know about me?").text
    chat("我叫李雷，不吃香菜")
    assert "- 我叫李雷\n- 我不吃香菜" in chat("你知道我什么？").text


def test_it_says_where_it_looked() -> None:
    said = Chat()("What's my blood type?")
    assert said.text == (
        "I don't know that. I looked in core memory, the earlier messages and the archive and found "
        "nothing about it."
    )
    assert "only what I was told here" in Chat()("What is the capital of France?").text


def test_it_says_that_a_search_failed() -> None:
    said = Chat(broken={"conversation_search": "The database is down."})("Where does Bob live?")
    assert "The database is down." in said.text
