"""What was said and remembered is there after everything was killed and started again."""

from __future__ import annotations

import tempfile
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from functools import partial
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


Talks = dict[str, tuple[dict[str, Any], Talk]]


def talk_long(launcher: Launcher, language: str) -> tuple[dict[str, Any], Talk]:
    """What was made for a tenant of this language, and its talk: a fact, and much else after it."""
    fact, other, _, _ = CASES[language]
    made = bootstrap(launcher, language)
    talk = Talk(launcher, made)
    talk.api.patch(f"/agents/{made['agent']}/", json={"window": 4000}).raise_for_status()
    talk.say(fact)
    for number in range(OTHERS):
        talk.say(other.format(number))
    return made, talk


@pytest.fixture(scope="module")
def talks() -> Iterator[tuple[Launcher, Talks]]:
    """A site that was killed with all that it runs after a talk in each language, and started again."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        Path(folder).chmod(0o755)
        launcher = stack.enter_context(Launcher(Path(folder) / "data"))
        start(launcher)
        with ThreadPoolExecutor() as pool:
            found = list(pool.map(partial(talk_long, launcher), CASES))
        for _, talk in found:
            stack.enter_context(closing(talk))
        launcher.kill_everything()
        start(launcher)
        yield launcher, dict(zip(CASES, found, strict=True))


@pytest.mark.parametrize("language", CASES)
def test_it_remembers_after_everything_was_killed(talks: tuple[Launcher, Talks], language: str) -> None:
    launcher, found_by = talks
    made, talk = found_by[language]
    fact, _, question, wanted = CASES[language]
    for conversation in (talk.id, ""):
        with closing(Talk(launcher, made, conversation)) as later:
            answer = later.say(question)
        assert wanted in spoken(answer)
        assert not tools(answer) & {"conversation_search", "archival_memory_search"}
    found = talk.api.get("/search/", params={"q": wanted, "kind": "message"}).json()
    assert fact in {hit.get("content") or hit.get("text") for hit in found["results"]}
