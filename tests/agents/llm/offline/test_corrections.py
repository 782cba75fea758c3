"""What was corrected is replaced; what is unrelated stays."""

from pathlib import Path

import pytest

from tests.agents.llm.offline.chat import Chat

CASES = (Path(__file__).parent / "said/corrected.txt").read_text().splitlines()


@pytest.mark.parametrize("case", CASES)
def test_it_keeps_what_holds_now(case: str) -> None:
    """A case is: messages => what memory holds after them - what it does not hold."""
    messages, _, outcome = case.partition(" =>")
    chat = Chat()
    for words in messages.split(" || "):
        chat(words)
    holds, _, gone = outcome.strip().partition(" - ")
    memory = "\n".join(chat.human)
    assert [part for part in holds.split(" + ") if part not in memory] == []
    assert [part for part in gone.split(" + ") if part and part in memory] == []
