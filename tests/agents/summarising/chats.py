"""A chat on a stub whose queue is full, and the background work on it."""

from __future__ import annotations

from agents import summarising
from agents.models import MainContext
from memory.models import Message, Summary
from tenants.scope import RowKey
from tests.agents.context.compiling import exchange
from tests.agents.llm.stub_server import StubServer
from tests.agents.stubbed import Stubbed, make_stubbed
from tests.cast import Person

ORDER = "Always give prices in pounds with two decimals."
FACTS = [
    "The boiler needs 1.5 bar of pressure.",
    "My dentist is Dr. Okafor on Keizersgracht 41.",
    "We decided to paint the kitchen sage green.",
    "My brother Tom works at Siemens in Erlangen.",
]
GOOD = """[instructions]
Always give prices in pounds with two decimals.
[facts]
The boiler: 1.5 bar of pressure.
Dentist: Dr. Okafor, Keizersgracht 41.
The kitchen will be sage green.
[open]
"""


def full_chat(alice: Person, server: StubServer, window: int = 4_000, exchanges: int = 24) -> Stubbed:
    """A chat with an order, some facts and much else, more than a window of that size has room for."""
    chat = make_stubbed(alice, server, window=window)
    for words in (ORDER, *FACTS):
        exchange(alice, chat.chat, words, "Noted.")
    for number in range(exchanges):
        exchange(alice, chat.chat, f"Story {number}: {'we walked and talked and laughed ' * 8}", "How nice.")
    fill(chat)
    return chat


def fill(chat: Stubbed) -> None:
    """Say that the queue is filling, as a turn does."""
    with chat.person.scope():
        MainContext.objects.filter(id=chat.chat.id).update(is_filling=True)


def take_up(chat: Stubbed) -> bool:
    """Do the background work on the chat's queue."""
    context = chat.chat
    return summarising.take_up(RowKey(context.tenant_id, context.workspace_id, context.id))


def mend(chat: Stubbed, summary: Summary) -> bool:
    """Do the background work on a summary, as if it were due now."""
    with chat.person.scope():
        Summary.objects.filter(id=summary.id).exclude(mend_at=None).update(mend_at=summary.created_at)
    return summarising.mend(RowKey(summary.tenant_id, summary.workspace_id, summary.id))


def current(chat: Stubbed) -> Summary:
    """The summary that stands in the window."""
    found = chat.context().summary
    assert found is not None
    return found


def fresh(chat: Stubbed, summary: Summary) -> Summary:
    """A summary as it is stored now."""
    with chat.person.scope():
        return Summary.objects.get(id=summary.id)


def contents(chat: Stubbed) -> list[str]:
    """Every message of the chat's recall."""
    with chat.person.scope():
        rows = Message.objects.filter(conversation_id=chat.chat.conversation_id)
        return list(rows.order_by("position").values_list("content", flat=True))
