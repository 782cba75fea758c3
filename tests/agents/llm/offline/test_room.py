"""What it does when memory is full, nearly full, or the window is: nothing is lost."""

from tests.agents.llm.offline.chat import Block, Chat

LINES = [
    "I like jazz very much",
    "I play the piano",
    "My name is Bob",
    "I don't eat coriander",
    "I drive a Volvo",
]


def full(limit: int) -> Chat:
    return Chat(blocks={"human": Block("\n".join(LINES), limit=limit)})


def kept(chat: Chat) -> list[str]:
    return [line for line in LINES if line in "\n".join([*chat.human, *chat.archive])]


def test_it_makes_room_by_archiving_what_matters_less() -> None:
    chat = full(110)
    said = chat("I live in Berlin with my wife Anna")
    assert said.names == ["archival_memory_insert", "memory_rethink", "core_memory_append"]
    assert {"My name is Bob", "I don't eat coriander", "I live in Berlin with my wife Anna"} <= set(
        chat.human
    )
    assert kept(chat) == LINES
    assert "older lines are now in the archive, word for word" in said.text


def test_it_finds_what_it_archived() -> None:
    chat = full(110)
    chat("I live in Berlin with my wife Anna")
    chat.messages.clear()
    said = chat("What instrument do I play?")
    assert "I play the piano" in said.text


def test_it_takes_the_limit_from_the_error_where_the_prompt_did_not_tell() -> None:
    chat = full(2000)
    chat.blocks["human"].limit, chat.told_limit = 100, 2000
    said = chat("I live in Berlin with my wife Anna")
    assert said.names == [
        "core_memory_append",
        "archival_memory_insert",
        "memory_rethink",
        "core_memory_append",
    ]
    assert "I live in Berlin with my wife Anna" in chat.human
    assert kept(chat) == LINES


def test_it_leaves_the_block_as_it_is_where_the_archive_fails() -> None:
    chat = full(100)
    chat.broken["archival_memory_insert"] = "The archive is closed."
    said = chat("I live in Berlin with my wife Anna")
    assert chat.human == LINES
    assert "I could not save" in said.text


def test_it_drops_repetitions_first() -> None:
    chat = Chat(blocks={"human": Block("\n".join(["I like tea", *LINES, *["I like tea"] * 4]), limit=160)})
    said = chat("ok")
    assert said.names == ["memory_rethink"]
    assert chat.human == [*LINES, "I like tea"]


def test_it_archives_a_fact_that_is_longer_than_the_block() -> None:
    chat = Chat(blocks={"human": Block(limit=20)})
    assert chat("I live in Berlin with my wife Anna").names == ["archival_memory_insert"]
    assert chat.archive == ["I live in Berlin with my wife Anna"]


def test_it_shortens_a_block_that_is_nearly_full_once_in_a_turn() -> None:
    chat = full(95)
    said = chat("thanks")
    assert said.names == ["archival_memory_insert", "memory_rethink"]
    assert kept(chat) == LINES
    assert chat("thanks again").names == []


def test_it_archives_what_would_leave_the_window_under_pressure() -> None:
    chat = Chat()
    told = [
        "Ann keeps the keys in the blue drawer",
        "Bob said the printer needs toner",
        "The neighbours have a boat",
    ]
    for words in [*told, "What time is it?", "thanks"]:
        chat(words)
    chat.pressure = True
    said = chat("My name is Bob")
    assert said.names == ["core_memory_append", "archival_memory_insert"]
    assert all(words in chat.archive[0] for words in told)
    assert "What time" not in chat.archive[0]
    assert chat("ok").names == []
