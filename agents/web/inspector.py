"""The context inspector: what the model saw or would see now, how the window filled, two windows side by
side, and why a record was not found."""

from __future__ import annotations

import uuid
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_GET

from agents.context.window import WindowTooSmall
from agents.inspector.comparing import compare
from agents.inspector.costs import cost_of
from agents.inspector.finding import Explained, explain
from agents.inspector.in_prompt import Standing
from agents.inspector.searches import searches_before
from agents.inspector.seen import Seen, seen, seen_next, step_of
from agents.inspector.timeline import Moment, moment_of, steps_of
from agents.inspector.timeline import timeline as filled
from agents.models import MainContext, Step, Turn
from agents.web import filling, inspected
from agents.web.chats import chat_in
from agents.web.failures import sentence
from agents.web.verdicts import in_words, words_of, words_of_standing
from memory.models import IndexEntry, Message
from memory.retrieval import BadQuery
from memory.retrieval.why_not import Reason
from tenants.models import Workspace
from tenants.web.doors import PageRequest, asked, is_fragment, is_uuid, show, workspace_page

STEPS_LISTED = 100
NOW = "now"


@require_GET
@workspace_page
def context(request: PageRequest, workspace: Workspace, conversation: uuid.UUID) -> HttpResponse:
    """A window: that of `?step=`, of the step behind `?message=`, of the last step of `?turn=`, or what would
    be sent now."""
    chat = chat_in(workspace, conversation)
    step = _asked_step(request, chat)
    is_unseen = step is None and any(asked(request, name) for name in ("message", "turn"))
    shown = _base(chat, step) | {"tab": "window", "fault": "", "is_unseen": is_unseen}
    try:
        shown |= _window(chat, seen(step) if step else seen_next(chat))
    except WindowTooSmall as error:
        shown |= {"fault": sentence(error.kind)}
    return show(request, "agents/context.html", shown, fragment="agents/_context.html")


@require_GET
@workspace_page
def timeline(request: PageRequest, workspace: Workspace, conversation: uuid.UUID) -> HttpResponse:
    """How the window filled, step by step; `?step=` is where the slider stands. The fragment is that step."""
    chat = chat_in(workspace, conversation)
    step = _step_in(chat, asked(request, "step"))
    if step and is_fragment(request):
        return show(request, "", _moment(chat, step, moment_of(chat, step)), fragment="agents/_moment.html")
    course = filled(chat, step.id if step else None)
    shown = _base(chat) | {"tab": "timeline", "course": course}
    if course.moments:
        place = filling.place_of(course.moments, step.id if step else None)
        moment = course.moments[place]
        shown |= _moment(chat, step_at(moment.step_id), moment) | {
            "picture": filling.picture(course.moments),
            "steps": " ".join(str(each.step_id) for each in course.moments),
            "place": course.earlier + place + 1,
            "first": course.earlier + 1,
            "last": course.earlier + len(course.moments),
            "count": course.earlier + len(course.moments) + course.later,
            "x": filling.x_of(place, len(course.moments)),
        }
    return show(request, "agents/timeline.html", shown)


def _moment(chat: MainContext, step: Step, moment: Moment) -> dict[str, Any]:
    """What stands below the slider."""
    shown = _base(chat) | _window(chat, seen(step))
    return shown | {"moment": moment, "cards": inspected.cards(shown["parts"], moment)}


@require_GET
@workspace_page
def comparison(request: PageRequest, workspace: Workspace, conversation: uuid.UUID) -> HttpResponse:
    """Two windows side by side, `?from=` and `?to=` steps; `to=now` is what would be sent now. The last two
    where none are named."""
    chat = chat_in(workspace, conversation)
    steps = list(_steps(chat).order_by("-id")[:STEPS_LISTED])
    before, after = (_step_in(chat, asked(request, name)) for name in ("from", "to"))
    shown = _base(chat) | {"tab": "compare", "steps": steps, "fault": ""}
    if steps:
        before = before or steps[min(1, len(steps) - 1)]
        after = None if asked(request, "to") == NOW else after or steps[0]
        shown |= {"from": before, "to": after, "choices": _choices(steps, before, after)}
        try:
            found = compare(seen(before), seen(after) if after else seen_next(chat))
        except WindowTooSmall as error:
            shown |= {"fault": sentence(error.kind)}
        else:
            shown |= {"comparison": found, "parts": [inspected.changed(each) for each in found.parts]}
    return show(request, "agents/comparison.html", shown)


