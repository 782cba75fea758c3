"""A small sample through the whole path: imported, embedded, asked."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from evaluation import loading, measuring
from evaluation.samples import Chat, Line, Question, Sample
from memory.models import IndexEntry, Message
from tenants.scope import Identity, scope

SAID = [
    ("Ann", "I adopted a dog from the shelter on Elm Street."),
    ("Ben", "How lovely, what is it called?"),
    ("Ann", "Rex."),
    ("Ben", "My sister plays the cello in Lisbon."),
    ("Ann", "The boiler shows error E-4711 again."),
    ("Ben", "Call the plumber, Mr. Okafor."),
]


def sample(name: str = "small") -> Sample:
    start = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    lines = tuple(
        Line(f"D{day + 1}:{turn + 1}", str(day + 1), start + timedelta(days=day), *SAID[3 * day + turn])
        for day in range(2)
        for turn in range(3)
    )
    questions = (
        Question("What does the boiler show?", "single-hop", frozenset({"D2:2"})),
        Question("Where is Ben's sister?", "temporal", frozenset({"D2:1"})),
        Question("Which animal did Ann adopt?", "single-hop", frozenset({"D1:1"})),
    )
    return Sample(name, (Chat("A chat", lines),), questions, without_evidence=1)


def unheard(line: str) -> None:
    """Progress that nobody reads."""


def test_it_imports_embeds_and_asks(owner: Identity) -> None:
    heard: list[str] = []
    report = measuring.measure(owner, [sample()], say=heard.append)
    assert report["questions"] == 3
    assert report["recall"]["50"] == 100.0
    assert report["plain_bm25"]["questions"] == 3
    assert 0 < report["plain_bm25"]["recall"]["50"] <= 100
    assert report["messages"] == 6
    assert report["questions_without_evidence"] == 1
    assert report["not_embedded"] == 0
    assert {name: each["questions"] for name, each in report["kinds"].items()} == {
        "single-hop": 2,
        "temporal": 1,
    }
    assert "6 messages imported" in heard
    assert any("embedded" in line for line in heard)


def test_messages_are_what_the_product_stores(owner: Identity) -> None:
    loading.import_sample(owner, sample())
    loading.embed_all(owner, unheard)
    with scope(owner):
        stored = {each.external_id: each for each in Message.objects.all()}
        assert [stored[key].content for key in sorted(stored)] == [text for _, text in SAID]
        assert stored["D2:1"].created_at == datetime(2023, 5, 9, 13, 56, tzinfo=UTC)
        found = IndexEntry.objects.filter(kind=IndexEntry.Kind.MESSAGE)
        assert found.count() == 6
        assert all(each.vector is not None for each in found)
        assert {each.speaker for each in found} == {"Ann", "Ben"}


def test_each_conversation_is_searched_alone(owner: Identity) -> None:
    other = sample("other")
    other_lines = tuple(
        Line(f"X{line.id}", line.session, line.at, line.by, line.text) for line in other.chats[0].lines
    )
    chats = (Chat("Another chat", other_lines),)
    asked = Question("What does the boiler show?", "single-hop", frozenset({"XD2:2"}))
    report = measuring.measure(owner, [sample(), Sample("other", chats, (asked,))], say=unheard)
    # The same words are said in both; neither takes a place from the other.
    assert report["conversations"]["other"]["recall"]["5"] == 100.0
    assert report["conversations"]["small"]["questions"] == 3
    assert report["questions"] == 4


def test_fewer_questions_are_asked_where_that_is_wanted(owner: Identity) -> None:
    report = measuring.measure(owner, [sample()], most=2, say=unheard)
    assert report["questions"] == 2


def test_what_it_costs_is_counted(owner: Identity) -> None:
    report = measuring.measure(owner, [sample()], say=unheard)
    assert report["cpu_ms_per_query"]["app"] > 0
    assert set(report["cpu_seconds"]) == {"import", "embedding"}
    assert report["cpu_seconds"]["embedding"]["app"] > 0


def test_what_is_not_embedded_is_heard_of_in_the_notices(owner: Identity) -> None:
    """Rows that nobody has embedded are found by their words, and the report says so."""
    agent = loading.import_sample(owner, sample())
    asked = measuring.ask(owner, agent, sample(), sample().questions)
    assert sum(asked.notices.values()) > 0
    loading.embed_all(owner, unheard)
    again = measuring.ask(owner, agent, sample(), sample().questions)
    assert sum(again.notices.values()) == 0
