"""Why an agent's search did not find a record: asked as the agent asks, for records that the person names."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from agents import retrieval
from agents.inspector.in_prompt import Standing, standings
from agents.models import AgentArchive, MainContext
from memory.retrieval import BadQuery, Filters, Hit, search
from memory.retrieval.filters import SEARCHED_STATES
from memory.retrieval.why_not import WhyNot, why_not_each
from tenants.models import Workspace
from tenants.scope import current_scope

NAMED_MOST = 8
LOOKED_AT = 40  # records that mean about the same are not those that have the words


@dataclass(frozen=True)
class Explained:
    """A record that the person means, and what the agent's search makes of it; for core memory, which is not
    searched, how it stands to the prompt."""

    hit: Hit
    why: WhyNot
    standing: Standing | None = None


def explain(chat: MainContext, question: str, words: str) -> list[Explained]:
    """The records in the person's sight that have these words, each with why the agent of a chat, asking
    `question` there, did not find it, or that it did. Raises BadQuery."""
    if not words.strip():
        raise BadQuery("Say some words of the record that you miss.")
    everything = Filters(states=sorted(SEARCHED_STATES))
    alike = search(words, everything, limit=LOOKED_AT, record_access=False).hits
    meant = [hit for hit in alike if hit.parts.words][:NAMED_MOST]
    weights = retrieval.settings_of(chat.agent).weights
    found: dict[uuid.UUID, WhyNot] = {}
    for filters, keys in _looked_for(chat, meant):
        found |= why_not_each(question, filters, keys, limit=retrieval.LIMIT, weights=weights)
    standing = standings(chat, meant)
    return [Explained(hit, found[hit.id], standing.get(hit.id)) for hit in meant]


def _looked_for(chat: MainContext, meant: Sequence[Hit]) -> Iterator[tuple[Filters, list[uuid.UUID]]]:
    """Each search of a chat's agent with those records that it might find; those that none does, with that of
    the archives."""
    in_chats, in_archives = _looks(chat)
    chats = [hit.id for hit in meant if hit.kind in (in_chats.kinds or ())]
    yield in_chats, chats
    yield in_archives, [hit.id for hit in meant if hit.id not in chats]


def _looks(chat: MainContext) -> list[Filters]:
    """Where the agent's searches look in this chat."""
    agent, reach = chat.agent, _reach(chat)
    looks = [retrieval.of_messages(agent, with_summaries=True), retrieval.of_passages(agent)]
    return [replace(filters, workspaces=reach) for filters in looks]


def _reach(chat: MainContext) -> set[uuid.UUID]:
    """The workspaces that a turn of this chat sees: not the person's own, unless the chat lies there."""
    mine = current_scope()
    held = AgentArchive.objects.filter(agent=chat.agent).values_list("workspace_id", flat=True)
    organisation = mine.of_kind(Workspace.Kind.ORGANISATION)
    shared = {chat.agent.workspace_id, *held, *organisation} - {*mine.of_kind(Workspace.Kind.PERSONAL)}
    return {chat.workspace_id, *shared}
