"""memsite's own sets are what they say: whole, varied, their paraphrases free of the evidence's words."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from evaluation.own_sets import KINDS, read_own, read_set
from evaluation.samples import Malformed, Sample

HAN = re.compile("[\u4e00-\u9fff]+")
LATIN = re.compile(r"[A-Za-z0-9][\w.-]*")
# Words that say nothing of what a text is about.
SMALL = frozenset(
    (
        "a",
        "an",
        "and",
        "at",
        "by",
        "for",
        "had",
        "have",
        "her",
        "how",
        "in",
        "is",
        "it",
        "of",
        "on",
        "or",
        "she",
        "the",
        "to",
        "up",
        "us",
        "was",
        "what",
        "who",
        "why",
    )
)


@pytest.fixture(scope="module")
def chinese() -> Sample:
    return read_own("chinese")


@pytest.fixture(scope="module", params=sorted(KINDS))
def any_set(request: pytest.FixtureRequest) -> Sample:
    return read_own(request.param)


def texts(sample: Sample) -> dict[str, str]:
    return {line.id: line.text for chat in sample.chats for line in chat.lines}


def pieces(text: str) -> set[str]:
    """Every two characters of Han that stand together, and every word in Latin letters or digits."""
    han = {run[place : place + 2] for run in HAN.findall(text) for place in range(len(run) - 1)}
    return han | {word.casefold() for word in LATIN.findall(text)} - SMALL


@pytest.mark.parametrize("name", ["chinese", "chinese_held_back"])
def test_there_are_enough_chats_and_questions(name: str) -> None:
    sample = read_own(name)
    assert len(sample.chats) >= 20
    assert len(sample.questions) >= 200
    assert all(26 <= len(chat.lines) <= 60 for chat in sample.chats)


def test_each_kind_is_asked_often_enough_also_where_evidence_stands_alone(chinese: Sample) -> None:
    alone = Counter(each.kind for each in chinese.questions if each.stands_alone)
    assert all(alone[kind] >= 40 for kind in KINDS["chinese"])
    assert any(not each.stands_alone for each in chinese.questions)


def test_the_smaller_english_set_has_sixty_questions() -> None:
    assert len(read_own("english").questions) >= 60


def test_only_the_kinds_are_asked_that_there_are(any_set: Sample) -> None:
    assert {each.kind for each in any_set.questions} == set(KINDS[any_set.name])


def test_each_chat_has_several_sittings_in_the_order_of_time(any_set: Sample) -> None:
    for chat in any_set.chats:
        assert len({line.session for line in chat.lines}) >= 3
        assert [line.at for line in chat.lines] == sorted(line.at for line in chat.lines)
        assert len({line.by for line in chat.lines}) == 2


def test_all_evidence_is_there_and_most_messages_are_none(any_set: Sample) -> None:
    known = texts(any_set)
    assert len(known) == any_set.messages
    evidence = {key for each in any_set.questions for key in each.evidence}
    assert all(each.evidence for each in any_set.questions)
    assert evidence <= set(known)
    assert len(evidence) < len(known) / 2


def test_nothing_is_asked_twice(any_set: Sample) -> None:
    assert max(Counter(each.text for each in any_set.questions).values()) == 1


def test_a_word_is_two_characters_alone(chinese: Sample) -> None:
    asked = [each.text for each in chinese.questions if each.kind == "word"]
    assert [word for word in asked if len(word) != 2 or not HAN.fullmatch(word)] == []


@pytest.mark.parametrize("name", ["chinese", "english"])
def test_a_paraphrase_shares_no_word_with_its_evidence(name: str) -> None:
    any_set = read_own(name)
    known = texts(any_set)
    shared = {
        each.text: pieces(each.text) & pieces(known[key])
        for each in any_set.questions
        if each.kind == "paraphrase"
        for key in each.evidence
    }
    assert {text: words for text, words in shared.items() if words} == {}
    # By the same look others do share words with their evidence.
    named = [each for each in any_set.questions if each.kind == "name"]
    assert any(pieces(each.text) & pieces(known[key]) for each in named for key in each.evidence)


def test_who_wrote_with_an_agent_is_told_from_the_agent(chinese: Sample) -> None:
    by = {(line.by, line.is_agents) for chat in chinese.chats for line in chat.lines}
    assert ("小忆", True) in by
    assert ("妈妈", False) in by
    assert len({name for name, _ in by}) == len(by)


def test_a_file_that_is_no_chat_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "chat.json").write_text('{"id": "x"}', encoding="utf-8")
    with pytest.raises(Malformed, match="is not a chat with questions"):
        read_set(tmp_path)
