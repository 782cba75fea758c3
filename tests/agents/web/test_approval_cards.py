"""A tool call that waits is a card in the chat: allow, edit, do not allow; it is there after a reload."""

import json
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from agents.models import Approval, Turn
from agents.turns import approvals
from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.llm.stub_server import StubServer
from tests.agents.ruled import FILE, NOTE, of, rule
from tests.agents.stubbed import Stubbed, stub_model
from tests.cast import Cast, new_agent, new_chat, work

FRAGMENT = {"HX-Request": "true"}


@pytest.fixture
def asking(stubbed: Stubbed) -> Stubbed:
    rule(stubbed, of("requires_approval", NOTE[0]), of("requires_approval", FILE[0]))
    return stubbed


def ask(stubbed: Stubbed, call: Any = NOTE) -> tuple[Turn, Approval]:
    stubbed.queue(calls(call), text("As you say."))
    turn = stubbed.say("I drink tea.")
    with stubbed.person.scope():
        return turn, Approval.objects.get(turn=turn)


def address(approval: Approval, turn: Turn, verb: str = "") -> str:
    return f"/w/{turn.workspace_id}/c/{turn.conversation_id}/approvals/{approval.id}/{verb}"


def post(client: Client, where: str, **data: str) -> HttpResponse:
    answer: Any = client.post(where, data, headers=FRAGMENT)
    return answer  # type: ignore[no-any-return]


def chat_page(stubbed: Stubbed, turn: Turn) -> str:
    return stubbed.person.browser.get(f"/w/{turn.workspace_id}/c/{turn.conversation_id}/").content.decode()


def test_the_card_stands_in_the_chat_with_tool_and_arguments(asking: Stubbed) -> None:
    turn, approval = ask(asking)
    page = chat_page(asking, turn)
    assert f'id="approval-{approval.id}"' in page
    for words in ("May it run", "core_memory_append", "Drinks tea.", "Waits for a decision."):
        assert words in page
    assert "data-stream" in page


def test_it_is_allowed_and_the_page_says_so_later(asking: Stubbed) -> None:
    turn, approval = ask(asking)
    card = post(asking.person.browser, address(approval, turn, "approve/")).content.decode()
    assert "Allowed" in card
    assert "May it run" not in card
    work(turn)
    page = chat_page(asking, turn)
    assert "Allowed" in page
    assert "As you say." in page


def test_it_is_not_allowed_with_a_note(asking: Stubbed) -> None:
    turn, approval = ask(asking)
    card = post(asking.person.browser, address(approval, turn, "reject/"), note="Never.").content.decode()
    assert "Not allowed" in card
    assert "“Never.”" in card


def test_arguments_are_edited_field_by_field(asking: Stubbed) -> None:
    turn, approval = ask(asking, ("archival_memory_insert", {"content": "Tea\nat four.", "tags": ["tea"]}))
    browser = asking.person.browser
    form = browser.get(address(approval, turn) + "?edit=1", headers=FRAGMENT).content.decode()
    assert 'name="argument-content"' in form
    assert "Tea\nat four." in form
    assert "[&quot;tea&quot;]" in form
    wrong = post(browser, address(approval, turn, "approve/"), edited="1", **{"argument-tags": "tea, four"})
    assert wrong.status_code == 422
    assert "This is no JSON" in wrong.content.decode()
    typed = {"argument-content": "Tea at\r\nfive.", "argument-tags": '["tea", "five"]'}
    card = post(browser, address(approval, turn, "approve/"), edited="1", **typed).content.decode()
    assert "What the agent asked for" in card
    with asking.person.scope():
        edited = json.loads(Approval.objects.get(id=approval.id).edited)
    assert edited == {"content": "Tea at\nfive.", "tags": ["tea", "five"]}


def test_the_row_of_the_call_says_what_it_ran_with(asking: Stubbed) -> None:
    turn, approval = ask(asking, FILE)
    typed = {"argument-content": "Tea is at five."}
    post(asking.person.browser, address(approval, turn, "approve/"), edited="1", **typed)
    work(turn)
    page = chat_page(asking, turn)
    row = page.split(f'id="call-{approval.call_id}"')[1].split("</details>")[0]
    assert "“Tea is at five.”" in row
    assert "Tea is at four." not in row
    assert "Tea is at four." in page, "the card still says what the agent asked for"


