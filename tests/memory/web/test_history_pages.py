"""A block's past: a version whole, any two compared, each line with its origin; in bounded queries."""

from __future__ import annotations

import pytest
from django.db import connections

from memory import core
from memory.core import by_me
from memory.models import Block, Message
from memory.operations import Append
from memory.provenance import source_of_message
from tests.cast import Cast, Person, new_agent, new_chat, send
from tests.memory.web.pages import address, fill, new_block, queries_of, write


@pytest.fixture
def block(alice: Person) -> Block:
    return new_block(alice, value="周报：段落\n时区：上海")


def test_one_version_is_shown_whole_with_what_it_changed(alice: Person, block: Block) -> None:
    write(alice, block, "周报：要点\n时区：上海")
    page = alice.browser.get(address(block, "versions/2/")).content.decode()
    assert "周报：<del>段落</del><ins>要点</ins>" in page
    assert "周报：要点\n时区：上海" in page
    assert address(block, "versions/1/") in page
    assert alice.browser.get(address(block, "versions/3/")).status_code == 404


def test_any_two_versions_are_compared_word_by_word(alice: Person, block: Block) -> None:
    for value in ("周报：要点\n时区：上海", "周报：要点\n时区：北京", "周报：表格\n时区：北京"):
        write(alice, block, value)
    answer = alice.browser.get(address(block, "versions/compare/?a=1&b=4"), follow=True)
    page = answer.content.decode()
    assert answer.redirect_chain[0][0].endswith(f"/memory/{block.id}/versions/1..4/")
    assert "周报：<del>段落</del><ins>表格</ins>\n时区：<del>上海</del><ins>北京</ins>" in page
    back = alice.browser.get(address(block, "versions/4..1/")).content.decode()
    assert "<del>表格</del><ins>段落</ins>" in back


@pytest.mark.parametrize("query", ["", "?a=x&b=1", "?a=1", "?a=99999999999&b=1", "?a=0&b=0", "?a=500&b=900"])
def test_numbers_that_are_none_lead_somewhere(alice: Person, block: Block, query: str) -> None:
    answer = alice.browser.get(address(block, f"versions/compare/{query}"), follow=True)
    assert answer.status_code == 200


def test_an_erased_version_says_so(alice: Person, block: Block) -> None:
    write(alice, block, "new")
    with connections["owner"].cursor() as cursor:
        erase = (
            "UPDATE memory_blockversion SET value = '', erased_at = now() WHERE block_id = %s AND number = 1"
        )
        cursor.execute(erase, [block.id])
    for rest in ("versions/1/", "versions/1..2/", "versions/"):
        page = alice.browser.get(address(block, rest)).content.decode()
        assert "The content was erased." in page, rest
        assert "段落" not in page, rest


def test_each_line_says_which_version_brought_it_and_from_which_message(alice: Person) -> None:
    block = new_block(alice, value="first")
    chat = new_chat(alice, new_agent(alice))
    turn = send(alice, chat, "I like tea.")
    with alice.scope():
        source = source_of_message(Message.objects.get(id=turn.message_id))
        core.operate(block.id, Append("Likes tea."), actor=by_me(), source=source)
    page = alice.browser.get(address(block, "blame/")).content.decode()
    first, second = page.split('<ol class="blame">')[1].split("<li>\n  <div")[1:]
    assert "v1</a>" in first
    assert "<li>first</li>" in first
    assert "v2</a>" in second
    assert "<li>Likes tea.</li>" in second
    assert f"/messages/{turn.message_id}/" in second
    assert 'start="2"' in second
    answer = alice.browser.get(f"/w/{alice.personal}/messages/{turn.message_id}/", follow=True)
    assert "I like tea." in answer.content.decode()


def test_a_message_of_a_chat_that_is_not_mine_is_no_link(cast: Cast) -> None:
    """A block that was moved brings its history along; the chat that it rests on stays where it is."""
    block = new_block(cast.alice, cast.team, value="first")
    turn = send(cast.alice, new_chat(cast.alice, new_agent(cast.alice)), "I like tea.")
    with cast.alice.scope():
        message = Message.objects.get(id=turn.message_id)
        source = source_of_message(message, cast.team)
        core.operate(block.id, Append("Likes tea."), actor=by_me(), source=source)
    cast.let_bob_in("editor")
    for rest in ("blame/", "versions/", "versions/2/"):
        link = f"/messages/{turn.message_id}/"
        assert link in cast.alice.browser.get(address(block, rest)).content.decode(), rest
        assert link not in cast.bob.browser.get(address(block, rest)).content.decode(), rest
    assert "from a chat you do not see" in cast.bob.browser.get(address(block, "blame/")).content.decode()
    page = cast.alice.browser.get(f"/w/{cast.team}/messages/{turn.message_id}/")
    assert page.status_code == 302  # the message lies in her own workspace


def test_a_page_of_two_thousand_versions_asks_as_often_as_one_of_five(alice: Person) -> None:
    short, long = new_block(alice), new_block(alice, label="long")
    fill(alice, short, 5)
    fill(alice, long, 2000)
    for rest in ("", "versions/", "versions/3/", "versions/1..4/", "access/", "attached/", "move/"):
        assert queries_of(alice, address(long, rest)) == queries_of(alice, address(short, rest)), rest
    assert queries_of(alice, address(long, "versions/?before=1000")) <= queries_of(
        alice, address(short, "versions/")
    )
    # Each line's origin is looked for in windows of a hundred versions, at most twenty of them.
    assert queries_of(alice, address(long, "blame/")) <= queries_of(alice, address(short, "blame/")) + 20


def test_versions_come_fifty_at_a_time(alice: Person) -> None:
    block = new_block(alice)
    fill(alice, block, 120)
    page = alice.browser.get(address(block, "versions/")).content.decode()
    assert page.count('class="number"') == 50
    more = page.split('class="pages"')[1].split('href="')[1].split('"')[0].replace("&amp;", "&")
    assert 'versions/70/">v70<' in alice.browser.get(address(block, f"versions/{more}")).content.decode()
