"""After ranking: what says the same is one hit, contradictions come together, a budget names the rest."""

from __future__ import annotations

import pytest

from memory import archival, core
from memory.models import IndexEntry
from memory.operations import Rethink
from memory.retrieval import Budget, Filters, search
from memory.retrieval.sifting import Statement, says_otherwise, says_the_same
from tests.cast import Person
from tests.memory.remembering import new_block, new_conversation, operate, remember


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Alice lives in Ghent.", "alice lives in  Ghent"),
        (
            "We meet on Monday at 9 in the small room upstairs.",
            "We meet on Monday at 9 in the small room upstairs!",
        ),
        ("我住在根特。", "我住在根特"),
    ],
)
def test_texts_that_read_alike_say_the_same(one: str, other: str) -> None:
    assert says_the_same(Statement(one), Statement(other))
    assert not says_otherwise(Statement(one), Statement(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The deadline is on 3 December.", "The deadline is on 5 December."),
        ("The server listens on port 8080.", "The server listens on port 8081."),
        ("My sister lives in Ghent.", "My sister lives in Brussels."),
        ("I eat coriander.", "I do not eat coriander."),
        ("Bob can come.", "Bob can't come."),
        ("会议在三点开始。", "会议在四点开始。"),
        ("我吃香菜。", "我不吃香菜。"),
        ("密码是4512。", "密码是4513。"),
    ],
)
def test_texts_that_differ_in_what_tells_say_otherwise(one: str, other: str) -> None:
    assert says_otherwise(Statement(one), Statement(other))
    assert says_otherwise(Statement(other), Statement(one))
    assert not says_the_same(Statement(one), Statement(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I like tea in the morning.", "She plays the violin on Sundays."),
        ("The cat sleeps on the sofa.", "The dog sleeps on the carpet."),
        ("今天下雨。", "我们去看电影。"),
        ("Tea.", "Coffee."),
    ],
)
def test_texts_about_other_things_are_left_alone(one: str, other: str) -> None:
    assert not says_otherwise(Statement(one), Statement(other))
    assert not says_the_same(Statement(one), Statement(other))


def test_a_text_that_was_said_many_times_is_one_hit(alice: Person) -> None:
    said = [remember(alice, new_conversation(alice), "I live in Ghent.") for _ in range(30)]
    remember(alice, new_conversation(alice), "Ghent has a castle.")
    with alice.scope():
        assert IndexEntry.objects.filter(kind="message").count() == 31
        hits = search("Ghent", Filters(), limit=10).hits
    assert sorted(hit.text for hit in hits) == ["Ghent has a castle.", "I live in Ghent."]
    (one,) = (hit for hit in hits if hit.duplicates)
    assert {one.id, *one.duplicates} == {each.id for each in said}


def test_hits_that_contradict_come_together_and_name_each_other(alice: Person) -> None:
    for text in (
        "The deadline of the project is 3 December.",
        "The project has a deadline, and everybody in the project knows the deadline.",
        "The deadline of the project is 5 December.",
    ):
        remember(alice, new_conversation(alice), text)
    with alice.scope():
        hits = search("deadline of the project", Filters()).hits
    places = {hit.text: place for place, hit in enumerate(hits)}
    one, other = (hit for hit in hits if hit.contradicts)
    assert one.contradicts == [other.id]
    assert other.contradicts == [one.id]
    assert abs(places[one.text] - places[other.text]) == 1
    assert all(hit.occurred_at for hit in (one, other))


def test_a_budget_keeps_what_fits_and_names_the_rest(alice: Person) -> None:
    with alice.scope():
        archive = archival.create_archive(workspace_id=alice.personal, name="notes")
        for number in range(4):
            archival.insert_passage(
                archive, content=f"tea {number} " + "word " * (number * 10), tags=[], actor=core.by_me()
            )
        whole = search("tea", Filters())
        page = search("tea", Filters(), budget=Budget(25, lambda text: len(text.split())))
    assert len(whole.hits) == 4
    assert sum(len(hit.text.split()) for hit in page.hits) <= 25
    assert {hit.id for hit in whole.hits} == {hit.id for hit in page.hits} | {
        each.id for each in page.left_out
    }
    assert all((each.kind, each.title) == ("passage", "notes") for each in page.left_out)


def test_what_is_no_longer_current_never_stands_for_what_is(alice: Person) -> None:
    """A line that left a block and came back: the head is the hit, the old text is history."""
    block = new_block(alice, "drinks tea")
    operate(alice, block, Rethink("drinks coffee"))
    operate(alice, block, Rethink("drinks tea"))
    with alice.scope():
        now = search("drinks tea", Filters(kinds=["block"])).hits
        ever = search("drinks tea", Filters(kinds=["block"], states=["current", "superseded"])).hits
    assert [(hit.text, hit.is_current, hit.number) for hit in now] == [("drinks tea", True, 3)]
    assert {(hit.text, hit.is_current) for hit in ever} >= {("drinks tea", True), ("drinks coffee", False)}


def test_lines_of_a_list_are_no_contradictions(alice: Person) -> None:
    """Each differs from all the others as it should; two that say otherwise are marked all the same."""
    for number in range(10, 15):
        remember(alice, new_conversation(alice), f"Message number {number} of the weekly log is here.")
    for day in (3, 5):
        remember(alice, new_conversation(alice), f"The deadline of the project is {day} December.")
    with alice.scope():
        hits = search("message number weekly log, deadline of the project", Filters()).hits
    listed = [hit for hit in hits if "weekly log" in hit.text]
    others = [hit for hit in hits if "deadline" in hit.text]
    assert (len(listed), len(others)) == (5, 2)
    assert all(len(hit.contradicts) == 1 for hit in others)
    assert all(not hit.contradicts for hit in listed)
