"""An agent's searches, as its tools make them: where it looks, with its own weights and second stage."""

from __future__ import annotations

import math
import uuid
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from agents import archives
from agents.models import Agent, LanguageModel, MainContext
from agents.reranking import ModelRerank
from memory.models import IndexEntry
from memory.retrieval import ABANDONED, CURRENT, SUPERSEDED, Filters, Page, TagMode, Weights, search
from memory.retrieval.rerank import SecondStage, configured
from tenants import audit
from tenants.permissions import require_role

LIMIT = 10
WEIGHT_MOST = 10.0


class Stage(StrEnum):
    """Who ranks the best of what was found once more."""

    NONE = "none"
    ENDPOINT = "endpoint"
    MODEL = "model"


class BadSettings(Exception):
    """An agent cannot search like this."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.field = name


@dataclass(frozen=True)
class Settings:
    """How an agent searches: what counts how much, and its second stage."""

    weights: Weights = field(default_factory=Weights)
    second_stage: Stage = Stage.NONE


def settings_of(agent: Agent) -> Settings:
    """How an agent searches; what it leaves open is as everywhere."""
    held = agent.retrieval
    return Settings(_weights(held.get("weights", {})), Stage(held.get("second_stage", Stage.NONE)))


def stages_of(agent: Agent) -> list[Stage]:
    """The second stages that an agent can be given: those that somebody can answer for."""
    offered = {
        Stage.NONE: True,
        Stage.ENDPOINT: configured() is not None,
        # The offline model quotes by rules; it cannot tell which of two texts answers better.
        Stage.MODEL: agent.model.origin != LanguageModel.Origin.OFFLINE,
    }
    return [stage for stage, is_offered in offered.items() if is_offered]


def stage_of(agent: Agent) -> SecondStage | None:
    """An agent's second stage, ready to be asked; None where it has none, or has none any more."""
    wanted = settings_of(agent).second_stage
    return _ready(wanted, agent) if wanted in stages_of(agent) else None


def stage_for_once(wanted: Stage, agent: Agent | None) -> SecondStage | None:
    """A second stage that is asked for with one search. The model is the agent's, and only members spend it.

    Raises BadSettings where nobody can answer for it, NotAllowed.
    """
    if wanted == Stage.MODEL and agent is not None:
        require_role(agent.workspace_id, "member")
    offered = stages_of(agent) if agent else [Stage.ENDPOINT] if configured() else []
    found = _ready(wanted, agent) if wanted in offered else None
    if found is None and wanted != Stage.NONE:
        said = "Name the agent whose model is to rank." if wanted == Stage.MODEL and agent is None else ""
        raise BadSettings("rerank", said or f"There is no second stage {wanted.value!r} here.")
    return found


def _ready(stage: Stage, agent: Agent | None) -> SecondStage | None:
    if stage == Stage.MODEL and agent is not None:
        return ModelRerank.of(agent.model)
    return configured() if stage == Stage.ENDPOINT else None


def save_settings(
    agent_id: uuid.UUID, *, weights: Mapping[str, Any] | None = None, second_stage: str | None = None
) -> Settings:
    """Set how an agent searches; None leaves a field, and no weights at all are those of everywhere.

    Raises Agent.DoesNotExist, NotAllowed, BadSettings.
    """
    agent = Agent.objects.select_related("model").get(id=agent_id, retired_at=None)
    require_role(agent.workspace_id, "editor")
    wanted = dict(agent.retrieval)
    if weights is not None:
        weights_from(weights)
        wanted["weights"] = {name: float(value) for name, value in weights.items()}
    if second_stage is not None:
        if second_stage not in stages_of(agent):
            raise BadSettings("second_stage", f"It is one of {', '.join(stages_of(agent))}.")
        wanted["second_stage"] = second_stage
    if wanted != agent.retrieval:
        agent.retrieval = wanted
        agent.save(update_fields=["retrieval"])
        audit.record("agent.edited", agent, fields=["retrieval"])
    return settings_of(agent)


