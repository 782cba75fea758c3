"""One passage: added by hand, corrected (an edit is a version), undone, deleted; nothing is lost."""

from __future__ import annotations

import re

from memory import provenance, retrieval
from memory.models import Passage
from memory.retrieval import Filters
from memory.retrieval.access import accesses
from tests.cast import Cast, Person, ask, new_agent, new_chat
from tests.memory.web.filed import correct, file, home, new_archive, now_of
from tests.memory.web.pages import queries_of


def page_of(person: Person, passage: Passage) -> str:
    answer = person.browser.get(home(person, f"archive/passages/{passage.id}/", passage.workspace_id))
    assert answer.status_code == 200
    return answer.content.decode()


def typed(passage: Passage, content: str, **fields: object) -> dict[str, object]:
    """What a browser sends from the form of a passage."""
    return {"content": content, "tags": "", "importance": "0.5", "version": passage.version} | fields


def edit(person: Person, passage: Passage, content: str, **fields: object) -> str:
    answer = person.browser.post(
        home(person, f"archive/passages/{passage.id}/edit/", passage.workspace_id),
        typed(passage, content, **fields),
        follow=True,
    )
    return answer.content.decode()


def newest(person: Person) -> Passage:
    with person.scope():
        return Passage.objects.order_by("-id")[0]


def undo_in(page: str) -> str:
    """The address of the Undo that the latest note offers."""
    found = re.findall(r'class="toast"><span>[^<]*</span><form method="post" action="([^"]*)"', page)
    return str(found[-1]).replace("&amp;", "&")


def test_a_passage_is_added_by_hand_and_the_note_takes_it_away(alice: Person) -> None:
    archive = new_archive(alice)
    form = {
        "archive": archive.id,
        "content": "The roof leaks.\r\nCall Bo.",
        "tags": "house， roof",
        "importance": "0.9",
        "occurred_at": "2026-01-02T10:30",
    }
    page = alice.browser.post(home(alice, "archive/passages/new/"), form, follow=True).content.decode()
    made = newest(alice)
    assert (made.content, made.tags, made.importance) == ("The roof leaks.\nCall Bo.", ["house", "roof"], 0.9)
    assert "2026-01-02 10:30" in page
    assert "by hand" in page
    alice.browser.post(undo_in(page))
    assert now_of(alice, made).retired_at is not None


def test_what_cannot_be_filed_stays_in_its_form(alice: Person) -> None:
    archive = new_archive(alice)
    form = {"archive": archive.id, "content": "Keep me.", "tags": "x" * 65}
    answer = alice.browser.post(home(alice, "archive/passages/new/"), form)
    assert answer.status_code == 422
    assert "Keep me." in answer.content.decode()
    assert "each of at most 64 characters" in answer.content.decode()
    answer = alice.browser.post(home(alice, "archive/passages/new/"), form | {"tags": "", "content": " \n"})
    assert answer.status_code == 422


def test_the_same_text_is_not_filed_twice(alice: Person) -> None:
    archive = new_archive(alice)
    (first,) = file(alice, archive, "The roof leaks.")
    form = {"archive": archive.id, "content": "The roof leaks."}
    page = alice.browser.post(home(alice, "archive/passages/new/"), form, follow=True).content.decode()
    assert "This text is in the archive already." in page
    assert "Its new tags were added to it." not in page
    tagged = form | {"tags": "repairs"}
    page = alice.browser.post(home(alice, "archive/passages/new/"), tagged, follow=True).content.decode()
    assert "This text is in the archive already. Its new tags were added to it." in page
    assert newest(alice).id == first.id


def test_an_edit_is_a_correction_that_can_be_undone(alice: Person) -> None:
    (passage,) = file(alice, new_archive(alice), "The deadline is in May.", tags=["plan"])
    page = edit(alice, passage, "The deadline is in June.", tags="plan, dates")
    corrected = newest(alice)
    assert (corrected.content, corrected.version) == ("The deadline is in June.", 2)
    assert sorted(corrected.tags) == ["dates", "plan"]
    assert "<del>May</del><ins>June</ins>" in page
    old = page_of(alice, passage)
    assert "No longer current" in old
    assert "What stands now: v2" in old
    alice.browser.post(undo_in(page))
    back = newest(alice)
    assert (back.content, back.version) == ("The deadline is in May.", 3)
    assert now_of(alice, corrected).valid_to is not None


def test_other_tags_alone_make_no_version(alice: Person) -> None:
    (passage,) = file(alice, new_archive(alice), "The deadline is in May.")
    edit(alice, passage, passage.content, tags="plan", importance="1", expires_at="2030-01-01T00:00")
    found = newest(alice)
    assert (found.id, found.version, found.tags, found.importance) == (passage.id, 1, ["plan"], 1.0)
    assert found.expires_at is not None
    edit(alice, passage, passage.content, tags="plan", importance="1", expires_at="")
    assert newest(alice).expires_at is None


