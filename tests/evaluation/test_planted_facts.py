"""Facts planted among small talk and evicted: how many stand in a summary of 500 tokens."""

import json

import pytest

from agents.context.tokens import DEFAULT, tokenizer
from evaluation.planting import LANGUAGES, Planted, ceiling, planted
from tests.evaluation.test_the_command import run

count = tokenizer(DEFAULT).count


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fact_is_said_once_and_is_known_by_its_keys(language: str) -> None:
    given = planted(language)
    said = [words for words, _ in given.exchanges]
    assert len(given.facts) == 100
    for each in [*given.facts, *given.instructions, *given.changes]:
        assert each.stands_in(each.fact)
        assert sum(each.fact[1:] in words for words in said) == 1
    assert len({each.fact for each in given.facts}) == 100
    assert sum(count(words) for words in said) > 3_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_fact_is_known_by_what_another_one_says(language: str) -> None:
    given = planted(language)
    everything = "\n".join(each.fact for each in [*given.facts, *given.changes])
    for each in given.facts:
        others = everything.replace(each.fact, "")
        assert not each.stands_in(others), each.fact


def test_keys_in_two_lines_are_no_fact() -> None:
    fact = Planted("The oven runs 20 degrees too hot.", ("oven", "20 degrees"))
    assert fact.stands_in("The oven: 20 degrees too hot")
    assert not fact.stands_in("The oven is new\nIt has 20 degrees")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_ceiling_grows_with_the_tokens_up_to_all(language: str) -> None:
    given = planted(language)
    found = [ceiling(given, most, count) for most in (100, 500, 1_000, 10_000)]
    assert found == sorted(found)
    assert 40 < found[1] < 70
    assert found[-1] == 100


def test_most_of_what_can_stand_in_500_tokens_does(database: None) -> None:
    out, _ = run("summary", "--json")
    for found in json.loads(out)["languages"].values():
        assert found["tokens"] <= 500
        assert found["facts"] >= 45
        assert found["facts"] >= 0.85 * found["ceiling"]
        assert (found["instructions"], found["stale"]) == (5, 0)
        assert found["changed"] >= 4
