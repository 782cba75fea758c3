"""Asking questions of what was imported, through the function that the agents' tools search with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from agents.models import Agent
from agents.retrieval import search_messages
from evaluation import loading, metrics, plain
from evaluation.meter import NOTHING, Cost, Meter
from evaluation.samples import Question, Sample, first_questions
from tenants.scope import Identity, scope

MOST_FOUND = max(metrics.CUTS)
Say = Callable[[str], object]


@dataclass
class Asked:
    """What came of the questions of one sample, and what plain BM25 finds for them (`plainly`).

    `notices` counts what the searches had to say, by code.
    """

    sample: Sample
    answers: list[metrics.Answer] = field(default_factory=list)
    plainly: list[metrics.Answer] = field(default_factory=list)
    notices: Counter[str] = field(default_factory=Counter)
    cost: Cost = NOTHING

    @property
    def session_of(self) -> dict[str, str]:
        """The session of each message, under names that no other sample has."""
        return {self._named(key): self._named(session) for key, session in self.sample.sessions().items()}

    def named(self, answers: Sequence[metrics.Answer]) -> list[metrics.Answer]:
        """Some answers, with ids that no other sample has."""
        return [
            metrics.Answer(
                replace(each.question, evidence=frozenset(map(self._named, each.question.evidence))),
                tuple(map(self._named, each.found)),
            )
            for each in answers
        ]

    def _named(self, key: str) -> str:
        return f"{self.sample.name}/{key}"


def measure(
    identity: Identity, samples: Sequence[Sample], *, most: int | None = None, say: Say
) -> dict[str, Any]:
    """Import, embed, ask: the whole report of some samples. `most` limits the questions of each."""
    meter = Meter()
    agents = [loading.import_sample(identity, sample) for sample in samples]
    cost_of_import = meter.lap()
    say(f"{sum(sample.messages for sample in samples)} messages imported")
    loading.embed_all(identity, say)
    cost_of_embedding = meter.lap()
    asked = []
    for agent, sample in zip(agents, samples, strict=True):
        asked.append(ask(identity, agent, sample, first_questions(sample, most)))
        say(f"{sample.name}: {len(asked[-1].answers)} questions asked")
    report = _report(asked)
    report["cpu_seconds"] = {
        "import": cost_of_import.in_seconds(),
        "embedding": cost_of_embedding.in_seconds(),
    }
    report["not_embedded"] = loading.unembedded(identity)
    return report


def ask(identity: Identity, agent: Agent, sample: Sample, questions: Sequence[Question]) -> Asked:
    """Each question is one search of the agent's, for as many hits as the largest cut."""
    asked, meter = Asked(sample), Meter()
    for question in questions:
        with scope(identity):
            page = search_messages(agent, question.text, limit=MOST_FOUND)
        asked.answers.append(metrics.Answer(question, tuple(hit.external_id for hit in page.hits)))
        asked.notices.update(notice.code for notice in page.notices)
    asked.cost = meter.lap()
    asked.plainly = plain.answers(sample, questions, MOST_FOUND)
    return asked


def _report(asked: Sequence[Asked]) -> dict[str, Any]:
    answers = [answer for each in asked for answer in each.named(each.answers)]
    plainly = [answer for each in asked for answer in each.named(each.plainly)]
    session_of = {key: session for each in asked for key, session in each.session_of.items()}
    spent = sum((each.cost for each in asked), NOTHING)
    return {
        **metrics.figures(answers, session_of),
        "plain_bm25": metrics.figures(plainly, session_of),
        "kinds": metrics.by_kind(answers, session_of),
        "evidence": metrics.by_standing(answers, session_of),
        "conversations": {each.sample.name: _of_one(each) for each in asked},
        "messages": sum(each.sample.messages for each in asked),
        "questions_without_evidence": sum(each.sample.without_evidence for each in asked),
        "evidence_not_in_the_conversation": sum(each.sample.lost_evidence for each in asked),
        "notices": dict(sum((each.notices for each in asked), Counter())),
        "cpu_ms_per_query": spent.in_milliseconds(len(answers)),
    }


def _of_one(asked: Asked) -> dict[str, Any]:
    return {
        "messages": asked.sample.messages,
        "chats": len(asked.sample.chats),
        **metrics.figures(asked.answers, asked.sample.sessions()),
    }
