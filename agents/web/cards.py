"""Blocks as cards of one agent, or of one chat: with the rule that holds there."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from agents import core_memory, services
from agents.core_memory import CoreBlock
from agents.models import Agent, MainContext
from memory.models import Block
from memory.web.cards import Card, card_of, may_of


def cards_in_chat(context: MainContext, seen: Sequence[CoreBlock]) -> list[Card]:
    """What the agent of a chat has in view, as cards that come back to this chat. One query."""
    return _cards(seen, f"?chat={context.conversation_id}")


def cards_of_agent(agent: Agent) -> list[Card]:
    """What an agent has in view outside of any chat."""
    return _cards(core_memory.agent_blocks(agent), f"?agent={agent.id}")


def card_in(block: Block, *, agent: str, chat: str) -> Card:
    """A block as a chat or an agent has it; as it is, where none is named, or this one does not have it.

    Raises Conversation.DoesNotExist, Agent.DoesNotExist.
    """
    cards: list[Card] = []
    if chat:
        context = services.open_chat(uuid.UUID(chat))
        cards = cards_in_chat(context, core_memory.blocks_in_chat(context))
    elif agent:
        cards = cards_of_agent(Agent.objects.get(id=uuid.UUID(agent)))
    return next((card for card in cards if card.block.id == block.id), card_of(block))


def _cards(seen: Sequence[CoreBlock], place: str) -> list[Card]:
    rows = Block.objects.select_related("workspace").in_bulk([each.block_id for each in seen])
    return [_card(rows[each.block_id], each, place) for each in seen if each.block_id in rows]


def _card(block: Block, seen: CoreBlock, place: str) -> Card:
    return Card(block, seen.used, may_of(block), seen.governance, place=place, is_lent=seen.is_lent)
