"""What a model call was sent is kept by reference: exact after memory changed, gone where it was erased."""

import json
from typing import Any

from agents import blocks, core_memory
from agents.context import recording, window
from agents.context.parts import PartKind, request_digest
from agents.models import MainContext, PartText, Step
from memory import core
from memory.models import Message
from memory.operations import Append
from tests.agents.context.compiling import fill
from tests.agents.llm.stub_behaviours import calls, cut, text
from tests.agents.sharing import new_block
from tests.agents.stubbed import Stubbed
from tests.cast import Cast, new_agent, new_chat, send, work

NOTE = ("core_memory_append", {"label": "human", "content": "Drinks tea."})
LOOK = ("conversation_search", {"query": "tea"})


def requests(stubbed: Stubbed) -> list[Any]:
    return [request.json for request in stubbed.server.requests]


def all_steps(stubbed: Stubbed) -> list[Step]:
    with stubbed.person.scope():
        return list(Step.objects.filter(turn__context=stubbed.chat).select_related("turn").order_by("id"))


def talked(stubbed: Stubbed) -> None:
    stubbed.queue(calls(NOTE), text("Noted."), calls(LOOK), text("Nothing."), text("Yes."))
    for words in ("I drink tea.", "Look for tea.", "Well?"):
        stubbed.say(words)


def test_a_step_tells_of_every_part_and_they_sum_to_what_was_counted(stubbed: Stubbed) -> None:
    talked(stubbed)
    steps = all_steps(stubbed)
    assert len(steps) == 5
    for step in steps:
        parts = step.window["parts"]
        kinds = [part["kind"] for part in parts]
        assert kinds == ["system", "tools", "core", "block", "block", "core", "queue", "status", "reserve"]
        assert sum(part["tokens"] for part in parts[:-1]) == step.counted_tokens
        assert step.counted_tokens + parts[-1]["tokens"] <= step.window["size"]
        assert step.window["ms"] > 0


def test_past_steps_are_put_together_again_byte_for_byte(stubbed: Stubbed) -> None:
    talked(stubbed)
    with stubbed.person.scope():
        core.operate(stubbed.block("persona").id, Append("Be brief."), actor=core.by_me())
    stubbed.queue(text("Yes."))
    stubbed.say("Still there?")
    for step, request in zip(all_steps(stubbed), requests(stubbed), strict=True):
        with stubbed.person.scope():
            sent = recording.read(step)
            assert sent.is_exact
            assert sent.messages() == recording.rendered(step) == request["messages"]
            assert sent.tools() == request["tools"]
        assert step.digest == request_digest(request["messages"], request["tools"])


def test_they_stay_exact_when_the_window_moved_on(stubbed: Stubbed) -> None:
    talked(stubbed)
    small = stubbed.agent
    with stubbed.person.scope():
        type(small).objects.filter(id=small.id).update(window=4_000)
    fill(stubbed.person, stubbed.chat, 40)
    stubbed.queue(text("Yes."))
    stubbed.say("Still there?")
    assert stubbed.context().queue_from > 10
    steps = all_steps(stubbed)
    assert steps[-1].window["evicted"]
    for step, request in zip(steps, requests(stubbed), strict=True):
        with stubbed.person.scope():
            assert recording.rendered(step) == request["messages"]


def test_each_text_is_kept_once(stubbed: Stubbed) -> None:
    talked(stubbed)
    with stubbed.person.scope():
        kept = sorted(PartText.objects.values_list("kind", flat=True))
    # The human block changed once.
    assert kept == ["block", "block", "block", "system", "tools"]


def test_a_step_whose_answer_broke_off_is_kept_like_any_other(stubbed: Stubbed) -> None:
    stubbed.queue(cut("Hel"), text("Hello."))
    turn = stubbed.say("Hello.")
    broken, whole = stubbed.steps(turn)
    assert broken.error_kind
    assert broken.window == whole.window
    assert broken.digest == whole.digest


