"""Routes of the API that know agents, under /api/v1/."""

from __future__ import annotations

from django.urls import path

from agents.api import (
    agent_archives,
    agent_blocks,
    agents,
    approvals,
    blocks,
    branching,
    context,
    conversations,
    importing,
    messages,
    search,
    summaries,
    turns,
)

CHAT = "conversations/<uuid:conversation_id>/"
AGENT = "agents/<uuid:agent_id>/"
TURN = "turns/<uuid:turn_id>/"
APPROVAL = "approvals/<uuid:approval_id>/"
MESSAGE = "messages/<uuid:message_id>/"

urlpatterns = [
    path("agents/", agents.Agents.as_view(), name="api-agents"),
    path(AGENT, agents.AgentDetail.as_view(), name="api-agent"),
    path(f"{AGENT}deletion/", agents.AgentDeletionPreview.as_view(), name="api-agent-deletion"),
    path(f"{AGENT}return/", agents.AgentReturn.as_view(), name="api-agent-return"),
    path(f"{AGENT}blocks/", agent_blocks.AgentBlocks.as_view(), name="api-agent-blocks"),
    path(f"{AGENT}blocks/<uuid:block_id>/", agent_blocks.AgentBlockDetail.as_view(), name="api-agent-block"),
    path(f"{AGENT}archives/", agent_archives.AgentArchives.as_view(), name="api-agent-archives"),
    path(
        f"{AGENT}archives/<uuid:archive_id>/",
        agent_archives.AgentArchiveDetail.as_view(),
        name="api-agent-archive",
    ),
    path(f"{AGENT}skills/", agent_archives.AgentSkills.as_view(), name="api-agent-skills"),
    path(
        f"{AGENT}skills/<uuid:skill_id>/",
        agent_archives.AgentSkillDetail.as_view(),
        name="api-agent-skill",
    ),
    path("models/", agents.Models.as_view(), name="api-models"),
    path("blocks/", blocks.Blocks.as_view(), name="api-blocks"),
    path("blocks/<uuid:block_id>/", blocks.BlockDetail.as_view(), name="api-block"),
    path("blocks/<uuid:block_id>/agents/", blocks.BlockAgents.as_view(), name="api-block-agents"),
    path("conversations/", conversations.Conversations.as_view(), name="api-conversations"),
    path("conversations/import/", importing.ConversationsImport.as_view(), name="api-conversations-import"),
    path(f"{CHAT}indexing/", importing.ConversationIndexing.as_view(), name="api-conversation-indexing"),
    path("search/", search.Search.as_view(), name="api-search"),
    path(CHAT, conversations.ConversationDetail.as_view(), name="api-conversation"),
    path(f"{CHAT}messages/", messages.Messages.as_view(), name="api-messages"),
    path(f"{CHAT}context/", context.ContextNow.as_view(), name="api-context"),
    path(f"{CHAT}steps/<uuid:step_id>/context/", context.StepContext.as_view(), name="api-step-context"),
    path(f"{CHAT}summaries/", summaries.Summaries.as_view(), name="api-summaries"),
    path("summaries/<uuid:summary_id>/", summaries.SummaryDetail.as_view(), name="api-summary"),
    path(f"{MESSAGE}edit/", branching.MessageEdit.as_view(), name="api-message-edit"),
    path(f"{MESSAGE}siblings/", branching.MessageSiblings.as_view(), name="api-message-siblings"),
    path(f"{MESSAGE}switch/", branching.MessageSwitch.as_view(), name="api-message-switch"),
    path(f"{MESSAGE}left-memory/", branching.LeftMemory.as_view(), name="api-left-memory"),
    path(TURN, turns.TurnDetail.as_view(), name="api-turn"),
    path("approvals/", approvals.Approvals.as_view(), name="api-approvals"),
    path(APPROVAL, approvals.ApprovalDetail.as_view(), name="api-approval"),
    path(f"{APPROVAL}approve/", approvals.ApprovalApprove.as_view(), name="api-approval-approve"),
    path(f"{APPROVAL}reject/", approvals.ApprovalReject.as_view(), name="api-approval-reject"),
    path(f"{TURN}stop/", turns.TurnStop.as_view(), name="api-turn-stop"),
    path(f"{TURN}retry/", turns.TurnRetry.as_view(), name="api-turn-retry"),
    path(f"{TURN}events/", turns.TurnEvents.as_view(), name="api-turn-events"),
]
