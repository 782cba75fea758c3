"""Routes of the API that know agents, under /api/v1/."""

from __future__ import annotations

from django.urls import path

from agents.api import agent_blocks, agents, blocks, conversations, messages, turns

CHAT = "conversations/<uuid:conversation_id>/"
AGENT = "agents/<uuid:agent_id>/"
TURN = "turns/<uuid:turn_id>/"

urlpatterns = [
    path("agents/", agents.Agents.as_view(), name="api-agents"),
    path(AGENT, agents.AgentDetail.as_view(), name="api-agent"),
    path(f"{AGENT}deletion/", agents.AgentDeletionPreview.as_view(), name="api-agent-deletion"),
    path(f"{AGENT}return/", agents.AgentReturn.as_view(), name="api-agent-return"),
    path(f"{AGENT}blocks/", agent_blocks.AgentBlocks.as_view(), name="api-agent-blocks"),
    path(f"{AGENT}blocks/<uuid:block_id>/", agent_blocks.AgentBlockDetail.as_view(), name="api-agent-block"),
    path("models/", agents.Models.as_view(), name="api-models"),
    path("blocks/", blocks.Blocks.as_view(), name="api-blocks"),
    path("blocks/<uuid:block_id>/", blocks.BlockDetail.as_view(), name="api-block"),
    path("blocks/<uuid:block_id>/agents/", blocks.BlockAgents.as_view(), name="api-block-agents"),
    path("conversations/", conversations.Conversations.as_view(), name="api-conversations"),
    path(CHAT, conversations.ConversationDetail.as_view(), name="api-conversation"),
    path(f"{CHAT}messages/", messages.Messages.as_view(), name="api-messages"),
    path(TURN, turns.TurnDetail.as_view(), name="api-turn"),
    path(f"{TURN}stop/", turns.TurnStop.as_view(), name="api-turn-stop"),
    path(f"{TURN}retry/", turns.TurnRetry.as_view(), name="api-turn-retry"),
    path(f"{TURN}events/", turns.TurnEvents.as_view(), name="api-turn-events"),
]