def test_a_card_whose_time_is_over_offers_nothing_though_nobody_has_swept_it_up(asking: Stubbed) -> None:
    turn, approval = ask(asking)
    browser = asking.person.browser
    assert "data-approve" in browser.get(address(approval, turn)).content.decode()
    with asking.person.scope():
        Approval.objects.filter(id=approval.id).update(expires_at=timezone.now())
    for rest in ("", "?edit=1"):
        card = browser.get(address(approval, turn) + rest, headers=FRAGMENT).content.decode()
        assert "Nobody decided in time" in card
        for offer in ("data-approve", "data-edit", "data-reject", "data-open", "<textarea"):
            assert offer not in card, offer
    assert post(browser, address(approval, turn, "approve/")).status_code == 409


def test_saying_no_is_not_called_like_the_way_to_it(asking: Stubbed) -> None:
    turn, approval = ask(asking)
    card = asking.person.browser.get(address(approval, turn), headers=FRAGMENT).content.decode()
    assert card.count("Do not allow") == 1
    assert "Say no</button>" in card


def test_what_the_tool_does_not_take_comes_back_with_the_reason(asking: Stubbed) -> None:
    turn, approval = ask(asking)
    typed = {"argument-label": "human", "argument-content": ""}
    answer = post(asking.person.browser, address(approval, turn, "approve/"), edited="1", **typed)
    assert answer.status_code == 200
    turn, approval = ask_again(asking, turn)
    typed = {"argument-tags": '{"a": 1}', "argument-content": "x"}
    answer = post(asking.person.browser, address(approval, turn, "approve/"), edited="1", **typed)
    assert answer.status_code == 422
    assert "The tool does not take this" in answer.content.decode()


def ask_again(asking: Stubbed, before: Turn) -> tuple[Turn, Approval]:
    work(before)
    return ask(asking, FILE)


def test_an_unchanged_form_is_no_edit(asking: Stubbed) -> None:
    name, given = NOTE
    turn, approval = ask(asking, (name, given | {"request_heartbeat": True}))
    typed = {f"argument-{key}": value for key, value in given.items()}
    post(asking.person.browser, address(approval, turn, "approve/"), edited="1", **typed)
    with asking.person.scope():
        assert Approval.objects.get(id=approval.id).edited == ""


def test_who_comes_too_late_is_told(asking: Stubbed) -> None:
    turn, approval = ask(asking)
    with asking.person.scope():
        approvals.reject(approval.id)
    answer = post(asking.person.browser, address(approval, turn, "approve/"))
    assert answer.status_code == 409
    assert "decided already" in answer.content.decode()


def test_without_script_it_leads_back_to_the_chat(asking: Stubbed) -> None:
    turn, approval = ask(asking)
    page = asking.person.browser.get(address(approval, turn)).content.decode()
    assert "<h1" in page
    answer = asking.person.browser.post(address(approval, turn, "approve/"))
    assert answer.status_code == 302
    assert answer.headers["Location"].endswith(f"/c/{turn.conversation_id}/#turn-{turn.id}")


def test_the_stop_button_stops_a_turn_that_waits(asking: Stubbed) -> None:
    turn, _ = ask(asking)
    asking.person.browser.post(f"/w/{turn.workspace_id}/c/{turn.conversation_id}/stop/", headers=FRAGMENT)
    assert asking.fresh(turn).status == Turn.Status.STOPPED
    assert "Stopped" in chat_page(asking, turn)


def test_a_member_sees_anothers_card_without_buttons(cast: Cast, impatient: None) -> None:
    with StubServer() as server:
        agent = new_agent(cast.alice, cast.team, model_id=stub_model(cast.alice, server.url).id)
        asking = Stubbed(cast.alice, server, agent, new_chat(cast.alice, agent, cast.team))
        rule(asking, of("requires_approval", FILE[0]))
        turn, approval = ask(asking, FILE)
        cast.let_bob_in("member")
        card = cast.bob.browser.get(address(approval, turn), headers=FRAGMENT).content.decode()
        assert "Tea is at four." in card
        assert "data-approve" not in card
        assert "an editor of this workspace, decides" in card
        assert "data-approve" in cast.alice.browser.get(address(approval, turn)).content.decode()


def test_a_chat_in_which_a_call_waits_is_marked_in_the_lists(asking: Stubbed) -> None:
    turn, approval = ask(asking)
    home = f"/w/{turn.workspace_id}/"

    def marked() -> list[bool]:
        page = asking.person.browser.get(home).content.decode()
        return ["A tool call waits for a yes or no" in page, "A tool call in it waits" in page]

    assert marked() == [True, True]
    with asking.person.scope():
        approvals.reject(approval.id)
    work(turn)
    assert marked() == [False, False]
