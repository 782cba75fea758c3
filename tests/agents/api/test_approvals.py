"""Tool calls that wait, over the API: what waits, yes, no, other arguments; the answer says that it waits."""

import json
from typing import Any

import pytest

from agents.models import Approval, Turn
from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.ruled import NOTE, of, rule
from tests.agents.stubbed import Stubbed
from tests.cast import work

API = "/api/v1/approvals/"


@pytest.fixture
def asked(stubbed: Stubbed) -> tuple[Stubbed, Turn, Approval]:
    """Alice's chat, in which a call waits."""
    rule(stubbed, of("requires_approval", NOTE[0]))
    stubbed.queue(calls(NOTE), text("Noted."))
    turn = stubbed.say("I drink tea.")
    with stubbed.person.scope():
        return stubbed, turn, Approval.objects.get(turn=turn)


def post(stubbed: Stubbed, address: str, **body: Any) -> Any:
    return stubbed.person.api.post(f"{API}{address}", body, content_type="application/json")


def test_it_lists_what_waits(asked: tuple[Stubbed, Turn, Approval]) -> None:
    stubbed, turn, approval = asked
    (row,) = stubbed.person.api.get(API).json()["results"]
    assert row["id"] == str(approval.id)
    assert (row["tool"], row["arguments"], row["edited"]) == (NOTE[0], NOTE[1], None)
    assert (row["status"], row["may_decide"], row["may_edit"]) == ("open", True, True)
    assert (row["turn"], row["conversation"]) == (str(turn.id), str(turn.conversation_id))
    assert stubbed.person.api.get(f"/api/v1/turns/{turn.id}/").json()["status"] == "awaiting"


def test_it_is_allowed_with_other_arguments(asked: tuple[Stubbed, Turn, Approval]) -> None:
    stubbed, turn, approval = asked
    wrong = post(stubbed, f"{approval.id}/approve/", arguments={"label": "human"})
    assert wrong.status_code == 422
    assert "content" in wrong.json()["detail"]
    told = post(stubbed, f"{approval.id}/approve/", arguments=NOTE[1] | {"content": "Drinks milk."}).json()
    assert (told["status"], told["edited"]["content"], told["may_decide"]) == (
        "approved",
        "Drinks milk.",
        False,
    )
    work(turn)
    assert stubbed.block("human").value == "Drinks milk."
    assert stubbed.person.api.get(API).json()["results"] == []
    (row,) = stubbed.person.api.get(API, {"status": "approved"}).json()["results"]
    assert row["id"] == str(approval.id)


def test_it_is_refused_once(asked: tuple[Stubbed, Turn, Approval]) -> None:
    stubbed, turn, approval = asked
    told = post(stubbed, f"{approval.id}/reject/", note="No.").json()
    assert (told["status"], told["note"]) == ("rejected", "No.")
    assert post(stubbed, f"{approval.id}/approve/").status_code == 409
    work(turn)
    assert json.loads(stubbed.results(turn)[0])["note"] == "No."


@pytest.mark.parametrize("body", [{"arguments": "all"}, {"arguments": [1]}, {"note": 3}, {"colour": "red"}])
def test_it_takes_nothing_else(asked: tuple[Stubbed, Turn, Approval], body: dict[str, Any]) -> None:
    stubbed, _, approval = asked
    assert post(stubbed, f"{approval.id}/approve/", **body).status_code == 400
    assert stubbed.person.api.get(f"{API}{approval.id}/").json()["status"] == "open"
