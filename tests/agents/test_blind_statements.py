"""The built-in model against cases that were written without a look at it, by people who did not write it.

Of the first 80 it passed 65 when it first saw them; the kinds of language that failed were then taught, so by
now they say that nothing was unlearned. Of the second 80 it passed 66 at first sight, and the same was done.

Each case is a short chat; after it `filed` must stand in memory and `not_filed` must not, and the last answer
must hold `answer_has` and nothing of `answer_lacks`.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from agents.core_memory import agent_blocks
from memory.models import Passage
from tests.cast import Person, ask, new_agent, new_chat

FOLDER = Path(__file__).parent / "llm"
# Exactly those that fail: a case that begins to fail fails the test, and so does one that begins to pass.
KNOWN_FAILURES: dict[str, frozenset[int]] = {
    "blind_statements": frozenset(),
    "blind_statements_2": frozenset(),
}
SHARE_TO_PASS = 0.8


def cases(name: str) -> list[dict[str, Any]]:
    """The cases of one set."""
    found: list[dict[str, Any]] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return found


ALL = [pytest.param(name, case, id=f"{name}-{case['id']}") for name in KNOWN_FAILURES for case in cases(name)]


def faults(alice: Person, case: dict[str, Any]) -> list[str]:
    """What is wrong after a case's messages."""
    agent = new_agent(alice)
    chat = new_chat(alice, agent)
    answer = ""
    for message in case["messages"]:
        answer = ask(alice, chat, message)
    with alice.scope():
        held = [block.value for block in agent_blocks(agent)]
        held += Passage.objects.filter(archive__attachments__agent=agent).values_list("content", flat=True)
    memory = "\n".join(held).casefold()
    return [
        *(f"not filed: {word}" for word in case["filed"] if word.casefold() not in memory),
        *(f"filed: {word}" for word in case["not_filed"] if word.casefold() in memory),
        *(f"not said: {word}" for word in case["answer_has"] if word.casefold() not in answer.casefold()),
        *(f"said: {word}" for word in case["answer_lacks"] if word.casefold() in answer.casefold()),
    ]


@pytest.mark.parametrize(("name", "case"), ALL)
def test_it_files_and_answers_as_a_person_would_expect(
    alice: Person, name: str, case: dict[str, Any]
) -> None:
    wrong = faults(alice, case)
    if case["id"] in KNOWN_FAILURES[name]:
        assert wrong, "this case passes now: take it off the list of known failures"
    else:
        assert not wrong, (case["messages"], wrong)


@pytest.mark.parametrize("name", KNOWN_FAILURES)
def test_it_passes_the_share_that_is_stated(name: str) -> None:
    assert len(cases(name)) == 80
    assert 1 - len(KNOWN_FAILURES[name]) / 80 >= SHARE_TO_PASS
