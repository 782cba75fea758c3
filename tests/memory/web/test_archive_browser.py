"""The archive browser: newest first, found by words and filters, with why; many deleted at once."""

from __future__ import annotations

import re
import uuid
from urllib.parse import urlencode

import pytest

from memory import archival, core
from memory.actors import Actor, ActorKind
from memory.archival import NewPassage
from memory.models import Archive
from tests.cast import Cast, Person
from tests.memory.web.filed import correct, file, home, moment, new_archive, now_of
from tests.memory.web.pages import FRAGMENT, queries_of


def said(person: Person, query: str = "") -> str:
    """The page that a query gives."""
    return person.browser.get(home(person, "archive/") + query).content.decode()


def found(person: Person, query: str = "", rest: str = "archive/", **options: uuid.UUID) -> list[str]:
    """The texts of the list, in their order, without marks."""
    page = person.browser.get(home(person, rest, **options) + query).content.decode()
    texts = re.findall(r'<a class="text"[^>]*>(.*?)</a>', page, re.S)
    return [re.sub(r"</?mark>", "", text).strip() for text in texts]


def filed_by_agent(person: Person, archive: Archive, text: str) -> None:
    with person.scope():
        actor = Actor(ActorKind.AGENT, uuid.uuid4(), "Memo")
        archival.insert_passages(archive, [NewPassage(text)], actor=actor)


def test_it_lists_the_newest_of_all_archives_first(alice: Person) -> None:
    notes, recipes = new_archive(alice), new_archive(alice, "Recipes")
    file(alice, notes, "The roof leaks.", occurred_at=moment("2026-01-02T10:00+00:00"))
    file(alice, recipes, "Miso soup needs dashi.", occurred_at=moment("2026-03-04T10:00+00:00"))
    assert found(alice) == ["Miso soup needs dashi.", "The roof leaks."]
    assert found(alice, f"?archive={notes.id}") == ["The roof leaks."]
    assert found(alice, rest=f"archive/{recipes.id}/") == ["Miso soup needs dashi."]
    assert found(alice, "?archive=nobody") == []


def test_each_archive_says_how_many_passages_stand_in_it(alice: Person) -> None:
    notes = new_archive(alice)
    first, *_rest = file(alice, notes, "One.", "Two.", "Three.")
    correct(alice, first, "One and a half.")
    new_archive(alice, "Empty")
    page = alice.browser.get(home(alice, "archive/")).content.decode()
    counts = re.findall(r'<span class="ellipsis">(\w+)</span> <span class="muted">(\d+)', page)
    assert counts == [("Empty", "0"), ("Notes", "3")]


def test_it_finds_by_words_marks_them_and_says_why(alice: Person) -> None:
    notes = new_archive(alice)
    file(
        alice,
        notes,
        "The roof leaks when it rains.",
        "周报用要点列表，发到计划频道。",
        "Miso soup needs dashi.",
    )
    page = alice.browser.get(home(alice, "archive/?q=leaking+roof")).content.decode()
    assert "<mark>roof</mark> <mark>leaks</mark>" in page
    score = int(re.findall(r"<strong>(\d+) %</strong>", page)[0])
    (parts,) = re.findall(r'<dl class="parts-of">(.*?)</dl>', page, re.S)[:1]
    assert sum(map(int, re.findall(r' value="(\d+)"', parts))) == score
    assert "<dt>Words</dt>" in parts
    assert found(alice, "?q=leaking+roof")[0] == "The roof leaks when it rains."
    page = alice.browser.get(home(alice, "archive/"), {"q": "周报"}).content.decode()
    assert "<mark>周报</mark>" in page


def test_it_filters_by_tag_date_hand_and_trust(alice: Person) -> None:
    notes = new_archive(alice)
    file(alice, notes, "By hand.", tags=["house", "roof"], occurred_at=moment("2026-01-02T10:00+00:00"))
    filed_by_agent(alice, notes, "By an agent.")
    assert sorted(found(alice)) == ["By an agent.", "By hand."]
    assert found(alice, "?by=user") == ["By hand."]
    assert found(alice, "?by=assistant") == ["By an agent."]
    assert found(alice, "?by=document") == []
    assert found(alice, "?tag=roof,+house") == ["By hand."]
    assert found(alice, "?tag=roof,garden") == []
    assert found(alice, "?since=2026-01-02&until=2026-01-02") == ["By hand."]
    assert found(alice, "?until=2026-01-01") == []
    assert found(alice, "?trust=3") == ["By hand."]
    page = alice.browser.get(home(alice, "archive/?since=nonsense")).content.decode()
    assert "The filter cannot be understood." in page


