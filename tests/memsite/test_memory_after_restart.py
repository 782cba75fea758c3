"""What was said and remembered is there after everything was killed and started again."""

from __future__ import annotations

import tempfile
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.memsite.embedded.launching import Launcher
from tests.memsite.embedded.test_the_whole_site import bootstrap, start

CASES = {
    "zh": ("我不吃香菜", "第 {} 条：今天的天气还可以，我们随便聊聊。", "你还记得我不吃什么吗", "香菜"),
    "en": (
        "I don't eat coriander",
        "Number {}: the weather is fine today, is it not?",
        "Do you remember what I don't eat?",
        "coriander",
    ),
}
OTHERS = 60


@pytest.fixture
def launcher() -> Iterator[Launcher]:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        with Launcher(Path(folder) / "data") as one:
            yield one


class Talk:
    """One conversation over the API."""

    def __init__(self, launcher: Launcher, made: dict[str, Any], conversation: str = "") -> None:
        base = f"http://127.0.0.1:{launcher.port}/api/v1"
        headers = {"Authorization": f"Bearer {made['api_key']}"}
        self.api = httpx.Client(base_url=base, headers=headers, timeout=60)
        self.id = conversation or self.post("/conversations/", agent=made["agent"])["id"]

    def close(self) -> None:
        self.api.close()

    def post(self, path: str, **body: Any) -> Any:
        answer = self.api.post(path, json=body)
        assert answer.status_code in {200, 201}, answer.text
        return answer.json()

    def say(self, text: str) -> list[dict[str, Any]]:
        """The messages of the turn."""
        body = self.post(f"/conversations/{self.id}/messages/", content=text, client_id=uuid.uuid4().hex)
        assert body["turn"]["status"] == "done"
        return list(body["messages"])


def spoken(messages: list[dict[str, Any]]) -> str:
    return "\n".join(each["content"] for each in messages if each["role"] == "assistant")


def tools(messages: list[dict[str, Any]]) -> set[str]:
    return {call["name"] for each in messages for call in each["tool_calls"]}


@pytest.mark.parametrize("language", CASES)
def test_it_remembers_after_everything_was_killed(launcher: Launcher, language: str) -> None:
    fact, other, question, wanted = CASES[language]
    start(launcher)
    made = bootstrap(launcher)
    talk = Talk(launcher, made)
    talk.api.patch(f"/agents/{made['agent']}/", json={"window": 4000}).raise_for_status()
    talk.say(fact)
    for number in range(OTHERS):
        talk.say(other.format(number))
    launcher.kill_everything()
    start(launcher)
    for conversation in (talk.id, ""):
        with closing(Talk(launcher, made, conversation)) as later:
            answer = later.say(question)
        assert wanted in spoken(answer)
        assert not tools(answer) & {"conversation_search", "archival_memory_search"}
    found = talk.api.get("/search/", params={"q": wanted, "kind": "message"}).json()
    talk.close()
    assert fact in {hit.get("content") or hit.get("text") for hit in found["results"]}