def test_what_is_erased_is_gone_here_too(stubbed: Stubbed) -> None:
    talked(stubbed)
    step = all_steps(stubbed)[-1]
    block = stubbed.block("human")
    with stubbed.person.scope():
        assert "Drinks tea." in json.dumps(recording.rendered(step))
        erased = PartText.objects.filter(records__contains=[block.id])
        assert {each.kind for each in erased} == {"block"}
        erased.delete()
        Message.objects.filter(conversation_id=stubbed.chat.conversation_id).update(content="", tool_calls=[])
        sent = recording.read(step)
        assert "Drinks tea" not in json.dumps(sent.messages())
        assert not sent.is_exact
        gone = [part for part in sent.parts if part.text is None and not part.queue]
        assert {part.reference["label"] for part in gone} == {"human"}


def test_it_is_shown_on_the_branch_that_was_the_chat_then(stubbed: Stubbed) -> None:
    talked(stubbed)
    last = all_steps(stubbed)[-1]
    with stubbed.person.scope():
        before = recording.rendered(last)
        abandoned = Message.objects.filter(
            conversation_id=stubbed.chat.conversation_id, position__gte=last.window["parts"][-3]["to"]
        )
        assert abandoned.update(is_abandoned=True) >= 2
        assert recording.rendered(last) == before


def test_a_block_lies_where_it_is_seen(cast: Cast) -> None:
    """Alice's turn in a team's chat is seen by Bob; not a block of a workspace that he does not see."""
    cast.let_bob_in()
    agent = new_agent(cast.alice, cast.team)
    chat = new_chat(cast.alice, agent, cast.team)
    turn = send(cast.alice, chat, "Hello.")
    work(turn)
    with cast.alice.scope():
        step = Step.objects.filter(turn=turn).select_related("turn").latest("id")
        assert recording.read(step).is_exact
        first = next(part for part in step.window["parts"] if part["kind"] == "block")
        block = PartText.objects.get(digest=first["text"])
        assert str(block.workspace_id) == first["workspace"]
    with cast.bob.scope():
        assert recording.read(Step.objects.select_related("turn").get(id=step.id)).is_exact
    with cast.charlie.scope():
        assert not Step.objects.filter(id=step.id).exists()
        assert not PartText.objects.filter(id=block.id).exists()


def test_what_would_be_sent_now_is_told_alike_and_changes_nothing(stubbed: Stubbed) -> None:
    talked(stubbed)
    with stubbed.person.scope():
        context = MainContext.objects.select_related("agent__model", "summary").get(id=stubbed.chat.id)
        before = (context.queue_from, context.summary_id, context.window_used, context.is_filling)
        made = window.preview(context)
        shown = recording.described(made)
        context.refresh_from_db()
        assert before == (context.queue_from, context.summary_id, context.window_used, context.is_filling)
        assert [part["kind"] for part in shown["parts"]][-3:] == ["queue", "status", "reserve"]
        assert len(core_memory.blocks_in_chat(context)) == len(made.of(PartKind.BLOCK))
    queue = next(part for part in shown["parts"] if part["kind"] == "queue")
    assert queue["count"] == len(stubbed.messages())


def test_the_text_of_a_block_that_is_lent_is_not_kept(cast: Cast) -> None:
    """It lies in its owner's workspace, which a turn that others read does not reach."""
    cast.let_bob_in()
    agent = new_agent(cast.alice, cast.team)
    chat = new_chat(cast.alice, agent, cast.team)
    block = new_block(cast.alice, cast.alice.personal, "mine", value="Alice's secret.")
    with cast.alice.scope():
        blocks.attach(agent.id, block.id)
        blocks.lend(agent.id, block.id, allowed=True)
    turn = send(cast.alice, chat, "Hello.")
    work(turn)
    with cast.alice.scope():
        step = Step.objects.filter(turn=turn).select_related("turn").latest("id")
        (lent,) = [part for part in step.window["parts"] if part.get("is_lent")]
        assert (lent["label"], lent["text"], lent["version"]) == ("mine", "", 1)
        assert lent["tokens"] > 0
        assert not PartText.objects.filter(text__contains="Alice's secret.").exists()
        sent = recording.read(step)
    assert [part.text for part in sent.parts if part.reference.get("is_lent")] == [None]
    assert not sent.is_exact
