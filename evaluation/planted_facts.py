"""How many of a hundred planted facts stand in a summary made without a model, by the path of a turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agents.context.summaries import fold
from agents.context.tokens import DEFAULT, tokenizer
from agents.importing import import_conversation
from agents.models import Agent, MainContext
from evaluation.loading import new_agent
from evaluation.meter import Meter
from evaluation.planting import LANGUAGES, Plantation, ceiling, planted
from memory.importing import ImportedMessage
from memory.models import Message
from tenants.scope import Identity, scope

TOKENS, EVICTIONS = 500, 10


def measure(identity: Identity, tokens: int, evictions: int, say: Callable[[str], object]) -> dict[str, Any]:
    """The figures of each language: evicted in so many steps, into a summary of so many tokens."""
    found = {}
    for language in LANGUAGES:
        given = planted(language)
        agent = new_agent(identity, language)
        meter = Meter()
        summary = _folded(identity, agent, given, tokens, evictions)
        found[language] = _figures(given, summary, tokens) | {"cpu_seconds": meter.lap().in_seconds()}
        say(f"{language}: {found[language]['facts']} of {len(given.facts)}")
    return {"languages": found, "evictions": evictions}


def _folded(identity: Identity, agent: Agent, given: Plantation, tokens: int, evictions: int) -> str:
    lines = [
        ImportedMessage(role=role, content=words)
        for exchange in given.exchanges
        for role, words in zip(("user", "assistant"), exchange, strict=True)
    ]
    with scope(identity):
        import_conversation(agent.id, title=given.language, messages=lines)
        context = MainContext.objects.select_related("conversation", "agent__model", "summary").get(
            agent=agent
        )
        rows = Message.objects.filter(conversation=context.conversation)
        for part in _parts(list(rows.order_by("position")), evictions):
            context.summary = fold(context, part, tokens)
            context.queue_from = (part[-1].position or 0) + 1
        context.save()
        return str(context.summary.content)


def _parts(messages: Sequence[Message], count: int) -> list[Sequence[Message]]:
    """Messages in so many runs of whole exchanges."""
    exchanges = len(messages) // 2
    size = 2 * max(1, -(-exchanges // count))
    return [messages[place : place + size] for place in range(0, len(messages), size)]


def _figures(given: Plantation, summary: str, tokens: int) -> dict[str, Any]:
    count = tokenizer(DEFAULT).count
    return {
        "facts": sum(each.stands_in(summary) for each in given.facts),
        "planted": len(given.facts),
        "ceiling": ceiling(given, tokens, count),
        "instructions": sum(each.stands_in(summary) for each in given.instructions),
        "changed": sum(each.stands_in(summary) for each in given.changes),
        "stale": sum(each.stale in summary for each in given.changes),
        "tokens": count(summary),
        "evicted_tokens": sum(count(words) for exchange in given.exchanges for words in exchange),
        "lines": len(summary.splitlines()),
    }
