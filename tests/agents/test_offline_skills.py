"""The offline model loads the skill that the person's words are about, and says what stands there."""

import pytest

from agents import skills
from agents.models import Agent, Turn
from memory import core
from memory.models import Message
from memory.skills import create_skill
from tests.cast import Person, answer, new_agent, new_chat, send, work

REPORT = "1. Collect the figures. 2. Write five lines. 3. Send it on Friday."
SIGNING = "先算数字，再写五行，周五发出。"


@pytest.fixture
def agent(alice: Person) -> Agent:
    made = new_agent(alice)
    with alice.scope():
        for name, description, content in (
            ("weekly-report", "How we write the weekly report.", REPORT),
            ("releasing", "How a version is released.", "Build the wheel."),
            ("zhoubao", "周报的写法和格式。", SIGNING),
        ):
            skill = create_skill(
                workspace_id=alice.personal,
                name=name,
                description=description,
                content=content,
                actor=core.by_me(),
            )
            skills.attach(made.id, skill.id)
    return made


def said(person: Person, agent: Agent, words: str) -> tuple[str, list[str]]:
    """The answer, and the tools that were called for it."""
    turn = send(person, new_chat(person, agent), words)
    work(turn)
    return answer(person, turn), called(person, turn)


def called(person: Person, turn: Turn) -> list[str]:
    with person.scope():
        rows = Message.objects.filter(turn_id=turn.id, role="assistant").order_by("position")
        return [call["name"] for row in rows for call in row.tool_calls or []]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("How do I write the weekly report?", REPORT),
        ("Write the weekly report.", REPORT),
        ("What are the steps for releasing a version?", "Build the wheel."),
        ("周报怎么写？", SIGNING),
        ("如何写周报？", SIGNING),
        ("帮我写一份周报。", SIGNING),
    ],
)
def test_it_loads_the_skill_that_fits_and_quotes_it(
    alice: Person, agent: Agent, words: str, text: str
) -> None:
    answered, tools = said(alice, agent, words)
    assert "skill_load" in tools
    assert text in answered


@pytest.mark.parametrize(
    "words",
    ["When is my birthday?", "I live in Ghent.", "How do I make tea?", "我的生日是哪天？", "Hello!"],
)
def test_it_leaves_skills_alone_for_anything_else(alice: Person, agent: Agent, words: str) -> None:
    assert "skill_load" in said(alice, agent, "How do I write the weekly report?")[1]
    assert "skill_load" not in said(alice, agent, words)[1]


def test_what_stands_in_core_memory_comes_first(alice: Person, agent: Agent) -> None:
    said(alice, agent, "Our weekly report is due on Friday.")
    answered, tools = said(alice, agent, "When is our weekly report due?")
    assert "skill_load" not in tools
    assert "Friday" in answered
