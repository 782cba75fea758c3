"""What is decided is not asked about again, though other calls of the same answer are, later; and whoever
tries again has all steps anew."""

import pytest

from agents import services
from agents.models import Turn
from agents.turns import approvals
from tests.agents.asking import decide, waiting
from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.ruled import FILE, LOOK, NOTE, SAY, of, refused, rule
from tests.agents.stubbed import Stubbed
from tests.cast import work

ASKS = of("requires_approval", NOTE[0])
OTHER = ("core_memory_append", {"label": "human", "content": "Has a cat."})


@pytest.fixture
def asking(stubbed: Stubbed) -> Stubbed:
    """Alice's agent asks before it writes core memory."""
    rule(stubbed, ASKS)
    return stubbed


def test_a_no_opens_another_call(asking: Stubbed) -> None:
    """After core memory only a search may come; without it, the passage before that search may be filed."""
    rule(
        asking,
        ASKS,
        of("requires_approval", FILE[0]),
        of("constrain_child_tools", NOTE[0], children=[LOOK[0]]),
    )
    asking.queue(calls(NOTE, FILE, LOOK, OTHER), calls(LOOK, SAY))
    turn = asking.say("I drink tea.")
    first, last = waiting(asking, turn)
    decide(asking.person, approvals.reject, first)
    decide(asking.person, approvals.approve, last)
    work(turn)
    (opened,) = waiting(asking, turn)
    assert opened.tool == FILE[0]
    decide(asking.person, approvals.approve, opened)
    work(turn)
    assert asking.fresh(turn).status == Turn.Status.DONE
    assert refused(asking.messages(turn)) == ["rejected"]
    assert asking.block("human").value == "Has a cat."


def test_new_rules_ask_about_another_call(asking: Stubbed) -> None:
    asking.queue(calls(NOTE, FILE, OTHER), text("Done."))
    turn = asking.say("I drink tea.")
    first, last = waiting(asking, turn)
    rule(asking, ASKS, of("requires_approval", FILE[0]))
    decide(asking.person, approvals.approve, first)
    decide(asking.person, approvals.reject, last)
    work(turn)
    (opened,) = waiting(asking, turn)
    assert opened.tool == FILE[0]
    decide(asking.person, approvals.approve, opened)
    work(turn)
    assert asking.fresh(turn).status == Turn.Status.DONE
    assert asking.block("human").value == "Drinks tea."


def test_steps_from_before_a_stop_do_not_count_for_the_next_try(asking: Stubbed) -> None:
    """Though the turn had been said yes to, and was in the line again, when it was stopped."""
    rule(asking, ASKS, steps_max=1)
    asking.queue(calls(NOTE), text("Hello."), text("Hello."))
    turn = asking.say("I drink tea.")
    decide(asking.person, approvals.approve, waiting(asking, turn)[0])
    with asking.person.scope():
        services.stop_turn(turn.id)
    asking.retry(turn)
    ended = asking.fresh(turn)
    assert (ended.status, ended.error_kind) == (Turn.Status.DONE, "")
