"""Archives and passages over the API."""

from __future__ import annotations

from typing import Any

from memory.models import IndexEntry
from tests.api_calls import call, everything, get, post, problem
from tests.cast import NOBODY, Cast, Person


def new_archive(person: Person, **fields: Any) -> str:
    return str(post(person, "archives/", {"name": "Notes"} | fields)["id"])


def file(person: Person, archive: str, status: int = 201, **fields: Any) -> Any:
    return post(person, f"archives/{archive}/passages/", fields, status)


def search(person: Person, query: str) -> list[str]:
    return [hit["text"] for hit in get(person, f"search/?kind=passage&q={query}")["results"]]


def test_an_archive_is_made_renamed_deleted_and_brought_back(alice: Person) -> None:
    archive = new_archive(alice, description="What I read")
    file(alice, archive, content="A zebra is striped.")
    changed = call(alice, "PATCH", f"archives/{archive}/", {"name": "Papers"}).json()
    assert (changed["name"], changed["description"]) == ("Papers", "What I read")
    assert call(alice, "DELETE", f"archives/{archive}/").status_code == 204
    assert everything(alice, "archives/") == []
    assert search(alice, "zebra") == []
    problem(call(alice, "POST", f"archives/{archive}/passages/", {"content": "late"}), 404)
    assert [each["id"] for each in everything(alice, "archives/?deleted=true")] == [archive]
    post(alice, f"archives/{archive}/return/", None, 200)
    assert search(alice, "zebra") == ["A zebra is striped."]


def test_one_passage_comes_back_with_all_that_is_known_of_it(alice: Person) -> None:
    archive = new_archive(alice)
    made = file(
        alice,
        archive,
        content="We met Anna.",
        tags=["people"],
        importance=0.9,
        occurred_at="2024-05-01T12:00:00+02:00",
    )
    assert (made["tags"], made["importance"], made["trust"]) == (["people"], 0.9, "trusted")
    assert made["occurred_at"] == "2024-05-01T10:00:00Z"
    assert made["source"]["kind"] == "person"
    assert made["actor"] == {"kind": "user", "id": str(alice.user.id)}
    assert (made["known"], made["is_current"], made["version"]) == (False, True, 1)
    assert get(alice, f"passages/{made['id']}/") == {
        name: value for name, value in made.items() if name != "known"
    }


def test_a_batch_is_filed_all_or_none(alice: Person) -> None:
    archive = new_archive(alice)
    body = {"passages": [{"content": f"zebra number {number}"} for number in range(1_000)]}
    made = post(alice, f"archives/{archive}/passages/", body)["passages"]
    assert [each["content"] for each in made][::333] == [f"zebra number {n}" for n in (0, 333, 666, 999)]
    assert len(everything(alice, f"archives/{archive}/passages/?limit=200")) == 1_000
    body["passages"] = [{"content": "good"}, {"content": " "}, {"content": 7}, {"text": "x"}]
    errors = problem(call(alice, "POST", f"archives/{archive}/passages/", body), 400)["errors"]["passages"]
    assert [words.split(":")[0] for words in errors[:2]] == ["Passage 2", "Passage 3"]
    assert search(alice, "good") == []
    too_many = {"passages": [{"content": f"n {number}"} for number in range(1_001)]}
    problem(call(alice, "POST", f"archives/{archive}/passages/", too_many), 400)


def test_the_same_again_is_known(alice: Person) -> None:
    archive = new_archive(alice)
    first = file(alice, archive, content="A zebra is striped.")
    again = file(alice, archive, 200, content="A zebra is striped.")
    assert (again["id"], again["known"]) == (first["id"], True)
    assert len(everything(alice, f"archives/{archive}/passages/")) == 1


def test_a_correction_supersedes_and_an_old_state_is_not_corrected(alice: Person) -> None:
    passage = file(alice, new_archive(alice), content="The fair is in May.", tags=["fair"])
    address = f"passages/{passage['id']}/"
    made = call(alice, "PATCH", address, {"content": "The fair is in June.", "importance": 1}).json()
    assert (made["version"], made["supersedes"], made["importance"]) == (2, passage["id"], 1.0)
    refused = problem(call(alice, "PATCH", address, {"content": "The fair is in July."}), 409)
    assert (refused["code"], refused["newest"], refused["version"]) == ("stale_version", made["id"], 2)
    versions = get(alice, f"passages/{made['id']}/versions/")["results"]
    assert [each["content"] for each in versions] == ["The fair is in June.", "The fair is in May."]
    assert search(alice, "fair") == ["The fair is in June."]
    old = get(alice, "search/?kind=passage&q=fair&state=superseded")["results"]
    assert [hit["text"] for hit in old] == ["The fair is in May."]
    assert old[0]["valid_to"] is not None


