"""A turn as it streams: each event brings a page to the same state as the whole so far."""

from __future__ import annotations

import re

from agents.events import Event
from agents.web.live import LiveTurn

PARTIAL = re.compile(r'<hx-partial hx-target="#([^"]+)" hx-swap="([^"]+)">(.*?)</hx-partial>', re.DOTALL)
RUNNING = Event("state", {"status": "running"})


def live_turn() -> LiveTurn:
    return LiveTurn(
        "7",
        before="",
        show_change=lambda block, number: f"<i>{block} v{number}</i>",
        show_proposal=lambda proposal: f"<u>{proposal}</u>",
        show_approval=lambda approval: f"<b>{approval}</b>",
    )


def partials(html: str) -> list[tuple[str, str, str]]:
    return PARTIAL.findall(html)


def parts(live: LiveTurn) -> str:
    return next(html for target, _swap, html in partials(live.whole()) if target == "turn-7-parts")


def said(text: str) -> Event:
    return Event("text", {"text": text})


def test_it_appends_finished_blocks_and_replaces_only_the_open_one() -> None:
    live = live_turn()
    live.take(said("First.\n\nSec"))
    changed = partials(live.take(said("ond **wor")))
    assert [(target, swap) for target, swap, _html in changed] == [("turn-7-w1-open", "innerHTML")]
    changed = partials(live.take(said("d**.\n\nThird")))
    assert changed[0] == ("turn-7-w1-open", "beforebegin", "<p>Second <strong>word</strong>.</p>\n")
    assert changed[1] == ("turn-7-w1-open", "innerHTML", "<p>Third</p>\n")


def test_it_begins_with_everything_so_far() -> None:
    live = live_turn()
    for event in [RUNNING, said("Hello "), said("you")]:
        live.take(event)
    assert "<p>Hello you</p>" in parts(live)


def test_it_says_that_it_thinks_until_the_first_word() -> None:
    live = live_turn()
    assert "Thinking" in live.take(RUNNING)
    assert "Thinking" not in live.take(said("Hi"))


def test_it_drops_what_is_void_and_keeps_what_is_stored() -> None:
    live = live_turn()
    live.take(said("Kept."))
    live.take(Event("message", {"id": "1", "role": "assistant", "state": "complete"}))
    live.take(said("Void."))
    assert "Void" not in live.take(Event("restart", {}))
    assert "Kept." in parts(live)
    live.take(said("Again."))
    assert parts(live).count("Again.") == 1


def test_it_folds_a_tool_call_with_its_result_and_shows_the_change_after_it() -> None:
    live = live_turn()
    call = {"call": "c1", "name": "core_memory_append"}
    live.take(Event("tool", call | {"arguments": '{"label": "human", "content": "<b>tea</b>"}'}))
    html = live.take(Event("result", call | {"status": "ok", "content": '{"status": "ok"}', "message": "m"}))
    assert "<details" in html
    assert "&lt;b&gt;tea&lt;/b&gt;" in html
    changed = live.take(Event("memory", {"block": "b", "version": 2, "label": "human"}))
    assert changed == '<hx-partial hx-target="#turn-7-parts" hx-swap="beforeend"><i>b v2</i></hx-partial>'


def test_it_starts_a_stretch_of_its_own_after_each_stored_answer() -> None:
    live = live_turn()
    for number in (1, 2):
        live.take(said(f"Answer {number}"))
        live.take(Event("message", {"id": str(number), "role": "assistant", "state": "complete"}))
    assert re.findall(r'id="(turn-7-w\d)"', parts(live)) == ["turn-7-w1", "turn-7-w2"]


def test_it_takes_an_old_failure_away_when_the_turn_is_tried_again() -> None:
    live = live_turn()
    live.take(said("Half"))
    live.take(Event("message", {"id": "1", "role": "assistant", "state": "interrupted"}))
    assert "mark error" in live.take(Event("error", {"kind": "server", "text": "", "retryable": True}))
    live.take(Event("state", {"status": "queued"}))
    assert "mark error" not in parts(live)
    assert "Half" in parts(live)


def test_it_shows_what_was_proposed_as_it_stands_when_it_is_shown() -> None:
    live = live_turn()
    assert "<u>p1</u>" in live.take(Event("proposal", {"proposal": "p1", "block": "b", "label": "goals"}))
    assert "<u>p1</u>" in live.whole()


def test_it_ignores_kinds_that_it_does_not_know() -> None:
    assert live_turn().take(Event("step", {"number": 1})) == ""


def test_it_lets_no_markup_of_a_model_into_the_page() -> None:
    live = live_turn()
    html = live.take(said('<hx-partial hx-target="body">gone</hx-partial><script>x</script>'))
    assert [target for target, _swap, _html in partials(html)] == ["turn-7-parts", "turn-7-state"]
    assert "<script" not in html
