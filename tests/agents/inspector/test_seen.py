"""A past window is shown as it was sent, part by part; the next one as it would be."""

from __future__ import annotations

import json

from agents.context.recording import RESERVE
from agents.core_memory import agent_blocks
from agents.inspector.costs import cost_of
from agents.inspector.searches import searches_before
from agents.inspector.seen import Seen, seen, seen_next, step_of
from agents.inspector.timeline import timeline
from agents.models import MainContext, Step
from memory import core
from memory.models import Message
from memory.operations import Append
from tests.agents.llm.stub_behaviours import calls, text
from tests.agents.llm.stub_server import StubServer
from tests.agents.stubbed import Stubbed, make_stubbed
from tests.cast import Person

REMEMBER = calls(("core_memory_append", {"label": "human", "content": "Drinks tea."}))
LOOK = calls(("archival_memory_search", {"query": "tea"}))


def look(stubbed: Stubbed, step: Step) -> Seen:
    with stubbed.person.scope():
        return seen(Step.objects.select_related("turn").get(id=step.id))


def test_a_past_window_is_what_was_sent_after_its_blocks_have_changed(alice: Person) -> None:
    with StubServer(REMEMBER, text("Noted.")) as server:
        stubbed = make_stubbed(alice, server)
        first, second = stubbed.steps(stubbed.say("I drink tea."))
        with alice.scope():
            human = next(each for each in agent_blocks(stubbed.agent) if each.label == "human")
            core.operate(human.block_id, Append("And coffee."), actor=core.by_me())
        windows = [look(stubbed, step) for step in (first, second)]
        assert [window.is_exact for window in windows] == [True, True]
        texts = ["".join(part.text or "" for part in window.parts) for window in windows]
        assert "Drinks tea." not in texts[0]
        assert "Drinks tea." in texts[1]
        assert "And coffee." not in texts[1]
        for window, step, number in zip(windows, (first, second), (0, 1), strict=True):
            assert window.used == step.counted_tokens
            sent = json.dumps(stubbed.request(number), ensure_ascii=False)
            for each in window.queue:
                assert not each.text or json.dumps(each.text, ensure_ascii=False) in sent


def test_the_parts_and_what_is_free_for_the_answer_fill_no_more_than_the_window(alice: Person) -> None:
    with StubServer(text("Hello!")) as server:
        stubbed = make_stubbed(alice, server)
        (step,) = stubbed.steps(stubbed.say("Hello"))
        window = look(stubbed, step)
        reserve = next(part.tokens for part in window.parts if part.kind == RESERVE)
        assert reserve > 0
        assert window.used + reserve <= window.size == stubbed.agent.window_size
        assert window.capacity + reserve == window.size


def test_the_next_window_is_shown_and_nothing_changes_by_looking(alice: Person) -> None:
    with StubServer(text("Hello!")) as server:
        stubbed = make_stubbed(alice, server)
        stubbed.say("Hello")
        before = stubbed.context()
        with alice.scope():
            chat = MainContext.objects.select_related("agent__model", "summary", "conversation").get(
                id=stubbed.chat.id
            )
            window = seen_next(chat)
        assert [each.text for each in window.queue] == ["Hello", "Hello!"]
        assert window.step is None
        assert window.is_exact is None
        after = stubbed.context()
        assert (before.queue_from, before.summary_id) == (after.queue_from, after.summary_id)


def test_each_message_leads_to_the_step_behind_it(alice: Person) -> None:
    with StubServer(REMEMBER, text("Noted."), text("Tea.")) as server:
        stubbed = make_stubbed(alice, server)
        turn = stubbed.say("I drink tea.")
        first, second = stubbed.steps(turn)
        asked, called, _, spoken = stubbed.messages(turn)
        (third,) = stubbed.steps(stubbed.say("What do I drink?"))
        with alice.scope():
            steps = [step_of(each) for each in (asked, called, spoken)]
            assert [step and step.id for step in steps] == [first.id, first.id, second.id]
            last = Message.objects.filter(conversation_id=stubbed.chat.conversation_id).latest("position")
            found = step_of(last)
        assert found is not None
        assert found.id == third.id


