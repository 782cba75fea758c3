"""An answer that is stopped, that fails and is tried again, or that has to wait for another."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from playwright.sync_api import expect

from memory.models import Message
from tests.agents.llm.stub_behaviours import hang, once, refuse, text
from tests.agents.llm.stub_server import StubServer
from tests.browser.conftest import Watched
from tests.browser.held import Held
from tests.cast import Person

SLOWLY = text(" ".join(f"word{number}" for number in range(4000)), chunks=4000, pause=0.05)


def answers(person: Person) -> list[Message]:
    with person.scope():
        return list(Message.objects.filter(role="assistant").order_by("position"))


def test_stop_keeps_the_text_marked_as_stopped(
    at_desk: Watched, alice: Person, stub: StubServer, stub_agent: Any
) -> None:
    stub.queue(SLOWLY)
    page = at_desk.begin(alice, stub_agent, "Tell me a lot.")
    expect(page.locator(".turn")).to_contain_text("word7 ")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".turn")).to_contain_text("Stopped here.")
    (kept,) = answers(alice)
    assert kept.state == "stopped"
    assert "word7 " in kept.content
    assert "word3999" not in kept.content
    page.reload()
    expect(page.locator(".turn .prose")).to_contain_text("word7 ")
    expect(page.locator(".turn")).to_contain_text("Stopped here.")
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)


def test_stop_works_before_the_first_word(
    at_desk: Watched, alice: Person, stub: StubServer, stub_agent: Any
) -> None:
    stub.queue(hang())
    page = at_desk.begin(alice, stub_agent, "Think for ever.")
    stub.wait_for_requests(1)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".turn")).to_contain_text("Stopped before the first word.")
    assert answers(alice) == []


def test_a_failed_answer_says_why_and_is_tried_again(
    at_desk: Watched, alice: Person, stub: StubServer, stub_agent: Any
) -> None:
    stub.queue(refuse(401, "no such key"), text("Here I am."))
    page = at_desk.begin(alice, stub_agent, "Are you there?")
    turn = page.locator(".turn")
    expect(turn).to_contain_text("refused the key")
    turn.get_by_text("What the provider said").click()
    expect(turn).to_contain_text("no such key")
    assert at_desk.faults() == []
    turn.get_by_role("button", name="Try again").click()
    expect(turn.locator(".prose")).to_have_text("Here I am.")
    at_desk.await_answer()
    expect(turn).not_to_contain_text("refused the key")
    with alice.scope():
        assert Message.objects.filter(role="user").count() == 1


def test_messages_wait_in_order_and_one_that_waits_can_be_withdrawn(
    at_desk: Watched, alice: Person, stub: StubServer, stub_agent: Any
) -> None:
    stub.queue(SLOWLY, text("The third it is."))
    page = at_desk.begin(alice, stub_agent, "first")
    expect(page.locator(".turn").first).to_contain_text("word3 ")
    at_desk.say("second")
    at_desk.say("third")
    waiting = page.locator(".turn").filter(has_text="Waiting: the message before this one")
    expect(waiting).to_have_count(2)
    waiting.first.get_by_role("button", name="Do not answer this").click()
    expect(page.locator(".turn").nth(1)).to_contain_text("Stopped before the first word.")
    page.reload()
    expect(waiting).to_have_count(1)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".turn").last.locator(".prose")).to_have_text("The third it is.")
    at_desk.await_answer()
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)
    assert [answer.content for answer in answers(alice)][-1] == "The third it is."


def test_messages_arrive_in_the_order_in_which_they_were_sent(
    at_desk: Watched, alice: Person, stub: StubServer, stub_agent: Any
) -> None:
    stub.queue(text("One."), text("Two."), text("Three."))
    page = at_desk.begin(alice, stub_agent, "first")
    at_desk.await_answer()
    held = Held(page, "**/messages/")
    at_desk.say("second")
    held.await_one()
    at_desk.say("third")
    expect(page.locator(".pending")).to_have_count(2)
    assert [route.request.post_data_json["content"] for route in held.routes] == ["second"]
    held.let_go()
    expect(page.locator(".turn").last.locator(".prose")).to_have_text("Three.")
    with alice.scope():
        sent = Message.objects.filter(role="user").order_by("position").values_list("content", flat=True)
        assert list(sent) == ["first", "second", "third"]


def test_a_turn_goes_on_that_heard_too_late_of_the_end_it_waited_for(
    at_desk: Watched, alice: Person, stub: StubServer, stub_agent: Any
) -> None:
    may_end = threading.Event()
    stub.queue(once(may_end, text("The first.")), text("The second."))
    page = at_desk.begin(alice, stub_agent, "first")
    held = Held(page, "**/messages/")
    at_desk.say("second")
    route = held.await_one()
    response = route.fetch()  # by now it waits for the first
    may_end.set()
    expect(page.locator(".turn")).to_have_count(1)
    expect(page.locator(".turn[data-live]")).to_have_count(0)
    route.fulfill(response=response)
    expect(page.locator(".turn .prose").last).to_have_text("The second.")
    at_desk.await_answer()


@pytest.mark.parametrize("words", ["Saved! You like tea.", "已保存：你喜欢茶。"])
def test_words_that_claim_a_save_are_marked_where_nothing_was_saved(
    at_desk: Watched, alice: Person, stub: StubServer, stub_agent: Any, words: str
) -> None:
    stub.queue(text(words))
    page = at_desk.begin(alice, stub_agent, "I like tea.")
    expect(page.locator(".turn .mark")).to_contain_text("nothing was saved in this turn")