def test_what_is_no_longer_current_is_found_only_where_that_is_asked_for(alice: Person) -> None:
    notes = new_archive(alice)
    (passage,) = file(alice, notes, "The deadline is in May.")
    assert found(alice) == ["The deadline is in May."]
    correct(alice, passage, "The deadline is in June.")
    assert found(alice) == ["The deadline is in June."]
    assert found(alice, "?state=superseded") == ["The deadline is in May."]
    assert len(found(alice, "?state=all")) == 2
    page = alice.browser.get(home(alice, "archive/?state=superseded")).content.decode()
    assert "no longer current" in page


def test_without_script_it_is_a_page_and_with_it_a_part(alice: Person) -> None:
    file(alice, new_archive(alice), "The roof leaks.")
    path = home(alice, "archive/?q=roof")
    whole, part = alice.browser.get(path), alice.browser.get(path, headers=FRAGMENT)
    assert "<html" in whole.content.decode()
    assert part.content.decode().startswith('\n<div id="passages"') or "<html" not in part.content.decode()
    assert "<mark>roof</mark>" in part.content.decode()


def test_it_says_what_an_archive_is_when_there_is_none(alice: Person) -> None:
    assert "An archive is a collection of passages" in said(alice)
    new_archive(alice)
    assert "Nothing is filed here yet." in said(alice)
    assert "No passage is like this." in said(alice, "?tag=x")
    assert "Nothing is deleted here." in said(alice, "?state=deleted")
    assert "There is no word in this to look for." in said(alice, "?q=%3F%3F")


def test_the_ticked_ones_are_deleted_together_and_come_back_together(alice: Person) -> None:
    notes = new_archive(alice)
    one, two, three = file(alice, notes, "One apple.", "Two pears.", "Three plums.")
    answer = alice.browser.post(
        home(alice, "archive/bulk/?tag="), {"ids": [str(one.id), str(two.id)]}, follow=True
    )
    page = answer.content.decode()
    assert "2 passages are deleted." in page
    assert found(alice) == ["Three plums."]
    assert sorted(found(alice, "?state=deleted")) == ["One apple.", "Two pears."]
    (undo,) = re.findall(r'action="(/w/[^"]*bulk/return/[^"]*)"', page)
    alice.browser.post(undo.replace("&amp;", "&"))
    assert len(found(alice)) == 3
    assert now_of(alice, three).retired_at is None


def undo_on(page: str) -> str:
    """Where the Undo of the note leads."""
    (address,) = re.findall(r'action="(/w/[^"]*bulk/return/[^"]*)"', page)
    return str(address.replace("&amp;", "&"))


def test_undo_leads_back_to_the_search_from_which_was_deleted(alice: Person) -> None:
    notes = new_archive(alice)
    made = file(alice, notes, *(f"Note {number} about apples." for number in range(30)), tags=["fruit"])
    (action,) = re.findall(r'action="([^"]*/bulk/[^"]*)"', said(alice, "?q=apples&tag=fruit&page=2"))
    ids = {"ids": [str(made[0].id)]}
    deleted = alice.browser.post(action.replace("&amp;", "&"), ids)
    back = deleted.headers["Location"]
    assert "/archive/?q=apples&tag=fruit&page=2&before=" in back
    assert back.startswith(f"/w/{alice.personal}")
    page = alice.browser.get(back).content.decode()
    assert alice.browser.post(undo_on(page)).headers["Location"] == back


def test_undo_leads_nowhere_else(alice: Person) -> None:
    (made,) = file(alice, new_archive(alice), "One apple.")
    path = home(alice, "archive/bulk/?tag=//evil.example/&next=//evil.example/&at=never")
    page = alice.browser.post(path, {"ids": [str(made.id)]}, follow=True).content.decode()
    back = alice.browser.post(undo_on(page)).headers["Location"]
    assert back.startswith(f"/w/{alice.personal}")
    assert back.endswith("/archive/?tag=%2F%2Fevil.example%2F")
    assert now_of(alice, made).retired_at is None


def test_undo_is_offered_where_the_search_is_too_long_for_an_address(alice: Person) -> None:
    (made,) = file(alice, new_archive(alice), "One apple.")
    path = (
        home(alice, "archive/bulk/") + "?" + urlencode({"q": "果" * 200, "tag": "果" * 200, "by": "果" * 200})
    )
    page = alice.browser.post(path, {"ids": [str(made.id)]}, follow=True).content.decode()
    alice.browser.post(undo_on(page))
    assert now_of(alice, made).retired_at is None


def test_large_numbers_in_notes_have_separators(alice: Person) -> None:
    texts = [f"Note {number} about apples." for number in range(1_000)]
    made = file(alice, new_archive(alice), *texts)
    ids = {"ids": [str(each.id) for each in made]}
    page = alice.browser.post(home(alice, "archive/bulk/"), ids, follow=True).content.decode()
    assert "1,000 passages are deleted." in page
    assert "1,000 passages are back." in alice.browser.post(undo_on(page), follow=True).content.decode()


def seal(who: Person, query: str = "") -> str:
    """What the button that deletes all sends."""
    (value,) = re.findall(r'name="all" value="(\w+)">Delete all 30 that match', said(who, query))
    return str(value)