def _choices(steps: list[Step], *chosen: Step | None) -> list[Step]:
    """The steps to choose from, those that are chosen among them, newest first."""
    known = {step.id: step for step in [*steps, *filter(None, chosen)]}
    return sorted(known.values(), key=lambda step: step.id, reverse=True)


@require_GET
@workspace_page
def why_not(request: PageRequest, workspace: Workspace, conversation: uuid.UUID) -> HttpResponse:
    """Why a search for `?q=` did not find the records that have the words `?record=`."""
    chat = chat_in(workspace, conversation)
    question, words = asked(request, "q"), asked(request, "record")
    shown = _base(chat) | {"tab": "why", "q": question, "record": words, "found": None, "fault": ""}
    if question and words:
        try:
            shown["found"] = [_explained(question, each) for each in explain(chat, question, words)]
        except BadQuery as error:
            shown["fault"] = str(error)
    return show(request, "agents/why_not.html", shown)


def _explained(question: str, each: Explained) -> dict[str, Any]:
    kind = IndexEntry.Kind(each.hit.kind).label
    standing = each.standing
    return {
        "hit": each.hit,
        "why": each.why,
        "kind": kind,
        "is_found": standing == Standing.WHOLE or Reason.FOUND in each.why.reasons,
        "is_searched": standing is None,
        "reasons": [words_of_standing(standing)] if standing else words_of(each.why),
        "has": in_words(question, each.why.words),
        "missing": in_words(question, each.why.missing),
    }


def _base(chat: MainContext, step: Step | None = None) -> dict[str, Any]:
    """What every page here has; `back` is the place in the chat that it is about."""
    back = reverse("chat", args=[chat.workspace_id, chat.conversation_id])
    if step:
        back = f"{back}?at={step.turn.message_id}#turn-{step.turn_id}"
    return {"chat": chat, "agent": chat.agent, "open_chat": chat.conversation_id, "back": back}


def _window(chat: MainContext, window: Seen) -> dict[str, Any]:
    """A window with its drawing and, of a past one, what it knew from searching and what its turn cost."""
    steps = _steps(chat)
    shown: dict[str, Any] = {
        "seen": window,
        "bar": inspected.bar(window),
        "parts": inspected.named_parts(window),
        "breaks": [inspected.break_words(name) for name in window.breaks],
        "width": inspected.WIDTH,
    }
    if window.step is None:
        return shown | {"previous": steps.order_by("-id").first()}
    return shown | {
        "searches": [inspected.searched(each) for each in searches_before(window.step)],
        "cost": cost_of(window.step.turn),
        "previous": steps.filter(id__lt=window.step.id).order_by("-id").first(),
        "next": steps.filter(id__gt=window.step.id).order_by("id").first(),
    }


def _steps(chat: MainContext) -> QuerySet[Step]:
    return steps_of(chat).select_related("turn__message")


def step_at(step_id: uuid.UUID) -> Step:
    """A step with its turn and the message that the turn answers. Raises Step.DoesNotExist."""
    return Step.objects.select_related("turn__message").get(id=step_id)


def _asked_step(request: PageRequest, chat: MainContext) -> Step | None:
    """The step that an address names. Raises Step.DoesNotExist, Message.DoesNotExist."""
    key = asked(request, "message")
    if is_uuid(key):
        message = Message.objects.get(id=key, conversation_id=chat.conversation_id)
        return step_of(message)
    key = asked(request, "turn")
    if is_uuid(key):
        turn = Turn.objects.get(id=key, conversation_id=chat.conversation_id)
        steps = Step.objects.select_related("turn__message").filter(turn=turn)
        return steps.exclude(window={}).order_by("id").last()
    return _step_in(chat, asked(request, "step"))


def _step_in(chat: MainContext, key: str) -> Step | None:
    """A step of a chat, also on a branch that was left. Raises Step.DoesNotExist."""
    if not is_uuid(key):
        return None
    rows = Step.objects.select_related("turn__message").exclude(window={})
    return rows.get(id=key, turn__conversation_id=chat.conversation_id)
