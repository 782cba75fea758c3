"""How facts reach core memory, and what it says when they do not."""

import pytest

from tests.agents.llm.offline.chat import MEMORY_TOOLS, Block, Chat

DOWN = "The database is down."


def human(value: str = "", **marks: object) -> dict[str, Block]:
    return {"persona": Block(), "human": Block(value, **marks)}


def test_it_says_saved_only_after_the_tool_said_ok() -> None:
    assert Chat()("I don't eat coriander").text == "Saved to memory: “I don't eat coriander”."
    tools = ("core_memory_append", "archival_memory_insert")
    said = Chat(broken=dict.fromkeys(tools, DOWN))("I don't eat coriander")
    assert said.text == f"I could not save “I don't eat coriander”. The memory answered: {DOWN}"


def test_it_files_several_facts_at_once() -> None:
    chat = Chat()
    assert chat("我叫李雷，住在北京，不吃香菜").steps == 2
    assert chat.human == ["我叫李雷", "我住在北京", "我不吃香菜"]


@pytest.mark.parametrize(
    "again", ["I don't eat coriander", "i really don't eat coriander!", "Remember that I don't eat coriander"]
)
def test_it_does_not_file_the_same_twice(again: str) -> None:
    chat = Chat()
    chat("I don't eat coriander")
    said = chat(again)
    assert not said.wrote
    assert said.text == "I know that already: “I don't eat coriander”."


def test_it_files_what_is_about_the_project_into_the_projects_block() -> None:
    chat = Chat(blocks={**human(), "project": Block(description="Facts about the project.")})
    for words in (
        "项目必须无损",
        "我不吃香菜",
        "The deadline is June 30",
        "my name is Bob",
        "截止日期改到 7 月 15 日",
    ):
        chat(words)
    assert chat.lines("project") == ["项目必须无损", "截止日期改到 7 月 15 日"]
    assert chat.human == ["我不吃香菜", "My name is Bob"]


def test_it_replaces_a_line_where_it_stands() -> None:
    chat = Chat(
        blocks={**human("The deadline is June 30"), "project": Block(description="Facts about the project.")}
    )
    chat("The deadline moved to July 15")
    assert (chat.human, chat.lines("project")) == (["The deadline moved to July 15"], [])


def test_it_does_not_write_about_people_into_the_persona() -> None:
    chat = Chat(blocks={"persona": Block("You are Ada."), "human": Block(read_only=True)})
    chat("I don't eat coriander")
    assert chat.lines("persona") == ["You are Ada."]


def test_it_uses_the_tools_that_are_offered() -> None:
    chat = Chat(tools="memory_insert memory_replace")
    assert chat("I live in Rome").names == ["memory_insert"]
    assert chat("I moved to Milan").names == ["memory_replace"]
    assert chat.human == ["I moved to Milan"]


def test_it_speaks_with_plain_text_where_there_is_no_tool_for_it() -> None:
    assert Chat(tools=MEMORY_TOOLS)("I live in Rome").text == "Saved to memory: “I live in Rome”."


def test_it_rewrites_a_block_where_a_line_cannot_be_replaced() -> None:
    chat = Chat(
        blocks=human("I like tea\nI live in Rome"),
        broken={"core_memory_replace": "The text stands there 2 times."},
    )
    assert "memory_rethink" in chat("I moved to Milan").names
    assert chat.human == ["I like tea", "I moved to Milan"]


def test_it_replaces_a_line_that_is_part_of_another() -> None:
    chat = Chat(blocks=human("I smoke\nI smoke cigars on Sundays"))
    chat("I quit smoking")
    assert "I smoke cigars on Sundays" in chat.human or "I quit smoking" in chat.human


def test_it_keeps_the_other_things_of_a_list() -> None:
    chat = Chat(blocks=human("I don't eat coriander, peanuts or shrimp"))
    chat("I eat peanuts now")
    assert chat.human == ["I don't eat coriander or shrimp", "I eat peanuts now"]


def test_it_says_why_nothing_was_saved() -> None:
    said = Chat(blocks=human(read_only=True), tools="core_memory_append")("我不吃香菜")
    assert said.text == "没能写入记忆：“我不吃香菜”。没有我可以写入、又放得下它的记忆块。"
    assert Chat(tools="")("我不吃香菜").text == "没能写入记忆：“我不吃香菜”。这个对话里我没有记忆工具。"


def test_it_archives_what_core_memory_refuses() -> None:
    chat = Chat(blocks=human(read_only=True))
    said = chat("我不吃香菜")
    assert chat.archive == ["我不吃香菜"]
    assert said.text.startswith("没能写进核心记忆，我把它放进了归档：“我不吃香菜”。")


def test_it_reads_the_error_and_takes_another_block() -> None:
    chat = Chat(blocks={**human(), "notes": Block()}, told_limit=2000)
    chat.blocks["human"].limit = 10
    assert chat("I don't eat coriander").wrote
    assert chat.lines("notes") == ["I don't eat coriander"]