def search_messages(
    agent: Agent,
    query: str,
    *,
    limit: int = LIMIT,
    offset: int = 0,
    roles: Collection[str] | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    without: Collection[uuid.UUID] = (),
    stage: SecondStage | None = None,
    with_summaries: bool = False,
) -> Page:
    """Messages of the agent's chats that the present scope may see, those of branches that were left below
    the others. Raises BadQuery.

    `stage` is what `stage_of` answers, or that deferred. `with_summaries` looks through those of the chats
    too, such as stand. An empty query lists the newest.
    """
    place = of_messages(agent, with_summaries=with_summaries)
    filters = replace(place, roles=roles, since=since, until=until, without=without)
    return _search(agent, query, filters, limit, offset, stage)


def search_passages(
    agent: Agent,
    query: str,
    *,
    limit: int = LIMIT,
    offset: int = 0,
    tags: Collection[str] | None = None,
    tag_mode: TagMode = "any",
    since: datetime | None = None,
    until: datetime | None = None,
    blocks: Collection[uuid.UUID] | None = None,
    stage: SecondStage | None = None,
) -> Page:
    """Passages of the agent's archives that the present scope may see. Raises BadQuery.

    With `blocks`, also what does not hold any more: passages that were corrected, and text that has left
    these blocks. `stage` as for messages. An empty query lists the newest.
    """
    filters = replace(of_passages(agent), tags=tags or None, tag_mode=tag_mode, since=since, until=until)
    if blocks is not None:
        filters = _with_history(filters, blocks)
    return _search(agent, query, filters, limit, offset, stage)


def of_messages(agent: Agent, *, with_summaries: bool = False) -> Filters:
    """Where an agent's search of messages looks."""
    kinds = [IndexEntry.Kind.MESSAGE, *([IndexEntry.Kind.SUMMARY] if with_summaries else [])]
    return Filters(kinds=kinds, containers=chats_of(agent), states=[CURRENT, ABANDONED])


def of_passages(agent: Agent) -> Filters:
    """Where an agent's search of its archives looks."""
    return Filters(kinds=[IndexEntry.Kind.PASSAGE], containers=archives.archives_in_view(agent))


def chats_of(agent: Agent) -> list[uuid.UUID]:
    """The agent's chats in reach; not what else is said in a workspace from which it has a block."""
    return list(MainContext.objects.filter(agent=agent).values_list("conversation_id", flat=True))


def _with_history(filters: Filters, blocks: Collection[uuid.UUID]) -> Filters:
    return replace(
        filters,
        kinds=[IndexEntry.Kind.PASSAGE, IndexEntry.Kind.BLOCK],
        containers=[*(filters.containers or ()), *blocks],
        states=[CURRENT, SUPERSEDED],
    )


def _search(
    agent: Agent, query: str, filters: Filters, limit: int, offset: int, stage: SecondStage | None
) -> Page:
    weights = settings_of(agent).weights
    return search(query, filters, limit=limit, offset=offset, weights=weights, second_stage=stage)


def _weights(given: Mapping[str, float]) -> Weights:
    return replace(Weights(), **given)


def weights_from(given: Mapping[str, Any], base: Weights | None = None) -> Weights:
    """Weights with these in the place of some of `base`, or of those of everywhere. Raises BadSettings."""
    names = [each.name for each in fields(Weights)]
    if unknown := sorted(set(given) - set(names)):
        raise BadSettings("weights", f"There is no weight {unknown[0]!r}. There are {', '.join(names)}.")
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not _is_weight(value):
            raise BadSettings("weights", f"{name} is a number from 0 to {WEIGHT_MOST:g}.")
    found = replace(base or Weights(), **{name: float(value) for name, value in given.items()})
    if not any(asdict(found).values()):
        raise BadSettings("weights", "At least one weight is more than 0.")
    return found


def _is_weight(value: float) -> bool:
    return math.isfinite(value) and 0 <= value <= WEIGHT_MOST
