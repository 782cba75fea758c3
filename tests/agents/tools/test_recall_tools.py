"""Tools that read recall: by words, by day in the person's own zone, by id in pieces."""

import re
from datetime import UTC, datetime

import pytest

from memory import branches, recall
from memory.actors import person
from memory.models import Message
from tests.agents.tools.calling import Tools, make_tools
from tests.cast import Cast, Person, new_agent

ZONES = ["Asia/Shanghai", "America/Los_Angeles", "UTC"]


def say(tools: Tools, words: str, role: str = "user", **fields: object) -> Message:
    with tools.person.scope():
        return recall.add_message(
            tools.chat.conversation, role=role, content=words, actor=person(tools.person.user.id), **fields
        )


def texts(answer: dict[str, object]) -> list[str]:
    results = answer["results"]
    assert isinstance(results, list)
    return [each["content"] for each in results]


def test_it_finds_by_words_in_both_languages(tools: Tools) -> None:
    message = say(tools, "我不吃香菜。")
    say(tools, "I moved to Ghent.", role="assistant")
    hit = tools.call("conversation_search", query="香菜")["results"][0]
    assert (hit["id"], hit["role"], hit["content"]) == (str(message.id), "user", "我不吃香菜。")
    assert texts(tools.call("conversation_search", query="moving to ghent"))[0] == "I moved to Ghent."
    assert "I moved to Ghent." not in texts(tools.call("conversation_search", query="ghent", roles=["user"]))


def test_it_does_not_find_the_question_itself(alice: Person) -> None:
    tools = make_tools(alice, words="Do I like coriander?")
    say(tools, "I hate coriander.")
    assert texts(tools.call("conversation_search", query="coriander")) == ["I hate coriander."]


def test_it_pages(tools: Tools) -> None:
    for number in range(5):
        say(tools, f"tea {number}")
    pages = [tools.call("conversation_search", query="tea", limit=2, page=page) for page in (1, 2, 3, 4)]
    assert [len(page["results"]) for page in pages] == [2, 2, 1, 0]
    assert len({text for page in pages for text in texts(page)}) == 5
    assert {page["total"] for page in pages} == {5}


def test_it_searches_other_conversations_with_the_same_agent_only(alice: Person) -> None:
    agent = new_agent(alice)
    before, now, other = make_tools(alice, agent), make_tools(alice, agent), make_tools(alice)
    say(before, "tea with the same agent")
    say(other, "tea with another agent")
    assert texts(now.call("conversation_search", query="tea")) == ["tea with the same agent"]


def test_it_shows_nobody_what_was_told_to_a_shared_agent_in_private(cast: Cast) -> None:
    cast.let_bob_in()
    agent = new_agent(cast.alice, cast.team)
    hers, his = make_tools(cast.alice, agent), make_tools(cast.bob, agent)
    message = say(hers, "tea, said Alice in private")
    hers.call("archival_memory_insert", content="tea, archived in private")
    assert texts(his.call("conversation_search", query="tea")) == []
    assert texts(his.call("archival_memory_search", query="tea")) == []
    assert "no message" in his.error("message_read", id=str(message.id))


@pytest.mark.parametrize("zone", ZONES)
def test_a_day_is_the_day_of_the_person(alice: Person, zone: str) -> None:
    alice.user.time_zone = zone
    alice.user.save(update_fields=["time_zone"])
    tools = make_tools(alice)
    for hour in (1, 12, 23):
        say(tools, f"tea at {hour}", created_at=datetime(2026, 11, 10, hour, 30, tzinfo=UTC))
    local = {"Asia/Shanghai": ["tea at 12", "tea at 1"], "America/Los_Angeles": ["tea at 23", "tea at 12"]}
    expected = local.get(zone, ["tea at 23", "tea at 12", "tea at 1"])
    day = {"start_date": "2026-11-10", "end_date": "2026-11-10"}
    answer = tools.call("conversation_search", query="tea", **day)
    assert sorted(texts(answer)) == sorted(expected)
    assert {each["date"][:10] for each in answer["results"]} == {"2026-11-10"}


