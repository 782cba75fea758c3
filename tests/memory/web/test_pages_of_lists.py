"""A list that is asked for a later page than it has shows its last one, or says so and leads to the first."""

from __future__ import annotations

import re
import uuid

import pytest

from memory.documents import pipeline
from memory.models import Passage
from tests.cast import Cast, Person
from tests.memory.web.filed import file, home, new_archive, upload
from tests.memory.web.pages import address, new_block, propose

BEFORE_ALL = uuid.UUID(int=0)
ENDS = "The list ends before this."


def shown(person: Person, rest: str) -> str:
    answer = person.browser.get(rest if rest.startswith("/") else home(person, rest))
    assert answer.status_code == 200
    return answer.content.decode()


def texts(page: str) -> list[str]:
    found = re.findall(r'<a class="text"[^>]*>(.*?)</a>', page, re.S)
    return [re.sub(r"</?mark>", "", each).strip() for each in found]


@pytest.fixture
def apples(alice: Person) -> Person:
    file(alice, new_archive(alice), *(f"Crate {number} holds apples." for number in range(55)))
    return alice


@pytest.mark.parametrize(
    "query", ["archive/?", "archive/?q=apples", "search/?q=apples", "search/?kind=archive"]
)
@pytest.mark.parametrize("number", ["4", "400", "99999", "9999999999"])
def test_a_page_behind_the_last_is_the_last(apples: Person, query: str, number: str) -> None:
    last = shown(apples, f"{query}&page=3")
    assert "Page 3" in last
    assert texts(last)
    behind = shown(apples, f"{query}&page={number}")
    assert "Page 3" in behind
    assert texts(behind) == texts(last)
    assert "Nothing is filed here yet" not in behind


def test_deleted_passages_have_a_last_page_too(apples: Person) -> None:
    with apples.scope():
        keys = [str(key) for key in Passage.objects.values_list("id", flat=True)]
    apples.browser.post(home(apples, "archive/bulk/"), {"ids": keys})
    behind = shown(apples, "archive/?state=deleted&page=99999")
    assert "Page 3" in behind
    assert len(texts(behind)) == 5


def test_texts_that_say_the_same_leave_a_last_page_that_has_rows(alice: Person) -> None:
    for number in range(30):
        file(alice, new_archive(alice, f"Archive {number}"), "The zebra eats hay.")
    behind = shown(alice, "search/?q=zebra&page=99999")
    assert texts(behind) == texts(shown(alice, "search/?q=zebra")) == ["The zebra eats hay."]


def test_a_list_of_nothing_still_says_that_there_is_nothing(alice: Person) -> None:
    new_archive(alice)
    assert "Nothing is filed here yet" in shown(alice, "archive/?page=99999")
    assert "Nothing here is like this." in shown(alice, "search/?q=zebra&page=99999")


def test_a_place_behind_the_end_of_a_document_shows_its_last_parts(alice: Person) -> None:
    document = upload(alice, new_archive(alice), "plan.txt", "\n\n".join(["Ship it in May. " * 60] * 60))
    pipeline.read(document.tenant_id, document.workspace_id, document.id)
    parts = re.findall(r'<li id="(part-\d+)"', shown(alice, f"documents/{document.id}/?at=45"))
    assert parts
    assert re.findall(r'<li id="(part-\d+)"', shown(alice, f"documents/{document.id}/?at=9999999")) == parts


def leads_back(page: str, to: str) -> bool:
    links = re.findall(r'<a href="([^"]*)">To its beginning</a>', page)
    return [each.replace("&amp;", "&") for each in links] == [to]


@pytest.mark.parametrize(
    ("rest", "past", "begins"),
    [
        ("documents/?q=plan", f"&after={BEFORE_ALL}", "?q=plan"),
        ("memory/inbox/?status=open", "&after=ffffffff-ffff-ffff-ffff-ffffffffffff", "?status=open"),
        ("skills/?q=", "&after=last", "?q="),
        ("memory/?q=goals", "&after=last", "?q=goals"),
        ("versions", "?before=1", "?"),
        ("access", "?after=zzzz", "?"),
        ("skill versions", "?before=1", "?"),
    ],
)
def test_a_list_that_goes_on_after_a_row_says_where_it_ends(
    alice: Person, rest: str, past: str, begins: str
) -> None:
    upload(alice, new_archive(alice), "plan.txt", "Ship in May.")
    block = new_block(alice)
    propose(alice, block, "two")
    skill = made_skill(alice)
    if rest in ("versions", "access"):
        rest = address(block, f"{rest}/")
    elif rest == "skill versions":
        rest = f"skills/{skill}/versions/"
    past = past.replace("last", str(skill if rest.startswith("skills") else block.id))
    assert ENDS not in shown(alice, rest)
    page = shown(alice, rest + past)
    assert ENDS in page
    assert leads_back(page, begins)


def made_skill(person: Person) -> uuid.UUID:
    typed = {"name": "feed", "description": "How to feed a zebra.", "content": "Hay."}
    answer = person.browser.post(home(person, "skills/new/"), typed)
    (key,) = re.findall(r"/skills/([0-9a-f-]{36})/", answer.headers["Location"])
    return uuid.UUID(key)


def test_pages_of_a_stranger_are_no_pages(cast: Cast) -> None:
    file(cast.alice, new_archive(cast.alice), "A zebra of her own.")
    assert texts(shown(cast.alice, "archive/?page=99999")) == ["A zebra of her own."]
    assert cast.charlie.browser.get(home(cast.alice, "archive/?page=99999")).status_code == 404
