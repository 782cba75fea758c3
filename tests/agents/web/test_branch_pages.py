"""Branches of a chat in the browser without script, and the fragments that script asks for."""

from __future__ import annotations

import html
import re

from agents import branching, services
from agents.models import MainContext, Turn
from memory import core
from memory.operations import Replace
from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.stubbed import Stubbed
from tests.cast import Cast, Person, new_agent, new_chat, send

TEA = ("core_memory_append", {"label": "human", "content": "Drinks tea."})
FRAGMENT = {"HX-Request": "true"}


def address(chat: MainContext, rest: str = "") -> str:
    return f"/w/{chat.workspace_id}/c/{chat.conversation_id}/{rest}"


def page(person: Person, chat: MainContext, query: str = "") -> str:
    return person.browser.get(address(chat) + query).content.decode()


def stopped(person: Person, chat: MainContext, words: str) -> Turn:
    """A message whose answer was stopped before it began."""
    turn = send(person, chat, words)
    with person.scope():
        return services.stop_turn(turn.id)


def test_a_message_is_edited_without_script(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    turn = stopped(alice, chat, "One way")
    url = address(chat, f"messages/{turn.message_id}/edit/")
    assert f'href="{url}"' in page(alice, chat)
    form = alice.browser.get(url).content.decode()
    assert "One way</textarea>" in form
    assert "Memory blocks are as they are now" in form
    client_id = re.search(r'name="client_id" value="(\w+)"', form)
    assert client_id
    body = {"content": "Another way", "client_id": client_id[1]}
    for _ in range(2):  # pressed twice
        assert alice.browser.post(url, body)["Location"] == address(chat)
    with alice.scope():
        assert Turn.objects.filter(conversation=chat.conversation_id).count() == 2
    shown = page(alice, chat)
    assert "Another way" in shown
    assert "One way</p>" not in shown
    assert alice.browser.post(url, {"content": " "}).status_code == 422


def test_one_goes_on_where_an_old_message_stands(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    turn = stopped(alice, chat, "One way")
    with alice.scope():
        made = branching.edit_message(turn.message_id, content="Another way", client_id="x").turn
        services.stop_turn(made.id)
    found = alice.browser.get(f"/w/{alice.personal}/messages/{turn.message_id}/")
    shown = alice.browser.get(found["Location"]).content.decode()
    assert "This message lies on a branch that was left." in shown
    url = address(chat, f"messages/{turn.message_id}/switch/")
    assert url in shown
    answer = alice.browser.post(url, follow=True).content.decode()
    assert "Memory blocks are as they are now, not as they were then." in answer
    assert "One way" in answer
    assert "This message lies on a branch" not in answer


def test_it_says_why_nothing_moves_while_a_message_is_answered(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    turn = stopped(alice, chat, "One way")
    send(alice, chat, "Wait.")
    for verb in (f"messages/{turn.message_id}/edit/", f"turns/{turn.id}/retry/"):
        answer = alice.browser.post(address(chat, verb), {"content": "x"}, headers=FRAGMENT)
        assert answer.status_code == 409
        assert b"A message is being answered." in answer.content
        assert b'hx-target="#messages"' not in answer.content
        plain = alice.browser.post(address(chat, verb), {"content": "x"}, follow=True)
        assert b"A message is being answered." in plain.content


def test_another_tab_gets_the_chat_anew_where_it_went_another_way(alice: Person) -> None:
    chat = new_chat(alice, new_agent(alice))
    turn = stopped(alice, chat, "One way")
    mark = re.search(r'data-branch="(\w+)"', page(alice, chat))
    assert mark
    news = address(chat, f"news/?after={turn.id}&branch={mark[1]}")
    assert alice.browser.get(news, headers=FRAGMENT).status_code == 204
    with alice.scope():
        branching.edit_message(turn.message_id, content="Another way", client_id="x")
    told = alice.browser.get(news, headers=FRAGMENT).content.decode()
    assert 'hx-target="#messages" hx-swap="innerHTML"' in told
    assert "Another way" in told
    fresh = re.search(r'data-branch="(\w+)"', told)
    assert fresh
    with alice.scope():
        last = Turn.objects.filter(conversation=chat.conversation_id).order_by("-id")[0]
    news = address(chat, f"news/?after={last.id}&branch={fresh[1]}")
    assert alice.browser.get(news, headers=FRAGMENT).status_code == 204


def test_memory_of_the_branch_that_was_left_is_told_and_taken_back(stubbed: Stubbed) -> None:
    stubbed.queue(calls(TEA), text("Noted."))
    turn = stubbed.say("I drink tea.")
    url = address(stubbed.chat, f"messages/{turn.message_id}/edit/")
    browser = stubbed.person.browser
    told = browser.post(url, {"content": "Hello", "client_id": "x"}, headers=FRAGMENT).content.decode()
    assert "1 memory change was made on the branch you left." in told
    undo = re.search(r'action="([^"]*undo-left/[^"]*)"', told)
    assert undo
    assert "1 memory change of branch 1 stands" in page(stubbed.person, stubbed.chat)
    answer = browser.post(undo[1], headers=FRAGMENT)
    assert b"1 memory change was taken back." in answer.content
    assert "left-undone" in answer["HX-Trigger"]
    assert "memory change of branch" not in page(stubbed.person, stubbed.chat)
    assert "There was nothing left to take back." in browser.post(undo[1], follow=True).content.decode()


def test_the_offer_is_asked_for_again_and_goes_with_what_the_new_answer_has_replaced(
    stubbed: Stubbed,
) -> None:
    stubbed.queue(calls(TEA), text("Noted."))
    turn = stubbed.say("I drink tea.")
    url = address(stubbed.chat, f"messages/{turn.message_id}/edit/")
    browser = stubbed.person.browser
    told = browser.post(url, {"content": "Coffee", "client_id": "x"}, headers=FRAGMENT).content.decode()
    again = [html.unescape(each) for each in re.findall(r'hx-get="([^"]*undo-left/[^"]*)"', told)]
    assert len(again) == 2  # of the note, and of what stands in the log
    assert [browser.get(each, headers=FRAGMENT).status_code for each in again] == [204, 204]
    others = [re.sub(r"known=\w+", "known=another", each) for each in again]
    texts = " ".join(browser.get(each, headers=FRAGMENT).content.decode() for each in others)
    assert "1 memory change was made on the branch you left." in texts
    assert "1 memory change of branch 1 stands" in texts
    with stubbed.person.scope():
        core.operate(stubbed.block("human").id, Replace("Drinks tea.", "Drinks coffee."), actor=core.by_me())
    answers = [browser.get(each, headers=FRAGMENT) for each in again]
    assert [(each.status_code, each.content.strip()) for each in answers] == [(200, b""), (200, b"")]
    assert browser.get(again[0]).status_code == 302
    undone = browser.post(again[0], headers=FRAGMENT).content.decode()
    assert "There was nothing left to take back." in undone


def test_others_see_the_branches_and_no_button_that_is_not_theirs(cast: Cast) -> None:
    chat = new_chat(cast.alice, new_agent(cast.alice, cast.team), cast.team)
    turn = stopped(cast.alice, chat, "One way")
    with cast.alice.scope():
        made = branching.edit_message(turn.message_id, content="Another way", client_id="x").turn
        services.stop_turn(made.id)
    edit, switch, again = "data-edit-message", "data-switch", "data-retry"
    assert all(word in page(cast.alice, chat) for word in (edit, switch, again, "2 / 2"))
    cast.let_bob_in("viewer")
    shown = page(cast.bob, chat)
    assert "2 / 2" in shown
    assert not [word for word in (edit, switch, again) if word in shown]
    cast.let_bob_in("member")
    shown = page(cast.bob, chat)
    assert [word for word in (edit, switch, again) if word in shown] == [switch, again]
    url = address(chat, f"messages/{made.message_id}/edit/")
    assert cast.bob.browser.get(url).status_code == 403


MARK = re.compile(r'<a class="tag warn" href="([^"]+)"[^>]*>.*?on a branch that was left</a>', re.S)


def marks_of(stubbed: Stubbed, rest: str) -> list[str]:
    """Where the marks of a page of the block lead."""
    block = stubbed.block("human")
    found = stubbed.person.browser.get(f"/w/{block.workspace_id}/memory/{block.id}/versions/{rest}")
    assert found.status_code == 200
    return MARK.findall(found.content.decode())


def leads_to(stubbed: Stubbed, place: str) -> str:
    return stubbed.person.browser.get(place, follow=True).content.decode()


def test_versions_that_were_written_on_a_branch_that_was_left_are_marked(stubbed: Stubbed) -> None:
    stubbed.queue(calls(TEA), text("Noted."), text("Hello."))
    turn = stubbed.say("I drink tea.")
    pages = ("", "2/", "1..2/")
    assert [marks_of(stubbed, rest) for rest in pages] == [[], [], []]
    stubbed.edit(turn, "Hello")
    assert stubbed.block("human").version == 2
    for rest in pages:
        (place,) = marks_of(stubbed, rest)
        assert "This message lies on a branch that was left.</strong> “I drink tea.”" in leads_to(
            stubbed, place
        )
    assert marks_of(stubbed, "1/") == []
    stubbed.switch(turn)
    assert [marks_of(stubbed, rest) for rest in pages] == [[], [], []]


def test_what_a_first_answer_wrote_is_marked_and_not_what_the_second_did(stubbed: Stubbed) -> None:
    milk = ("core_memory_append", {"label": "human", "content": "Drinks milk."})
    stubbed.queue(calls(TEA), text("Noted."), calls(milk), text("Noted again."))
    stubbed.answer_again(stubbed.say("You know what I drink."))
    assert stubbed.block("human").version == 3
    assert len(marks_of(stubbed, "")) == 1
    assert marks_of(stubbed, "3/") == []
    (place,) = marks_of(stubbed, "2/")
    assert "This message lies on a branch that was left." in leads_to(stubbed, place)


def test_the_search_says_what_a_branch_that_was_left_costs_a_hit(stubbed: Stubbed) -> None:
    stubbed.queue(text("I see."), text("Hello."))
    turn = stubbed.say("Our zebra is called Zoe.")
    where = f"/w/{stubbed.person.personal}/search/?q=zebra"
    said = "It was said on a branch that was left, and counts 50 % of what it would elsewhere."
    before = stubbed.person.browser.get(where).content.decode()
    assert "Our " in before
    assert said not in before
    stubbed.edit(turn, "Hello")
    after = stubbed.person.browser.get(where).content.decode()
    assert said in after
