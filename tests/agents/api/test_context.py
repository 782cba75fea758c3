"""Programs see what a model saw, and what would be sent now."""

from __future__ import annotations

from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.llm.stub_server import StubServer
from tests.agents.stubbed import make_stubbed
from tests.cast import Cast

REMEMBER = calls(("core_memory_append", {"label": "human", "content": "Drinks tea."}))
LOOK = calls(("conversation_search", {"query": "tea"}))


def test_each_step_says_what_was_sent_and_the_parts_sum_to_it(cast: Cast) -> None:
    alice = cast.alice
    with StubServer(REMEMBER, text("Noted."), LOOK, text("Tea.")) as server:
        stubbed = make_stubbed(alice, server)
        stubbed.say("I drink tea.")
        turn = stubbed.say("What do I drink?")
        chat = f"/api/v1/conversations/{stubbed.chat.conversation_id}/"
        steps = alice.api.get(f"/api/v1/turns/{turn.id}/").json()["steps"]
        said = [alice.api.get(f"{chat}steps/{step['id']}/context/").json() for step in steps]
        for step, window in zip(steps, said, strict=True):
            assert window["exact"] is True
            assert window["used"] == step["counted_tokens"]
            assert (
                sum(part["tokens"] for part in window["parts"] if part["kind"] != "reserve") == window["used"]
            )
            assert window["used"] + window["parts"][-1]["tokens"] <= window["size"]
        assert said[0]["searches"] == []
        (search,) = said[1]["searches"]
        assert (search["tool"], search["query"]) == ("conversation_search", "tea")
        assert search["hits"][0]["shown"] is True
        human = next(part for part in said[1]["parts"] if part["label"] == "human")
        assert "Drinks tea." in human["text"]
        now = alice.api.get(f"{chat}context/").json()
        assert (now["step"], now["exact"]) == (None, None)
        queue = next(part for part in now["parts"] if part["kind"] == "queue")
        assert [each["text"] for each in queue["messages"] if each["role"] == "user"] == [
            "I drink tea.",
            "What do I drink?",
        ]
        for stranger in (cast.bob, cast.charlie):
            assert stranger.api.get(f"{chat}context/").status_code == 404
            assert stranger.api.get(f"{chat}steps/{steps[0]['id']}/context/").status_code == 404
