"""Addresses of the agents' pages."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from agents.web import (
    access,
    agents,
    approvals,
    attached,
    block_edit,
    blocks,
    branching,
    chat,
    chat_files,
    chats,
    equipment,
    inspector,
    model_settings,
    oversight,
    removal,
    retirement,
    search_settings,
    skills,
    stream,
    summaries,
    tool_settings,
    turns,
    unsaving,
    window_settings,
)

_turn = [
    path("", turns.turn, name="turn"),
    path("events/", stream.events, name="turn-events"),
    path("retry/", turns.retry, name="turn-retry"),
    path("stop/", turns.withdraw, name="turn-stop"),
]

_approval = [
    path("", approvals.approval, name="approval"),
    path("approve/", approvals.approve, name="approval-approve"),
    path("reject/", approvals.reject, name="approval-reject"),
]

_chat: list[URLPattern | URLResolver] = [
    path("", chat.chat, name="chat"),
    path("messages/", chat.chat_messages, name="chat-messages"),
    path("news/", chat.news, name="chat-news"),
    path("panel/", chat.panel, name="chat-panel"),
    path("files/", chat_files.chat_file, name="chat-file"),
    path("stop/", turns.stop, name="chat-stop"),
    path("rename/", chats.rename, name="chat-rename"),
    path("pin/", chats.pin, name="chat-pin"),
    path("delete/", chats.delete, name="chat-delete"),
    path("restore/", chats.restore, name="chat-restore"),
    path("summaries/<uuid:summary>/", summaries.summary, name="summary"),
    path("summaries/<uuid:summary>/anew/", summaries.anew, name="summary-anew"),
    path("turns/<uuid:turn>/", include(_turn)),
    path("approvals/<uuid:approval>/", include(_approval)),
    path("context/", inspector.context, name="chat-context"),
    path("context/timeline/", inspector.timeline, name="chat-timeline"),
    path("context/compare/", inspector.comparison, name="chat-compare"),
    path("context/why/", inspector.why_not, name="chat-why"),
    path("messages/<uuid:message>/edit/", branching.edit_message, name="message-edit"),
    path("messages/<uuid:message>/switch/", branching.switch, name="chat-switch"),
    path("messages/<uuid:message>/undo-left/", branching.take_back, name="left-undo"),
]

_agent = [
    path("", agents.agent, name="agent"),
    path("settings/", agents.settings, name="agent-settings"),
    path("blocks/new/", agents.new_agent_block, name="agent-block-new"),
    path("equipment/", equipment.equipment, name="agent-equipment"),
    path("archives/attach/", equipment.attach_archive, name="agent-archive-attach"),
    path("archives/<uuid:archive>/detach/", equipment.detach_archive, name="agent-archive-detach"),
    path("skills/attach/", equipment.attach_skill, name="agent-skill-attach"),
    path("skills/<uuid:skill>/detach/", equipment.detach_skill, name="agent-skill-detach"),
    path("search/", search_settings.search_settings, name="agent-search"),
    path("window/", window_settings.window_settings, name="agent-window"),
    path("tools/", tool_settings.tool_settings, name="agent-tools"),
    path("retire/", retirement.retire, name="agent-retire"),
    path("return/", retirement.bring_back, name="agent-return"),
]

_models = [
    path("", model_settings.models, name="models"),
    path("new/", model_settings.new_provider, name="provider-new"),
    path("providers/<uuid:provider>/", model_settings.provider, name="provider"),
    path("providers/<uuid:provider>/remove/", model_settings.remove_provider, name="provider-remove"),
    path("providers/<uuid:provider>/models/new/", model_settings.new_model, name="model-new"),
    path("<uuid:model>/", model_settings.model, name="model"),
    path("<uuid:model>/remove/", model_settings.remove_model, name="model-remove"),
    path("<uuid:model>/test/", model_settings.test_model, name="model-test"),
]

_block = [
    path("", block_edit.block, name="block"),
    path("card/", block_edit.card, name="block-card"),
    path("versions/<int:number>/unsave/", unsaving.unsave, name="block-unsave"),
    path("access/", access.access, name="block-access"),
    path("delete/", removal.delete, name="block-delete"),
    path("return/", removal.bring_back, name="block-return"),
    path("attached/", attached.attached, name="block-attached"),
    path("attached/share/", attached.share, name="block-share"),
    path("attached/unshare/", attached.unshare, name="block-unshare"),
    path("attached/<uuid:agent>/attach/", attached.attach, name="block-attach"),
    path("attached/<uuid:agent>/detach/", attached.detach, name="block-detach"),
    path("attached/<uuid:agent>/rule/", attached.override, name="block-rule"),
    path("attached/<uuid:agent>/lend/", attached.lend, name="block-lend"),
]

_skill = [
    path("", skills.skill, name="skill"),
    path("versions/", skills.versions, name="skill-versions"),
    path("versions/<int:number>/", skills.version, name="skill-version"),
    path("versions/<int:number>/restore/", skills.restore, name="skill-restore"),
    path("delete/", skills.delete, name="skill-delete"),
    path("return/", skills.bring_back, name="skill-return"),
]

_workspace: list[URLPattern | URLResolver] = [
    path("", chats.workspace, name="workspace"),
    path("chats/", chats.chat_list, name="chat-list"),
    path("c/new/", chat.new_chat, name="chat-new"),
    path("c/new/files/", chat_files.new_chat_file, name="chat-file-new"),
    path("c/<uuid:conversation>/", include(_chat)),
    path("messages/<uuid:message>/", chat.message, name="message"),
    path("agents/", agents.agents, name="agents"),
    path("agents/new/", agents.new_agent, name="agent-new"),
    path("agents/<uuid:agent>/", include(_agent)),
    path("skills/", skills.skill_list, name="skills"),
    path("skills/new/", skills.new_skill, name="skill-new"),
    path("skills/<uuid:skill>/", include(_skill)),
    path("memory/", blocks.blocks, name="blocks"),
    path("memory/new/", blocks.new_block, name="block-new"),
    path("memory/<uuid:block>/", include(_block)),
    path("settings/models/", include(_models)),
    path("settings/people/<uuid:membership>/chats/", oversight.member_chats, name="member-chats"),
    path(
        "settings/people/<uuid:membership>/chats/<uuid:conversation>/",
        oversight.member_chat,
        name="member-chat",
    ),
]

urlpatterns = [path("w/<workspace:workspace>/", include(_workspace))]