def test_all_that_match_are_deleted_only_where_they_are_those_that_were_seen(alice: Person) -> None:
    notes = new_archive(alice)
    fruit = file(alice, notes, *(f"Note {number} about apples." for number in range(30)), tags=["fruit"])
    file(alice, notes, "The roof leaks.")
    seen = seal(alice, "?tag=fruit")
    with alice.scope():
        archival.retire_passages([fruit[0].id])
    file(alice, notes, "Nobody has seen this pear.", tags=["fruit"])
    assert "30 passages" in said(alice, "?tag=fruit")
    path = home(alice, "archive/bulk/?tag=fruit")
    answered = alice.browser.post(path, {"all": seen}, follow=True).content.decode()
    assert "Nothing was deleted: what matches has changed since you saw it." in answered
    assert "30 passages" in said(alice, "?tag=fruit")
    answered = alice.browser.post(path, {"all": seal(alice, "?tag=fruit")}, follow=True).content.decode()
    assert "30 passages are deleted." in answered
    assert found(alice) == ["The roof leaks."]


def test_what_was_corrected_meanwhile_is_not_what_was_seen(alice: Person) -> None:
    filed = file(alice, new_archive(alice), *(f"Note {number} about apples." for number in range(30)))
    seen = seal(alice)
    correct(alice, filed[29], "Keep this.")
    answered = alice.browser.post(home(alice, "archive/bulk/"), {"all": seen}, follow=True)
    assert "Nothing was deleted" in answered.content.decode()
    assert "30 passages" in said(alice)


def test_words_offer_no_deletion_of_everything(alice: Person) -> None:
    file(alice, new_archive(alice), *(f"Note {number} about apples." for number in range(30)))
    assert "Delete all 30 that match" in alice.browser.get(home(alice, "archive/")).content.decode()
    assert "that match" not in alice.browser.get(home(alice, "archive/?q=apples")).content.decode()
    alice.browser.post(home(alice, "archive/bulk/?q=apples"), {"all": seal(alice)})
    assert len(found(alice)) == 25


def test_an_archive_is_made_renamed_deleted_and_brought_back(alice: Person) -> None:
    alice.browser.post(home(alice, "archive/new/"), {"name": "Garden", "description": "What grows."})
    with alice.scope():
        archive = Archive.objects.get(name="Garden")
    file(alice, archive, "Tomatoes like sun.")
    path = home(alice, f"archive/{archive.id}/")
    typed = {"name": "Yard", "description": ""}
    answered = alice.browser.post(f"{path}edit/", typed, follow=True).content.decode()
    assert '<h1 class="ellipsis">Yard</h1>' in answered
    (undo,) = re.findall(r'action="(/w/[^"]*edit/\?[^"]*)"', answered)
    alice.browser.post(undo.replace("&amp;", "&"))
    assert "What grows." in alice.browser.get(path).content.decode()
    alice.browser.post(f"{path}delete/")
    assert found(alice) == []
    assert "This archive is deleted" in alice.browser.get(path).content.decode()
    alice.browser.post(f"{path}return/")
    assert found(alice) == ["Tomatoes like sun."]


def test_what_a_role_may_not_do_is_not_offered(cast: Cast) -> None:
    archive = new_archive(cast.alice, workspace_id=cast.team)
    (hers,) = file(cast.alice, archive, "Alice filed this.")
    cast.let_bob_in("member")
    (his,) = file(cast.bob, archive, "Bob filed this.")
    page = cast.bob.browser.get(home(cast.bob, "archive/", cast.team)).content.decode()
    assert f'value="{his.id}"' in page
    assert f'value="{hers.id}"' not in page
    assert "New archive" not in page
    path = home(cast.bob, "archive/bulk/", cast.team)
    assert cast.bob.browser.post(path, {"ids": str(hers.id)}).status_code == 403
    assert cast.bob.browser.post(path, {"all": "2"}).status_code == 403
    assert cast.bob.browser.post(path, {"ids": str(his.id)}).status_code == 302
    assert now_of(cast.alice, hers).retired_at is None
    assert now_of(cast.alice, his).retired_at is not None


@pytest.mark.parametrize("query", ["", "?q=apples", "?state=deleted"])
def test_five_hundred_passages_take_no_more_queries_than_thirty(alice: Person, query: str) -> None:
    notes = new_archive(alice)
    some = file(alice, notes, *(f"Note {number} about apples." for number in range(30)))
    with alice.scope():
        archival.retire_passages([each.id for each in some[:2]])
    few = queries_of(alice, home(alice, f"archive/{query}"))
    more = file(alice, notes, *(f"Note {number} about apples." for number in range(30, 530)))
    with alice.scope():
        archival.retire_passages([each.id for each in more[:200]])
        assert core.by_me().id == alice.user.id
    assert queries_of(alice, home(alice, f"archive/{query}")) <= few
