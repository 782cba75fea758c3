"""A conversation with the offline model without a database: its tools do to a dict what the real ones do."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from agents.llm.base import Finish, ModelRequest, TextDelta, ToolCallDelta
from agents.llm.offline.model import OfflineModel
from memory.measure import length
from memory.operations import Append, BlockError, Insert, Operation, Replace, Rethink

SYSTEM = "You are Ada, an agent with a memory of your own."
MEMORY_TOOLS = (
    "core_memory_append core_memory_replace memory_insert memory_replace memory_rethink "
    "conversation_search message_read "
    "archival_memory_insert archival_memory_search"
)
STEPS_AT_MOST = 8


@dataclass
class Block:
    """A block as the chat holds it."""

    value: str = ""
    description: str = "What you know about the person you talk with, and about their project."
    limit: int = 2000
    read_only: bool = False
    proposes: bool = False
    unit: str = "characters"


@dataclass
class Said:
    """What one turn came to: the words, and every call with its result."""

    text: str
    calls: list[tuple[str, dict[str, Any], dict[str, Any]]]
    steps: int

    @property
    def names(self) -> list[str]:
        return [name for name, _arguments, _result in self.calls]

    @property
    def searches(self) -> list[str]:
        return [name for name in self.names if name.endswith("_search")]

    @property
    def wrote(self) -> bool:
        return any(
            result["status"] == "ok"
            for name, _arguments, result in self.calls
            if not name.endswith(("_search", "_read"))
        )


@dataclass
class Chat:
    """Talk with `chat("...")`. `window` is how many of the last messages stay in view; `broken` tools answer
    with an error, `refused` ones with what is told of a person's no; `told_limit` is what the prompt says of
    limits; `news` is what the next turn is told first.
    """

    blocks: dict[str, Block] = field(
        default_factory=lambda: {"persona": Block(description="Who you are."), "human": Block()}
    )
    tools: str = f"send_message {MEMORY_TOOLS}"
    window: int = 1000
    pressure: bool = False
    model: OfflineModel = field(default_factory=OfflineModel)
    messages: list[dict[str, Any]] = field(default_factory=list)
    archive: list[str] = field(default_factory=list)
    broken: dict[str, str] = field(default_factory=dict)
    refused: dict[str, dict[str, Any]] = field(default_factory=dict)
    news: str = ""
    told_limit: int = 0
    now: str = "2026-11-30 14:02"
    ids: list[str] = field(default_factory=list)
    proposals: int = 0

    def __call__(self, words: str) -> Said:
        self.messages.append(
            {"role": "user", "content": words, "day": f"2026-11-{len(self.messages) % 28 + 1:02}"}
        )
        if self.news:
            self.messages.append({"role": "system", "content": self.news})
            self.news = ""
        said = Said("", [], 0)
        while not said.text:
            said.steps += 1
            assert said.steps <= STEPS_AT_MOST, f"no end of it: {said.calls}"
            text, calls = self.step()
            message = {"role": "assistant", "content": text or None}
            self.messages.append(message | ({"tool_calls": calls} if calls else {}))
            said.text = text
            for call in calls:
                self._run(call, said)
        return said

    @property
    def human(self) -> list[str]:
        return self.lines("human")

    def lines(self, label: str) -> list[str]:
        return [line for line in self.blocks[label].value.split("\n") if line]

    def step(self) -> tuple[str, list[dict[str, Any]]]:
        """One model call, put together from its deltas."""
        text, calls, finished = "", {}, False
        for delta in self.model.stream(self.request()):
            if isinstance(delta, TextDelta):
                text += delta.text
            elif isinstance(delta, ToolCallDelta):
                call = calls.setdefault(
                    delta.index, {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}
                )
                call["id"] += delta.id
                call["function"]["name"] += delta.name
                call["function"]["arguments"] += delta.arguments
            finished = finished or isinstance(delta, Finish)
        assert finished
        return text, [calls[index] for index in sorted(calls)]

    def request(self) -> ModelRequest:
        out = max(len(self.messages) - self.window, 0)
        last = max(place for place, one in enumerate(self.messages) if one["role"] == "user")
        queue = [{k: v for k, v in one.items() if k != "day"} for one in self.messages[min(out, last) :]]
        system = {"role": "system", "content": f"{SYSTEM}\n\n{self._core()}"}
        tools = [
            {"type": "function", "function": {"name": name, "parameters": {}}} for name in self.tools.split()
        ]
        return ModelRequest(
            "offline", [system, *queue, {"role": "system", "content": self._status(out)}], tools
        )

    def _core(self) -> str:
        blocks = []
        for label, block in self.blocks.items():
            marks = ' read_only="true"' if block.read_only else ""
            marks += ' propose="true"' if block.proposes else ""
            used = f'used="{length(block.value, block.unit)}" limit="{self.told_limit or block.limit}"'
            used += f' unit="{block.unit}"{marks}'
            value = block.value.replace("<value", "&lt;value").replace("</value", "&lt;/value")
            blocks.append(
                f'<block label="{label}" {used}>\n<description>{block.description}</description>\n<valu'
                f"e>\n{value}\n</value>\n</block>"
            )
        return "\n".join(["<core_memory>", *blocks, "</core_memory>"])

    def _status(self, out: int) -> str:
        lines = [
            f"now: {self.now} (Monday) Asia/Shanghai",
            f"recall: {out} earlier messages are out of this window",
        ]
        lines += [f"archive: {len(self.archive)} passages", "window: 3100 of 4000 tokens (78 %)"]
        lines += ["pressure: this window is nearly full. Save what matters now."] if self.pressure else []
        return "\n".join(["<status>", *lines, "</status>"])

    def _run(self, call: dict[str, Any], said: Said) -> None:
        name, arguments = call["function"]["name"], json.loads(call["function"]["arguments"])
        assert call["id"] not in self.ids, "an id was used twice"
        self.ids.append(call["id"])
        if name == "send_message":
            said.text = arguments["message"]
            result: dict[str, Any] = {"status": "ok"}
        else:
            result = self._result(name, arguments)
            said.calls.append((name, arguments, result))
        content = json.dumps(result, ensure_ascii=False)
        self.messages.append({"role": "tool", "tool_call_id": call["id"], "content": content})

    def _result(self, name: str, given: dict[str, Any]) -> dict[str, Any]:
        if name in self.refused:
            return self.refused[name]
        if name in self.broken:
            return {"status": "error", "error": self.broken[name]}
        if name == "conversation_search":
            return self._recall(given)
        if name == "message_read":
            return {
                "status": "ok",
                "id": given["id"],
                "role": "user",
                "date": "2026-11-01",
                "content": "我不吃香菜",
            }
        if name == "archival_memory_insert":
            self.archive.append(given["content"])
            return {"status": "ok", "id": "a"}
        if name == "archival_memory_search":
            hits = [text for text in self.archive if _shares(given["query"], text)]
            return {
                "status": "ok",
                "results": [
                    {"id": "a", "content": text, "tags": [], "date": "2026-10-09 10:00"} for text in hits
                ],
            }
        return self._operate(given["label"], _operation(name, given))

    def _operate(self, label: str, operation: Operation) -> dict[str, Any]:
        block = self.blocks[label]
        if block.read_only:
            return {"status": "error", "error": "This block is read-only. Only a person can change it."}
        try:
            value = operation.apply(block.value)
        except BlockError as error:
            return {"status": "error", "error": str(error)}
        if length(value, block.unit) > block.limit:
            room = block.limit - length(block.value, block.unit)
            return {
                "status": "error",
                "error": f"The block would pass its limit of {block.limit}.",
                "room": room,
            }
        if block.proposes:
            self.proposals += 1
            return {
                "status": "proposed",
                "label": label,
                "proposal": f"p{self.proposals}",
                "message": "Not yet.",
            }
        block.value = value
        return {"status": "ok", "label": label, "version": 2, "used": len(value), "limit": block.limit}

    def _recall(self, given: dict[str, Any]) -> dict[str, Any]:
        said = [one for one in self.messages if one["role"] == "user"][:-1][::-1]
        hits = [one for one in said if not given["query"] or _shares(given["query"], one["content"])]
        limit, page = given.get("limit", 10), given.get("page", 1)
        results = [
            {"id": "m", "role": "user", "date": one["day"], "content": one["content"]}
            for one in hits[(page - 1) * limit : page * limit]
        ]
        return {"status": "ok", "results": results, "page": page, "total": len(hits)}


def _operation(name: str, given: dict[str, Any]) -> Operation:
    if name == "core_memory_append":
        return Append(given["content"])
    if name == "memory_insert":
        return Insert(given["new_string"], given.get("insert_line", -1))
    if name == "memory_rethink":
        return Rethink(given["new_memory"])
    if name == "core_memory_replace":
        return Replace(given["old_content"], given["new_content"])
    return Replace(given["old_string"], given["new_string"])


def _shares(query: str, text: str) -> bool:
    """Any word of the query, or any two neighbouring characters of a Chinese one."""
    text = text.lower()
    words = query.lower().split()
    pairs = [
        word[place : place + 2] for word in words if not word.isascii() for place in range(len(word) - 1)
    ]
    return any(word in text for word in [*words, *pairs])
