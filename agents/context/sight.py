"""What a prompt is made of, read once: the rest of compiling looks at nothing but this."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils import timezone

from agents import archives, skills
from agents.context import attached, queue_manager
from agents.context.settings import ContextSettings, settings_of
from agents.context.speakers import is_shared, speaker_in
from agents.context.tokens import Tokenizer, tokenizer
from agents.core_memory import CoreBlock, agent_blocks, blocks_in_chat, blocks_in_view
from agents.models import Agent, MainContext, Turn
from agents.tools import catalog, rules
from memory.models import Message, Skill
from tenants.ids import uuid7
from tenants.models import Workspace
from tenants.scope import current_scope


@dataclass(frozen=True)
class Sight:
    """A chat at one moment, as its agent is to see it. `present` is where the exchange begins that is under
    way, `before` what the call before was sent. One that is not `is_corrected` counts as if nobody had said
    that our counts are off."""

    context: MainContext
    settings: ContextSettings
    counter: Tokenizer
    is_shared: bool
    skills: Sequence[Skill]
    schemas: list[dict[str, Any]]
    blocks: Sequence[CoreBlock]
    messages: list[Message]
    attached: Mapping[str, str]
    documents: tuple[str, ...]
    passages: int
    now: datetime
    speaker: str = ""
    rules: tuple[str, ...] = ()
    present: int | None = None
    before: Mapping[str, Any] = field(default_factory=dict)
    is_corrected: bool = True

    @property
    def agent(self) -> Agent:
        """The agent that looks."""
        found: Agent = self.context.agent
        return found

    @property
    def size(self) -> int:
        """The whole window, in the tokens of whoever serves the model."""
        return self.agent.window_size

    @property
    def ratio(self) -> float:
        """How many tokens the provider counts for one of ours."""
        ratio: float = self.agent.model.usage_ratio
        return ratio if self.is_corrected else 1.0

    def ours(self, tokens: int) -> int:
        """So many tokens of the provider's, in ours, rounded down."""
        return int(tokens / self.ratio)


def of_turn(turn: Turn, before: Mapping[str, Any]) -> Sight:
    """What stands before the next model call of a turn."""
    agent = turn.context.agent
    messages = queue_manager.load(turn.context)
    return _sight(
        turn.context,
        blocks=blocks_in_view(agent, turn.user_id, turn.workspace_id, turn.reach),
        messages=messages,
        speaker=next((each.name for each in messages if each.id == turn.message_id), ""),
        said=[each for each in messages if each.turn_id == turn.id],
        present=turn.message.position,
        before=before,
    )


def of_chat(context: MainContext) -> Sight:
    """What would stand before the model if the present person spoke now."""
    return _sight(
        context,
        blocks=blocks_in_chat(context),
        messages=queue_manager.load(context),
        speaker=speaker_in(context.workspace_id),
    )


def of_agent(agent: Agent) -> Sight:
    """What would stand before the model in a new chat of the present person's own with an agent (with its
    model). There is no such chat."""
    own = next(iter(current_scope().of_kind(Workspace.Kind.PERSONAL)), agent.workspace_id)
    nowhere = MainContext(agent=agent, workspace_id=own, conversation_id=uuid7())
    return _sight(nowhere, blocks=agent_blocks(agent), messages=[])


def _sight(context: MainContext, said: Sequence[Message] = (), **fields: Any) -> Sight:
    """`said` is what was said in the present turn so far."""
    agent = context.agent
    known = skills.skills_in_view(agent)
    documents = attached.documents_in(context)
    schemas = catalog.schemas(with_skills=bool(known))
    offered = [schema["function"]["name"] for schema in schemas]
    return Sight(
        context=context,
        settings=settings_of(agent),
        counter=tokenizer(agent.model.tokenizer),
        is_shared=is_shared(context.workspace_id),
        skills=known,
        schemas=schemas,
        rules=tuple(rules.told(rules.of(agent, offered), said)),
        attached={str(key): line for key, line in attached.by_message(documents).items()},
        documents=attached.told(documents),
        passages=archives.passage_count(agent),
        now=timezone.localtime(),
        **fields,
    )
