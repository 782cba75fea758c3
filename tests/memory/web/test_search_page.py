"""One search over everything, in one list, each hit with its exact place; nothing of anybody else's."""

from __future__ import annotations

import re
import uuid

import pytest

from memory import core, index, skills
from memory.documents import pipeline
from memory.models import Summary
from tests.cast import Cast, Person, ask, new_agent, new_chat
from tests.memory.remembering import new_conversation, remember
from tests.memory.web.filed import correct, file, home, moment, new_archive, upload
from tests.memory.web.pages import FRAGMENT, new_block, queries_of, write


def hits(person: Person, query: str, workspace_id: uuid.UUID | None = None) -> list[tuple[str, str]]:
    """Each hit of the page as its kind and its address, in their order."""
    page = person.browser.get(home(person, "search/", workspace_id) + query).content.decode()
    kinds = re.findall(r'<span class="tag[^"]*"><svg[^>]*>.*?</svg>\s*([\w ]+)</span>', page, re.S)
    addresses = re.findall(r'<a class="text" href="([^"]*)"', page)
    return list(zip(kinds, [each.replace("&amp;", "&") for each in addresses], strict=True))


@pytest.fixture
def told(alice: Person) -> dict[str, str]:
    """A zebra in everything that is remembered, and how the address of each begins."""
    chat = new_chat(alice, new_agent(alice))
    ask(alice, chat, "Our zebra is called Zoe.")
    archive = new_archive(alice)
    (passage,) = file(alice, archive, "A zebra has stripes.")
    block = new_block(alice, label="animals", value="We keep a zebra.")
    document = upload(alice, archive, "zoo.md", "# Zoo\n\nThe zebra eats hay.\n")
    pipeline.read(document.tenant_id, document.workspace_id, document.id)
    with alice.scope():
        skill = skills.create_skill(
            workspace_id=alice.personal,
            name="feed",
            description="How to feed a zebra.",
            content="Hay, twice a day.",
            actor=core.by_me(),
        )
    place = f"/w/{alice.personal}"
    return {
        "Chat": f"{place}/messages/",
        "Archive": f"{place}/archive/passages/{passage.id}/",
        "Memory block": f"{place}/memory/{block.id}/versions/1/",
        "Document": f"{place}/documents/{document.id}/?at=0#part-0",
        "Skill": f"{place}/skills/{skill.id}/",
    }


def test_it_finds_every_kind_at_its_exact_place(alice: Person, told: dict[str, str]) -> None:
    found = hits(alice, "?q=zebra")
    for kind, address in told.items():
        (place,) = {at for each, at in found if each == kind and at.startswith(address)}
        assert alice.browser.get(place.partition("#")[0], follow=True).status_code == 200


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        ("chats", "Chat"),
        ("blocks", "Memory block"),
        ("archive", "Archive"),
        ("documents", "Document"),
        ("skills", "Skill"),
    ],
)
def test_it_filters_by_kind(alice: Person, told: dict[str, str], kind: str, wanted: str) -> None:
    assert {each for each, _address in hits(alice, f"?q=zebra&kind={kind}")} == {wanted}


def test_it_filters_by_date(alice: Person, told: dict[str, str]) -> None:
    assert hits(alice, "?q=zebra&since=2020-01-01")
    assert hits(alice, "?q=zebra&until=2020-01-01") == []


def test_what_is_no_longer_current_is_marked_and_leads_to_what_is(alice: Person) -> None:
    block = new_block(alice, value="The deadline is in May.")
    write(alice, block, "The deadline is in June.")
    (passage,) = file(alice, new_archive(alice), "The deadline was moved to May.")
    after = correct(alice, passage, "The deadline was moved to July.")
    assert "May" not in str(hits(alice, "?q=deadline"))
    page = alice.browser.get(home(alice, "search/?q=deadline+may&state=superseded")).content.decode()
    assert "no longer current" in page
    assert f'/memory/{block.id}/">What stands now' in page
    (address,) = re.findall(r'href="([^"]*newest/)">What stands now', page)
    assert str(after.id) in alice.browser.get(address).headers["Location"]


def test_it_looks_here_or_everywhere_that_one_may_see(cast: Cast) -> None:
    file(cast.alice, new_archive(cast.alice, workspace_id=cast.team), "A zebra of the team.")
    file(cast.alice, new_archive(cast.alice), "A zebra of Alice's own.")
    assert len(hits(cast.alice, "?q=zebra")) == 1
    assert len(hits(cast.alice, "?q=zebra&where=everywhere")) == 2
    assert hits(cast.bob, "?q=zebra&where=everywhere") == []
    cast.let_bob_in("viewer")
    assert len(hits(cast.bob, "?q=zebra&where=everywhere")) == 1
    assert hits(cast.charlie, "?q=zebra&where=everywhere") == []


