"""What only a person may allow is proposed, and called so; what became of it is passed on."""

import pytest

from agents.llm.offline.phrases import PHRASES
from agents.turns.claims import claims_saving
from tests.agents.llm.offline.chat import Block, Chat

NEWS = "[what became of your proposals]\n- proposal p1 (project: append “{}”): {}"


def team(value: str = "", **human: object) -> Chat:
    """A chat with a team's agent: the project's block belongs to the team, `human` to the person."""
    project = Block(value, description="Facts about the project.", proposes=True)
    return Chat(blocks={"persona": Block(proposes=True), "project": project, "human": Block(**human)})


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (
            "The deadline is June 30",
            "Proposed, not saved yet: “The deadline is June 30”. "
            "Somebody who may change that memory block has to approve it.",
        ),
        ("项目必须无损", "已提议，尚未写入记忆：“项目必须无损”。需要有权修改该记忆块的人批准。"),
    ],
)
def test_it_says_that_it_proposed_and_did_not_save(words: str, answer: str) -> None:
    chat = team()
    said = chat(words)
    assert said.names == ["core_memory_append"]
    assert said.text == answer
    assert chat.lines("project") == chat.human == []


def test_it_names_several_in_a_list() -> None:
    said = team()("The deadline is June 30. The budget is 5000 euros.")
    assert said.text.startswith("Proposed, not saved yet; somebody who may change")
    assert said.text.endswith("\n- The deadline is June 30\n- The budget is 5000 euros")


def test_what_somebody_tells_of_themselves_is_not_proposed_to_a_team() -> None:
    assert team()("I don't eat coriander").text == "Saved to memory: “I don't eat coriander”."
    said = team(read_only=True)("I don't eat coriander")
    assert said.names == ["archival_memory_insert"]


def test_it_proposes_for_a_block_of_the_persons_own_that_is_governed() -> None:
    said = Chat(blocks={"human": Block(proposes=True)})("I don't eat coriander")
    assert said.text.startswith("Proposed, not saved yet: “I don't eat coriander”.")


@pytest.mark.parametrize(
    ("line", "words", "answer"),
    [
        (
            "The deadline is June 30",
            "The deadline moved to July 15",
            "Proposed, not changed yet: “The deadline is June 30” becomes “The deadline moved to July 15”.",
        ),
        ("截止日期是 6 月 30 日", "截止日期改到 7 月 15 日", "已提议，尚未更改：“截止日期是 6 月 30 日”改为"),
        (
            "The deadline is June 30",
            "Forget the deadline",
            "I proposed to remove this from core memory: “The deadline is June 30”. It stays until",
        ),
        ("项目必须无损", "忘掉项目必须无损", "我提议从核心记忆中删除：“项目必须无损”。"),
    ],
)
def test_it_proposes_corrections_and_removals(line: str, words: str, answer: str) -> None:
    chat = team(line)
    said = chat(words)
    assert said.text.startswith(answer)
    assert len(said.calls) == 1
    assert chat.lines("project") == [line]


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("The deadline is June 30", "That is proposed already and still waits for approval: “The deadline"),
        ("项目必须无损", "这一条已经提议过，还在等待批准：“项目必须无损”。"),
    ],
)
def test_it_proposes_nothing_twice(words: str, answer: str) -> None:
    chat = team()
    chat(words)
    said = chat(words)
    assert said.calls == []
    assert said.text.startswith(answer)


@pytest.mark.parametrize(
    ("words", "outcome", "answer"),
    [
        (
            "Hello!",
            "approved by Alice; see version 2 of the block",
            "Alice approved what I proposed for the memory block project: “The deadline is June 30”.",
        ),
        (
            "Hello!",
            "rejected by Bob; their note: “Not decided yet.”",
            "Bob rejected what I proposed for the memory block project: “The deadline is June 30”. "
            "The note says: “Not decided yet.”.",
        ),
        ("你好", "approved by 李雷; see version 2 of the block", "李雷 批准了我对记忆块 project 的提议："),
        ("你好", "rejected by 李雷; their note: “还没定”", "李雷 拒绝了我对记忆块 project 的提议："),
        ("你好", "withdrawn by 李雷", "李雷 撤回了我对记忆块 project 的提议："),
    ],
)
def test_it_passes_on_what_became_of_it_and_once(words: str, outcome: str, answer: str) -> None:
    chat = team()
    chat("The deadline is June 30")
    chat.news = NEWS.format("The deadline is June 30", outcome)
    assert chat(words).text.startswith(answer)
    assert answer not in chat(words).text


def test_what_was_rejected_can_be_proposed_again() -> None:
    chat = team()
    chat("The deadline is June 30")
    chat.news = NEWS.format("The deadline is June 30", "rejected by Bob")
    chat("Hello!")
    assert chat("The deadline is June 30").names == ["core_memory_append"]


def test_it_does_not_keep_house_in_a_block_that_only_takes_proposals() -> None:
    chat = team("\n".join(f"Fact number {number} of the project" for number in range(60)))
    chat.blocks["project"].limit = 1900
    assert chat("Hello!").calls == []


def test_it_counts_room_in_the_blocks_own_unit() -> None:
    """Forty English words are many characters and few tokens."""
    chat = Chat(blocks={"human": Block("I like tea", limit=60, unit="tokens")})
    words = "I live in a small house by the river with my two brothers and their old dog"
    assert chat(words).text.startswith("Saved to memory")
    assert len(chat.blocks["human"].value) > 60


@pytest.mark.parametrize(
    "name", ["proposed", "proposed_many", "proposed_change", "proposed_removal", "waiting", "approved"]
)
def test_none_of_it_claims_that_something_was_saved(name: str) -> None:
    for text in PHRASES[name]:
        spoken = text.format("x", who="x", text="x", label="x", old="x", new="x")
        assert not claims_saving(spoken)
