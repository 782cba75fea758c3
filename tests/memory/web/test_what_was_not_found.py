"""Lists of found texts say plainly what has the words, what is only near in meaning, and what neither is."""

from __future__ import annotations

import re

import pytest

from memory.embedding import embed_pending
from tests.cast import Person, ask, new_agent, new_chat
from tests.memory.web.filed import file, home, new_archive

OF_THE_FUTURE = "ffffffff-ffff-ffff-ffff-ffffffffffff"
MEANING_ONLY = "None of your words occurs here. These are the nearest in meaning."
AROUND = "Your words are not in it, but in what was said around it."


def shown(person: Person, address: str) -> str:
    answer = person.browser.get(home(person, address))
    assert answer.status_code == 200
    return answer.content.decode()


def embed(person: Person) -> None:
    while embed_pending(tenant_id=person.identity.tenant_id, workspace_id=person.personal, limit=100):
        pass


@pytest.fixture
def notes(alice: Person) -> Person:
    file(alice, new_archive(alice), "The roof leaks.", "The zebra fair is in May.", "Bread needs salt.")
    embed(alice)
    return alice


@pytest.mark.parametrize("page", ["search/", "archive/"])
def test_words_that_occur_nowhere_are_said_to_occur_nowhere(notes: Person, page: str) -> None:
    found = shown(notes, f"{page}?q=zebra")
    assert "1 with your words in it or beside it, others near in meaning" in found
    assert MEANING_ONLY not in found
    nothing = shown(notes, f"{page}?q=qwxyzzq")
    assert MEANING_ONLY in nothing
    assert "Bread needs salt." in nothing
    assert "with your words" not in nothing


def test_where_all_that_is_found_has_the_words_it_says_so(alice: Person) -> None:
    file(alice, new_archive(alice), "The roof leaks.", "The zebra fair is in May.")
    for page in ("search/", "archive/"):
        assert "1 with your words in it or beside it</p>" in shown(alice, f"{page}?q=zebra")
    assert "2 passages" in shown(alice, "archive/")


@pytest.mark.parametrize("page", ["search/", "archive/"])
def test_a_snapshot_of_the_future_is_taken_for_now(alice: Person, page: str) -> None:
    names = [
        f"{one} {other}" for one in ("red", "green", "blue", "pale", "dark", "new") for other in "abcdef"
    ]
    file(alice, new_archive(alice), *(f"The apple {name} is ripe." for name in names))
    found = shown(alice, f"{page}?q=apple&before={OF_THE_FUTURE}")
    (after,) = re.findall(r"page=2&amp;before=([0-9a-f-]{36})", found)
    assert after < OF_THE_FUTURE
    file(alice, new_archive(alice, "More"), "The apple pie is ready.")
    later = shown(alice, f"{page}?q=apple&page=2&before={after}")
    assert "36 with your words in them or beside them" in later


@pytest.mark.parametrize("before", ["zebra", "00000000-0000-0000-0000-000000000000", ""])
@pytest.mark.parametrize("page", ["search/", "archive/"])
def test_a_forged_snapshot_breaks_nothing(notes: Person, page: str, before: str) -> None:
    assert "</html>" in shown(notes, f"{page}?q=zebra&before={before}")


def test_a_hit_without_the_words_says_that_they_are_around_it(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    ask(alice, chat, "The code of the locker is ZX-4471.")
    ask(alice, chat, "I run the half marathon in Ghent.")
    found = shown(alice, "search/?q=ZX-4471&kind=chats")
    rows = [row for row in re.findall(r"<li.*?</li>", found, re.S) if "data-step" in row]
    having = [row for row in rows if "<mark>" in row]
    beside = [row for row in rows if AROUND in row]
    assert having
    assert beside
    assert not [row for row in having if AROUND in row]


def test_a_passage_says_that_the_words_are_in_its_tags(alice: Person) -> None:
    file(alice, new_archive(alice), "It leaks.", tags=["roof"])
    for page in ("search/", "archive/"):
        said = "Your words are not in it, but in its name, headings or tags."
        assert said in shown(alice, f"{page}?q=roof")
        assert said not in shown(alice, f"{page}?q=leaks")


def test_only_passages_that_share_words_are_similar(alice: Person) -> None:
    archive = new_archive(alice)
    texts = [f"The zebra fair of {town} is in May." for town in ("Ghent", "Lille", "Delft", "Basel")]
    first, *_ = file(alice, archive, *texts, "Bread needs salt.", "<script>alert(1)</script>")
    towns = ("Turin", "Bonn", "Graz")
    file(alice, archive, *(f"In {town} the zebra fair is rather small." for town in towns))
    embed(alice)
    page = shown(alice, f"archive/passages/{first.id}/")
    similar = page.partition("Similar passages")[2]
    assert similar.count('class="text"') == 5
    assert "zebra fair" in similar
    assert "Bread" not in similar
    assert "script>alert" not in similar.partition("</section>")[0].replace("&lt;", "<")
    (lonely,) = file(alice, archive, "Nobody plays the ocarina.")
    embed(alice)
    assert "Similar passages" not in shown(alice, f"archive/passages/{lonely.id}/")