def test_the_second_of_two_gets_both_texts(cast: Cast) -> None:
    alice = cast.alice
    (passage,) = file(alice, new_archive(alice), "Ship in May.\nBe lossless.\nTell Bo.\n")
    correct(alice, passage, "Ship in June.\nBe lossless.\nTell Bo.\n")
    answer = alice.browser.post(
        home(alice, f"archive/passages/{passage.id}/edit/"),
        typed(passage, "Ship in May.\nBe lossless.\nTell Charlie.\n"),
    )
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "Somebody corrected this passage while you wrote." in page
    assert "<ins>June</ins>" in page
    assert "<ins>Charlie</ins>" in page
    text = re.findall(r"<textarea name=\"content\".*?>\n?(.*?)</textarea>", page, re.S)[0]
    assert text == "Ship in June.\nBe lossless.\nTell Charlie.\n"
    (version,) = re.findall(r'name="version" value="(\d+)"', page)
    (address,) = re.findall(r'<form class="stack narrow" method="post" action="([^"]*)"', page)
    alice.browser.post(address, typed(passage, text, version=version))
    assert newest(alice).content == text


def test_it_is_deleted_and_comes_back(alice: Person) -> None:
    (passage,) = file(alice, new_archive(alice), "The roof leaks.")
    path = home(alice, f"archive/passages/{passage.id}/")
    page = alice.browser.post(f"{path}delete/", follow=True).content.decode()
    assert "The passage is deleted." in page
    assert "This passage is deleted" in page_of(alice, passage)
    alice.browser.post(undo_in(page))
    assert now_of(alice, passage).retired_at is None


def test_it_leads_to_the_message_that_it_came_from(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    ask(alice, chat, "Please archive this: the garden shed has a green door.")
    (passage,) = file(alice, new_archive(alice), "The garden shed has a green door.")
    with alice.scope():
        message = chat.conversation.messages.order_by("id")[0]
        source = provenance.source_of_message(message)
        Passage.objects.filter(id=passage.id).update(source=source)
    page = page_of(alice, passage)
    assert f'/messages/{message.id}/">a chat</a>' in page
    place = alice.browser.get(home(alice, f"messages/{message.id}/"))
    assert f"?at={message.id}" in place.headers["Location"]


def test_it_shows_what_is_like_it_and_what_was_made_of_it(alice: Person) -> None:
    archive = new_archive(alice)
    (passage, other) = file(alice, archive, "The roof leaks when it rains.", "Rain comes through the roof.")
    with alice.scope():
        provenance.derive(alice.personal, parents=[("passage", passage.id)], child=("passage", other.id))
    page = page_of(alice, passage)
    assert "Made of it" in page
    assert page.index("Similar passages") < page.rindex(str(other.id))
    assert "Made of" in page_of(alice, other)


def test_a_member_corrects_what_is_theirs_alone(cast: Cast) -> None:
    archive = new_archive(cast.alice, workspace_id=cast.team)
    (hers,) = file(cast.alice, archive, "Alice filed this.")
    cast.let_bob_in("member")
    (his,) = file(cast.bob, archive, "Bob filed this.")
    assert "edit/" not in page_of(cast.bob, hers)
    assert "edit/" in page_of(cast.bob, his)
    path = home(cast.bob, f"archive/passages/{hers.id}/", cast.team)
    assert cast.bob.browser.get(f"{path}edit/").status_code == 403
    assert cast.bob.browser.post(f"{path}edit/", typed(hers, "Mine now.")).status_code == 403
    assert cast.bob.browser.post(f"{path}delete/").status_code == 403
    assert "Corrected." in edit(cast.bob, his, "Bob filed this, too.")


def test_many_versions_take_no_more_queries_than_few(alice: Person) -> None:
    (passage,) = file(alice, new_archive(alice), "The deadline is in May.")
    for number in range(3):
        correct(alice, passage, f"The deadline is day {number}.")
    few = queries_of(alice, home(alice, f"archive/passages/{newest(alice).id}/"))
    for number in range(3, 12):
        correct(alice, passage, f"The deadline is day {number}.")
    # Each version leads to the one before it: the walk is one statement a version.
    assert queries_of(alice, home(alice, f"archive/passages/{newest(alice).id}/")) <= few + 9


def test_a_use_is_told_and_before_it_is_counted_that_it_may_still_be(alice: Person) -> None:
    (passage,) = file(alice, new_archive(alice), "The roof leaks.")
    with alice.scope():
        assert retrieval.search("roof", Filters()).hits
    assert "uses within the last minute are still to be counted" in page_of(alice, passage)
    accesses.write()
    page = page_of(alice, passage)
    assert "(1 time)" in page
    assert "still to be counted" not in page
