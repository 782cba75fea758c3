"""Why an agent did not find a record is told for the chat in which it looked."""

from __future__ import annotations

from agents.inspector.finding import explain
from agents.models import MainContext
from memory.retrieval.why_not import Reason
from tests.agents.llm.stub_behaviours import text
from tests.agents.llm.stub_server import StubServer
from tests.agents.stubbed import stub_model
from tests.cast import Cast, new_agent, new_chat, send, work


def test_it_is_asked_within_what_the_agent_reaches_in_that_chat(cast: Cast) -> None:
    alice = cast.alice
    with StubServer(text("I see."), text("I see.")) as server:
        model = stub_model(alice, server.url)
        agent = new_agent(alice, cast.team, model_id=model.id)
        ours, mine = new_chat(alice, agent, cast.team), new_chat(alice, agent)
        work(send(alice, mine, "The zebra is called Tom."))
        work(send(alice, ours, "The zebra is striped."))
        for chat, other in ((mine, ours), (ours, mine)):
            with alice.scope():
                context = MainContext.objects.select_related("agent__model").get(id=chat.id)
                found = explain(context, "zebra", "zebra")
                reasons = {
                    each.hit.container_id: each.why.reasons for each in found if each.hit.role == "user"
                }
            assert reasons[chat.conversation_id] == (Reason.FOUND,)
            is_private = other.conversation_id == mine.conversation_id
            assert (Reason.WORKSPACE in reasons[other.conversation_id]) == is_private