def test_a_moment_with_a_zone_of_its_own_is_that_moment(alice: Person) -> None:
    alice.user.time_zone = "Asia/Shanghai"
    alice.user.save(update_fields=["time_zone"])
    tools = make_tools(alice)
    say(tools, "tea", created_at=datetime(2026, 11, 10, 12, 30, tzinfo=UTC))
    for since, count in (("2026-11-10T12:00Z", 1), ("2026-11-10T20:00", 1), ("2026-11-10T20:45", 0)):
        assert len(tools.call("conversation_search", query="tea", start_date=since)["results"]) == count
    (hit,) = tools.call("conversation_search", query="tea")["results"]
    assert hit["date"] == "2026-11-10 20:30"


def test_it_reads_a_message_in_pieces(tools: Tools) -> None:
    message = say(tools, "香菜" * 5000)
    whole, offset = "", 0
    while offset is not None:
        piece = tools.call("message_read", id=str(message.id), offset=offset)
        whole += piece["content"]
        offset = piece["next_offset"]
    assert whole == message.content
    assert (piece["role"], piece["length"]) == ("user", 10_000)


def test_it_shows_hits_whole_where_they_fit_and_else_the_way_to_the_rest(tools: Tools) -> None:
    say(tools, "tea " + "x" * 1000)
    (whole,) = texts(tools.call("conversation_search", query="tea"))
    assert whole == "tea " + "x" * 1000
    long = say(tools, "rice " + "milk and honey " * 20_000)
    hits = texts(tools.call("conversation_search", query="rice"))
    clipped = next(hit for hit in hits if hit.startswith("rice milk"))
    offset = int(re.search(rf'message_read\(id="{long.id}", offset=(\d+)\)', clipped)[1])  # type: ignore[index]
    piece = tools.call("message_read", id=str(long.id), offset=offset)
    assert (clipped[:offset] + piece["content"]) == long.content[: offset + len(piece["content"])]


def test_it_says_in_which_chat_something_was_said(tools: Tools) -> None:
    say(tools, "tea in a chat that has a name")
    with tools.person.scope():
        recall.rename(tools.chat.conversation_id, "Groceries")
    (hit,) = tools.call("conversation_search", query="tea")["results"]
    assert hit["from"] == "chat “Groceries”"


def test_it_says_who_speaks_in_an_imported_chat(tools: Tools) -> None:
    say(tools, "tea, said Caroline", name="Caroline")
    (hit,) = tools.call("conversation_search", query="tea")["results"]
    assert (hit["role"], hit["by"]) == ("user", "Caroline (imported)")
    assert tools.call("message_read", id=hit["id"])["by"] == "Caroline (imported)"


def test_it_finds_nothing_of_a_deleted_chat(alice: Person) -> None:
    agent = new_agent(alice)
    gone, tools = make_tools(alice, agent), make_tools(alice, agent)
    message = say(gone, "tea")
    with alice.scope():
        recall.delete(gone.chat.conversation_id)
    assert texts(tools.call("conversation_search", query="tea")) == []
    assert tools.call("message_read", id=str(message.id))["status"] == "error"


def test_it_says_what_was_said_on_a_branch_that_was_left(tools: Tools) -> None:
    left = say(tools, "The zebra is called Tom.")
    with tools.person.scope():
        recall.hold(left.conversation_id)
        branches.leave(left.id)
    say(tools, "The zebra has no name yet.")
    live, other = tools.call("conversation_search", query="zebra")["results"]
    assert ("branch" in live, live["content"]) == (False, "The zebra has no name yet.")
    assert other["branch"].startswith("abandoned")
    assert "no_longer_true_since" not in other
    assert tools.call("message_read", id=str(left.id))["branch"] == other["branch"]
