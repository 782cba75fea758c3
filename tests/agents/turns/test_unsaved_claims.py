"""An answer that says "saved" where nothing was committed is marked, and no other is."""

import pytest

from agents.turns.claims import claims_saving
from memory.models import Message
from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.stubbed import Stubbed
from tests.cast import Person, send, work

SAYS_SO = [
    "I've saved that.",
    "I have noted your allergy.",
    "Okay, I’ve just remembered it for you!",
    "Saved!",
    "Got it, noted.",
    "Done. Saved to memory.",
    "I updated my memory.",
    "I've added your birthday to my memory.",
    "Your preferences have been saved.",
    "It has been recorded in my notes.",
    "I'll remember that.",
    "Thanks! I will keep that in mind.",
    "好的，我记住了。",
    "记下了！",
    "已保存。",
    "我已经帮你记录好了。",
    "已为您保存到记忆里。",
    "好，帮你记下来了。",
    "我会记住的。",
    "没问题。我已经更新了你的资料。",
]
SAYS_NOTHING_OF_THE_KIND = [
    "I could not save that.",
    "I haven't saved it.",
    "Nothing was saved.",
    "I was unable to store this.",
    "Should I save this?",
    "Did you mean that I saved it?",
    "I saved that earlier.",
    "I have already noted that.",
    'You said: "I\'ve saved the file".',
    "Use `print('Saved!')` there.",
    "```\nSaved.\n```",
    "You saved a lot of money.",
    "The noted author lives in Ghent.",
    "If you like, I can save it.",
    "Remember to save the file.",
    "You don't eat coriander.",
    "我没能保存。",
    "我无法记住这些。",
    "需要我记住吗？",
    "你之前说过，我早就记下了。",
    "你已经保存了这个文件。",
    "请记住带伞。",
    "他说“我记住了”。",
    "你不吃香菜。",
    "",
]


@pytest.mark.parametrize("words", SAYS_SO)
def test_it_hears_a_claim(words: str) -> None:
    assert claims_saving(words)


@pytest.mark.parametrize("words", SAYS_NOTHING_OF_THE_KIND)
def test_it_hears_no_claim_in_other_words(words: str) -> None:
    assert not claims_saving(words)


@pytest.mark.parametrize("words", ["I've saved that.", "好的，我记住了。"])
def test_it_marks_an_answer_that_saved_nothing(alice: Person, stubbed: Stubbed, words: str) -> None:
    stubbed.queue(text(words))
    assert marked(alice, stubbed) == [True]


def test_it_marks_an_answer_whose_write_was_refused(alice: Person, stubbed: Stubbed) -> None:
    write = ("core_memory_append", {"label": "nothing", "content": "tea"})
    stubbed.queue(calls(write, said="I've saved that."), text("Anything else?"))
    assert marked(alice, stubbed) == [True, False]


@pytest.mark.parametrize(
    "write",
    [
        ("core_memory_append", {"label": "human", "content": "Drinks tea."}),
        ("archival_memory_insert", {"content": "Drinks tea."}),
    ],
)
def test_it_does_not_mark_an_answer_that_saved(
    alice: Person, stubbed: Stubbed, write: tuple[str, dict[str, str]]
) -> None:
    stubbed.queue(calls(write), text("I've saved that."))
    assert marked(alice, stubbed) == [False, False]


def test_it_does_not_mark_a_turn_because_of_the_one_before(alice: Person, stubbed: Stubbed) -> None:
    write = ("core_memory_append", {"label": "human", "content": "Drinks tea."})
    stubbed.queue(calls(write), text("I've saved that."), text("I've saved that."))
    assert marked(alice, stubbed) == [False, False]
    assert marked(alice, stubbed) == [True]


def marked(alice: Person, stubbed: Stubbed) -> list[bool]:
    turn = send(alice, stubbed.chat, "I drink tea.")
    work(turn)
    with alice.scope():
        rows = Message.objects.filter(turn_id=turn.id, role="assistant").order_by("position")
        return list(rows.values_list("claims_unsaved", flat=True))