def test_what_was_looked_up_stands_beside_it_with_scores(alice: Person) -> None:
    file = calls(("archival_memory_insert", {"content": "Green tea is kept in the blue tin."}))
    with StubServer(file, text("Filed."), LOOK, text("In the blue tin.")) as server:
        stubbed = make_stubbed(alice, server)
        stubbed.say("File that.")
        turn = stubbed.say("Where is the tea?")
        first, second = stubbed.steps(turn)
        with alice.scope():
            assert searches_before(Step.objects.get(id=first.id)) == []
            (search,) = searches_before(Step.objects.get(id=second.id))
        assert (search.tool, search.query) == ("archival_memory_search", "tea")
        (hit,) = search.found
        assert hit.text == "Green tea is kept in the blue tin."
        assert hit.is_shown
        assert hit.score > 0
        assert "lexical" in hit.parts
        (result,) = [each for each in stubbed.messages(turn) if each.role == "tool"]
        assert result.detail["ms"] > 0
        assert 'hits": ' not in result.content


def test_a_turn_says_what_memory_cost(alice: Person) -> None:
    with StubServer(REMEMBER, text("Noted."), text("Hello.")) as server:
        stubbed = make_stubbed(alice, server)
        with_memory, without = stubbed.say("I drink tea."), stubbed.say("Hello")
        with alice.scope():
            one, other = cost_of(with_memory), cost_of(without)
        assert (one.whole.steps, one.memory.steps) == (2, 1)
        assert 0 < one.memory.tokens < one.whole.tokens
        assert 0 < one.memory.ms <= one.whole.ms
        assert (other.whole.steps, other.memory.steps, other.memory.tokens) == (1, 0, 0)


def test_over_time_blocks_change_and_the_window_fills(alice: Person) -> None:
    with StubServer(REMEMBER, text("Noted."), text("Tea.")) as server:
        stubbed = make_stubbed(alice, server)
        stubbed.say("I drink tea.")
        stubbed.say("What do I drink?")
        with alice.scope():
            chat = MainContext.objects.get(id=stubbed.chat.id)
            found = timeline(chat).moments
        assert [each.changed for each in found] == [{}, {"human": 1}, {}]
        assert found[0].tokens["queue"] < found[1].tokens["queue"] < found[2].tokens["queue"]


def test_what_left_in_the_background_is_told_at_the_next_step(alice: Person) -> None:
    with StubServer(text("Well."), text("Well.")) as server:
        stubbed = make_stubbed(alice, server)
        turns = [stubbed.say("Hello"), stubbed.say("And now?")]
        (step,) = stubbed.steps(turns[1])
        assert not look(stubbed, step).left_in_background
        with alice.scope():
            Step.objects.filter(id=step.id).update(window=step.window | {"breaks": ["summary", "eviction"]})
            chat = MainContext.objects.get(id=stubbed.chat.id)
            assert [each.left_in_background for each in timeline(chat).moments] == [False, True]
        assert look(stubbed, step).left_in_background


def test_a_block_that_was_shown_in_part_says_how_much_of_it(alice: Person) -> None:
    with StubServer(text("Well.")) as server:
        stubbed = make_stubbed(alice, server, window=4000)
        with alice.scope():
            persona = next(each for each in agent_blocks(stubbed.agent) if each.label == "persona")
            core.operate(persona.block_id, Append("季度计划" * 1200), actor=core.by_me())
        (step,) = stubbed.steps(stubbed.say("Hello"))
        part = next(each for each in look(stubbed, step).parts if each.label == "persona")
        assert part.kept
        assert part.kept < 4800
        assert part.text
        where = f"/w/{alice.personal}/c/{stubbed.chat.conversation_id}/context/?step={step.id}"
        assert f"Only its first {part.kept:,} characters" in alice.browser.get(where).content.decode()
