"""Chats that are compiled without a database: planning looks at nothing but what it is given."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from agents.context import recording
from agents.context.parts import Window
from agents.context.planning import plan_of, window_of
from agents.context.settings import settings_of
from agents.context.sight import Sight
from agents.context.tokens import tokenizer
from agents.core_memory import FREE, CoreBlock
from agents.models import Agent, LanguageModel, MainContext
from agents.tools import catalog
from memory.models import Message, Summary


class ChatInMemory:
    """A chat with an agent of two blocks; what a plan decides is done to it, as compiling does."""

    def __init__(self, size: int, settings: Mapping[str, Any], ratio: float = 1.0) -> None:
        self.place = uuid.uuid4()
        model = LanguageModel(window=size, tokenizer="o200k_base", usage_ratio=ratio)
        agent = Agent(name="Memo", model=model, context=dict(settings), workspace_id=self.place)
        self.context = MainContext(agent=agent, workspace_id=self.place)
        self.messages: list[Message] = []
        self.blocks = {"persona": "You are kind.", "human": ""}
        self.versions = dict.fromkeys(self.blocks, 1)
        self.before: dict[str, Any] = {}
        self.present = 0

    def write(self, label: str, value: str) -> None:
        """Change a block."""
        self.blocks[label] = value
        self.versions[label] += 1

    def ask(self, content: str) -> None:
        """What the person says: a turn begins."""
        self.present = self._say(role="user", content=content)

    def answer(self, content: str) -> None:
        """What the agent says, and the turn ends."""
        self._say(role="assistant", content=content)

    def call(self, *calls: tuple[str, str, str]) -> None:
        """Calls of one answer (tool, an argument, the result), and what the tools answered."""
        asked = [
            {"id": uuid.uuid4().hex[:9], "name": name, "arguments": json.dumps({"content": argument})}
            for name, argument, _ in calls
        ]
        self._say(role="assistant", content="", tool_calls=asked)
        for call, (name, _, result) in zip(asked, calls, strict=True):
            answer = json.dumps({"status": "ok", "content": result})
            self._say(role="tool", content=answer, name=name, tool_call_id=call["id"])

    def compile(self) -> Window:
        """The next prompt; what it evicts is folded into a summary that is as long as it may be."""
        plan = plan_of(self._sight())
        summary = None
        if plan.queue.evicted:
            last = plan.queue.evicted[-1].message.position or 0
            words = "word " * (plan.summary_most - 1)
            summary = Summary(content=words.strip(), to_position=last, workspace_id=self.place)
        made = window_of(plan, summary)
        if summary:
            self.context.summary, self.context.queue_from = summary, summary.to_position + 1
        self.context.cleared_to = max(self.context.cleared_to, plan.queue.form.cleared_to)
        self.before = recording.described(made)
        return made

    def _say(self, **fields: Any) -> int:
        position = len(self.messages) + 1
        self.messages.append(Message(position=position, turn_id=self.place, **fields))
        return position

    def _sight(self) -> Sight:
        agent = self.context.agent
        return Sight(
            context=self.context,
            settings=settings_of(agent),
            counter=tokenizer("o200k_base"),
            is_shared=False,
            skills=[],
            schemas=catalog.schemas(),
            blocks=[self._block(label) for label in self.blocks],
            messages=self.messages[self.context.queue_from - 1 :],
            attached={},
            documents=(),
            passages=0,
            now=timezone.now(),
            present=self.present,
            before=self.before,
        )

    def _block(self, label: str) -> CoreBlock:
        return CoreBlock(
            block_id=uuid.uuid5(self.place, label),
            label=label,
            description="What is known.",
            value=self.blocks[label],
            limit=2_000,
            unit="characters",
            version=self.versions[label],
            workspace_id=self.place,
            governance=FREE,
        )