def test_tags_and_expiry_change_in_place(alice: Person) -> None:
    passage = file(alice, new_archive(alice), content="A zebra is striped.")
    address = f"passages/{passage['id']}/"
    body = {"tags": ["animals"], "expires_at": "2001-01-01"}
    made = call(alice, "PATCH", address, body).json()
    assert (made["id"], made["tags"], made["is_current"]) == (passage["id"], ["animals"], False)
    assert search(alice, "zebra") == []
    call(alice, "PATCH", address, {"expires_at": None})
    assert search(alice, "zebra") == ["A zebra is striped."]
    for wrong in ({"importance": 2}, {"expires_at": "soon"}, {"expires_at": "9999-12-31T23:59:59Z"}):
        problem(call(alice, "PATCH", address, wrong), 400)


def test_a_deleted_passage_comes_back(alice: Person) -> None:
    archive = new_archive(alice)
    passage = file(alice, archive, content="A zebra is striped.")
    file(alice, archive, content="A horse is not.")
    assert call(alice, "DELETE", f"passages/{passage['id']}/").status_code == 204
    assert search(alice, "striped") == []
    assert [each["content"] for each in everything(alice, f"archives/{archive}/passages/")] == [
        "A horse is not."
    ]
    deleted = everything(alice, f"archives/{archive}/passages/?deleted=true")
    assert [each["id"] for each in deleted] == [passage["id"]]
    post(alice, f"passages/{passage['id']}/return/", None, 200)
    assert search(alice, "striped") == ["A zebra is striped."]


def test_it_shows_what_is_alike(alice: Person) -> None:
    archive = new_archive(alice)
    passage = file(alice, archive, content="The zebra fair is in May.")
    for text in ("A zebra fair was held in June.", "Bread needs flour."):
        file(alice, archive, content=text)
    alike = get(alice, f"passages/{passage['id']}/similar/")["results"]
    assert alike[0]["text"] == "A zebra fair was held in June."
    assert passage["id"] not in {hit["id"] for hit in alike}


def test_a_text_without_a_word_is_like_nothing(alice: Person) -> None:
    archive = new_archive(alice)
    file(alice, archive, content="Bread needs flour.")
    passage = file(alice, archive, content="??? !!!")
    assert get(alice, f"passages/{passage['id']}/similar/")["results"] == []


def test_lists_are_narrowed_and_paged(alice: Person) -> None:
    archive = new_archive(alice)
    for number in range(5):
        file(alice, archive, content=f"note {number}", tags=["odd"] if number % 2 else [])
    odd = everything(alice, f"archives/{archive}/passages/?tag=odd&limit=1")
    assert [each["content"] for each in odd] == ["note 3", "note 1"]


def test_strangers_get_404_and_change_nothing(cast: Cast) -> None:
    archive = new_archive(cast.alice, workspace=str(cast.team))
    passage = file(cast.alice, archive, content="A zebra is striped.")
    requests = [
        ("GET", f"archives/{archive}/", None),
        ("POST", f"archives/{archive}/passages/", {"content": "mine"}),
        ("GET", f"passages/{passage['id']}/", None),
        ("PATCH", f"passages/{passage['id']}/", {"content": "mine"}),
        ("DELETE", f"passages/{passage['id']}/", None),
    ]
    for stranger in (cast.bob, cast.charlie):
        assert search(stranger, "zebra") == []
        for verb, path, body in requests:
            problem(call(stranger, verb, path, body), 404)
    for path in (f"archives/{NOBODY}/", f"passages/{NOBODY}/"):
        problem(call(cast.alice, "GET", path), 404)
    assert search(cast.alice, "zebra") == ["A zebra is striped."]


def test_members_add_and_editors_govern(cast: Cast) -> None:
    archive = new_archive(cast.alice, workspace=str(cast.team))
    hers = file(cast.alice, archive, content="Alice's zebra")
    cast.let_bob_in("member")
    his = file(cast.bob, archive, content="Bob's zebra")
    problem(call(cast.bob, "PATCH", f"archives/{archive}/", {"name": "Mine"}), 403)
    problem(call(cast.bob, "DELETE", f"passages/{hers['id']}/"), 403)
    assert call(cast.bob, "DELETE", f"passages/{his['id']}/").status_code == 204
    with cast.alice.scope():
        assert IndexEntry.objects.get(record_id=hers["id"]).state == "current"
