"""What was said long ago is still known: from core memory with no search, and found in recall."""

import pytest

from tests.agents.llm.offline.chat import Chat

FILLERS = {
    "zh": [f"今天是第 {number} 次聊天，天气不错，我们聊了聊第 {number} 本书" for number in range(60)],
    "en": [
        f"Nice weather on walk number {number}, we talked about book number {number}" for number in range(60)
    ],
}


@pytest.mark.parametrize(
    ("fact", "language", "question", "named", "find"),
    [
        ("我不吃香菜", "zh", "你还记得我不吃什么吗", "香菜", "找一下我提到香菜的消息"),
        (
            "I don't eat coriander",
            "en",
            "Do you remember what I don't eat?",
            "coriander",
            "Find the message where I mentioned coriander",
        ),
    ],
)
def test_it_knows_the_first_fact_after_sixty_other_messages(
    fact: str, language: str, question: str, named: str, find: str
) -> None:
    chat = Chat(window=8)
    chat(fact)
    for words in FILLERS[language]:
        chat(words)
    said = chat(question)
    assert named in said.text
    assert said.calls == []
    said = chat(find)
    assert said.names == ["conversation_search"]
    assert fact in said.text
    chat.messages.clear()
    said = chat(question)
    assert named in said.text
    assert said.calls == []


def test_a_big_request_is_read_quickly_enough_to_stream() -> None:
    chat = Chat()
    for number in range(400):
        chat.messages.append(
            {"role": "user", "content": f"Message {number}: " + "we talked about the plan. " * 12}
        )
        chat.messages.append({"role": "assistant", "content": "I have read that. " * 12})
    chat.blocks["human"].value = "\n".join(f"I like thing number {number}" for number in range(70))
    assert chat("I don't eat coriander").steps == 2