def test_it_says_what_it_does_and_what_it_did_not_find(alice: Person) -> None:
    file(alice, new_archive(alice), "The roof leaks.")
    assert "By words and by meaning." in alice.browser.get(home(alice, "search/")).content.decode()
    page = alice.browser.get(home(alice, "search/?q=roof")).content.decode()
    assert "<mark>roof</mark>" in page
    part = alice.browser.get(home(alice, "search/?q=roof"), headers=FRAGMENT).content.decode()
    assert "<html" not in part
    assert "<mark>roof</mark>" in part
    said = alice.browser.get(home(alice, "search/?q=roof&kind=skills")).content.decode()
    assert "Nothing here is like this." in said
    assert "Look everywhere I may see" in said


def test_five_hundred_passages_take_no_more_queries_than_thirty(alice: Person) -> None:
    archive = new_archive(alice)
    file(alice, archive, *(f"Note {number} about apples in crate {number}." for number in range(30)))
    few = queries_of(alice, home(alice, "search/?q=apples"))
    file(alice, archive, *(f"Note {number} about apples in crate {number}." for number in range(30, 500)))
    assert queries_of(alice, home(alice, "search/?q=apples")) <= few


def test_a_summary_is_shown_without_what_is_meant_for_the_model(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    mark = '[answered from documents; read it with message_read(id="01a22c3f-0000-7000-8000-000000000000")]'
    with alice.scope():
        made = Summary.objects.create(
            workspace_id=chat.workspace_id,
            conversation_id=chat.conversation_id,
            content=f"2026-11-30 user: a giraffe?\n2026-11-30 assistant: {mark}",
            from_position=1,
            to_position=2,
        )
        index.index_summary(made, hidden=False)
    page = alice.browser.get(home(alice, "search/?q=giraffe")).content.decode()
    assert "[answered from documents]" in page
    assert "message_read" not in page


@pytest.mark.parametrize("page", ["search/?q=deadline", "archive/?q=deadline"])
def test_a_contradiction_leads_to_the_other_hit_on_the_page(alice: Person, page: str) -> None:
    archive = new_archive(alice)
    one, other = file(alice, archive, "The deadline is 3 December.", "The deadline is 5 December.")
    shown = alice.browser.get(home(alice, page)).content.decode()
    links = re.findall(r'<a class="tag warn" href="#(hit-[\w-]+)">.*?contradicts (\w+),\s*<time', shown, re.S)
    assert sorted(links) == sorted((f"hit-{each.id}", archive.name) for each in (one, other))
    assert all(f'<li id="{place}"' in shown for place, _ in links)


def test_filters_without_words_list_the_newest_that_match(alice: Person) -> None:
    spoken = remember(alice, new_conversation(alice), "I like tea.", name="Melanie")
    notes = new_archive(alice)
    file(alice, notes, "Old roof.", occurred_at=moment("2026-01-02T10:00+00:00"))
    file(alice, notes, "New roof.", occurred_at=moment("2026-03-04T10:00+00:00"))
    page = alice.browser.get(home(alice, "search/?kind=archive")).content.decode()
    texts = re.findall(r'<a class="text"[^>]*>(.*?)</a>', page, re.S)
    assert [each.strip() for each in texts] == ["New roof.", "Old roof."]
    assert "The newest that match the filters" in page
    assert "2 records; no words were looked for" in page
    assert "with your words" not in page
    assert len(hits(alice, "?kind=archive&since=2026-02-01")) == 1
    assert "1 record; no words" in alice.browser.get(home(alice, "search/?until=2026-01-31")).content.decode()
    said_by = hits(alice, "?person=melanie")
    assert [kind for kind, _ in said_by] == ["Chat"]
    assert str(spoken.id) in said_by[0][1]
    said = alice.browser.get(home(alice, "search/?person=nobody")).content.decode()
    assert "Nothing here is like this." in said
    assert "By words and by meaning." not in said


def test_lists_without_words_have_pages(alice: Person) -> None:
    file(alice, new_archive(alice), *(f"Crate {number} holds apples." for number in range(25)))
    page = alice.browser.get(home(alice, "search/?kind=archive")).content.decode()
    (after,) = re.findall(r'href="(\?kind=archive&amp;page=2&amp;before=[^"]*)"', page)
    assert len(hits(alice, "?kind=archive")) == 20
    assert len(hits(alice, after.replace("&amp;", "&"))) == 5


def test_filters_without_words_show_nothing_of_anybody_else(cast: Cast) -> None:
    file(cast.alice, new_archive(cast.alice, workspace_id=cast.team), "A zebra of the team.")
    assert len(hits(cast.alice, "?kind=archive&where=everywhere")) == 1
    assert hits(cast.bob, "?kind=archive&where=everywhere") == []
    assert hits(cast.charlie, "?kind=archive&where=everywhere") == []
    cast.let_bob_in("viewer")
    assert len(hits(cast.bob, "?kind=archive&where=everywhere")) == 1
