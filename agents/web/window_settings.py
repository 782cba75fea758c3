"""How an agent keeps its window: the settings, each with what it means for a window of this size."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from agents import keeping
from agents.context import settings
from agents.context.clear_tool_uses import INPUT_TOKENS, NUMBER_MOST, TOOL_USES
from agents.context.planning import capacity
from agents.context.settings import BOUNDS, CLEARING, BadSettings, ContextSettings
from agents.inspector.in_prompt import too_long
from agents.keeping import Keeping
from agents.models import Agent, LanguageModel, Step
from agents.tools import catalog
from agents.web.agents import SECTION, agent_in
from agents.web.labels import model_label
from tenants.models import Workspace
from tenants.permissions import has_role
from tenants.web.doors import PageRequest, show, workspace_page
from tenants.web.notes import note, sent, way_back

WIDTH = 1000  # of the drawing, in its own units
MARKS = ("flush_to", "warn_at", "summarise_at", "flush_at")
# What the marks are called in the drawing.
NAMES = {
    "flush_to": gettext_lazy("What is left after making room"),
    "warn_at": gettext_lazy("The model is warned"),
    "summarise_at": gettext_lazy("A summary is made in the background"),
    "flush_at": gettext_lazy("Room is made at once"),
}
# What each number does, in plain words.
WORDS: dict[str, tuple[Any, Any]] = {
    "warn_at": (
        gettext_lazy("Warn the model at (%)"),
        gettext_lazy(
            "Of the room that instructions, tools, blocks and summary leave for messages. The model is told "
            "how full its window is, and saves what matters; when it has, the oldest messages go."
        ),
    ),
    "summarise_at": (
        gettext_lazy("Summarise in the background at (%)"),
        gettext_lazy("After such a turn the oldest messages are summarised while nobody waits."),
    ),
    "flush_at": (
        gettext_lazy("Make room at once at (%)"),
        gettext_lazy("The hard limit: here a turn moves the oldest messages out itself, before it goes on."),
    ),
    "flush_to": (
        gettext_lazy("Make room down to (%)"),
        gettext_lazy("How full the window still is afterwards. What leaves it stays in recall."),
    ),
    "clip_at": (
        gettext_lazy("Longest single text (%)"),
        gettext_lazy(
            "Of the window. A longer message or tool result is shown shortened, with the way to the rest."
        ),
    ),
    "summary_tokens": (
        gettext_lazy("Summary, tokens at most"),
        gettext_lazy("Empty: a tenth of the window, at most 2,000."),
    ),
    "steps_max": (
        gettext_lazy("Model calls in a turn, at most"),
        gettext_lazy("A turn that needs more ends, and says so."),
    ),
    "tokens_max": (
        gettext_lazy("Tokens in a turn, at most"),
        gettext_lazy("Of all its model calls together, prompts included. Empty: as many as it takes."),
    ),
    "approval_hours": (
        gettext_lazy("Hours that a call waits for a yes"),
        gettext_lazy("After that the agent is told that nobody decided, and goes on without it."),
    ),
}


class WindowForm(forms.Form):
    """The settings, old tool results among them, and the model that writes the summaries."""

    summary_model = forms.ChoiceField(
        label=gettext_lazy("Summaries are written by"),
        required=False,
        help_text=gettext_lazy(
            "A cheaper model will do. Where it fails, the summary is quoted together by rules, and made "
            "anew later."
        ),
    )
    clears = forms.BooleanField(
        label=gettext_lazy("Replace old tool results by placeholders"),
        required=False,
        help_text=gettext_lazy("They stay in recall, and the model can read each of them again."),
    )
    counted = forms.ChoiceField(
        label=gettext_lazy("When the prompt has more than so many"),
        choices=[(INPUT_TOKENS, gettext_lazy("tokens")), (TOOL_USES, gettext_lazy("tool calls"))],
        required=False,
    )
    trigger = forms.IntegerField(
        label=gettext_lazy("How many"),
        min_value=0,
        max_value=NUMBER_MOST,
        required=False,
        help_text=gettext_lazy("Empty: half of what a prompt may take."),
    )
    keep = forms.IntegerField(
        label=gettext_lazy("Keep the last"), min_value=0, max_value=NUMBER_MOST, required=False
    )
    clear_at_least = forms.IntegerField(
        label=gettext_lazy("Only where it frees so many tokens"),
        min_value=0,
        max_value=NUMBER_MOST,
        required=False,
        help_text=gettext_lazy(
            "Each clearing costs what the provider has cached. Empty: a twentieth of what a prompt may take."
        ),
    )
    exclude_tools = forms.MultipleChoiceField(
        label=gettext_lazy("Never those of"),
        choices=[(name, name) for name in catalog.TOOLS],
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    clear_tool_inputs = forms.BooleanField(
        label=gettext_lazy("What the tools were given goes as well"), required=False
    )

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        for name, (least, most) in BOUNDS.items():
            label, words = WORDS[name]
            is_open = getattr(ContextSettings(), name) is None
            self.fields[name] = forms.IntegerField(
                label=label, help_text=words, min_value=least, max_value=most, required=not is_open
            )
        model = self.fields["summary_model"]
        assert isinstance(model, forms.ChoiceField)
        rows = LanguageModel.objects.select_related("provider").order_by("origin", "name")
        named = [(str(each.id), model_label(each)) for each in rows]
        model.choices = [("", _("The agent's own model")), *named]

    def context(self) -> dict[str, Any]:
        """What was typed, as the settings are kept."""
        given = self.cleaned_data
        return {name: given[name] for name in BOUNDS} | {CLEARING: self._clearing()}

    def _clearing(self) -> dict[str, Any] | None:
        given = self.cleaned_data
        if not given["clears"]:
            return None
        return {
            "trigger": {"type": given["counted"] or INPUT_TOKENS, "value": given["trigger"]},
            "keep": {"type": TOOL_USES, "value": given["keep"]},
            "clear_at_least": {"type": INPUT_TOKENS, "value": given["clear_at_least"]},
            "exclude_tools": given["exclude_tools"],
            "clear_tool_inputs": given["clear_tool_inputs"],
        }

    @property
    def groups(self) -> list[tuple[Any, list[Any]]]:
        """The fields under their headings."""
        groups = {
            _("When it fills up"): ["warn_at", "summarise_at", "flush_at", "flush_to", "clip_at"],
            _("Summary"): ["summary_model", "summary_tokens"],
            _("Old tool results"): [
                *("clears", "counted", "trigger", "keep", "clear_at_least"),
                *("exclude_tools", "clear_tool_inputs"),
            ],
            _("One turn"): ["steps_max", "tokens_max", "approval_hours"],
        }
        return [(title, [self[name] for name in names]) for title, names in groups.items()]


@require_http_methods(["GET", "POST"])
@workspace_page
def window_settings(request: PageRequest, workspace: Workspace, agent: uuid.UUID) -> HttpResponse:
    """How an agent keeps its window; `usual` in a POST takes what holds everywhere."""
    found = agent_in(workspace, agent)
    before = _typed(settings.settings_of(found), found.summary_model_id)
    usual = _typed(ContextSettings(), None)
    given = usual if request.POST.get("usual") else sent(request, "warn_at")
    form = WindowForm(given, initial=before)
    if request.method == "POST" and form.is_valid():
        try:
            wanted = Keeping(context=form.context(), summary_model=form.cleaned_data["summary_model"])
            keeping.keep(found.id, wanted)
        except BadSettings as error:
            form.add_error(*_refused(error, form))
        else:
            undo = way_back("agent-window", workspace.id, agent, **before) if form.has_changed() else ""
            note(request, _("Saved."), undo=undo)
            return redirect("agent-window", workspace, agent)
    context = SECTION | {
        "agent": found,
        "workspace": workspace,
        "form": form,
        "is_usual": before == usual,
        "can_write": has_role(workspace.id, "editor"),
        "drawing": drawing(found),
        "too_long": too_long(found),
    }
    return show(request, "agents/window_settings.html", context, status=422 if form.errors else 200)


def _typed(held: ContextSettings, summary_model: uuid.UUID | None) -> dict[str, Any]:
    """Settings as they stand in the fields; what is left open is empty."""
    data = settings.as_data(held)
    clearing = data.pop(CLEARING)
    shown = clearing or settings.as_data(ContextSettings())[CLEARING]
    typed = data | {
        "summary_model": str(summary_model or ""),
        "clears": clearing is not None,
        "counted": shown["trigger"]["type"],
        "trigger": shown["trigger"]["value"],
        "keep": shown["keep"]["value"],
        "clear_at_least": shown["clear_at_least"]["value"],
        "exclude_tools": shown["exclude_tools"],
        "clear_tool_inputs": shown["clear_tool_inputs"],
    }
    return {name: "" if value is None else value for name, value in typed.items()}


def _refused(error: BadSettings, form: WindowForm) -> tuple[str | None, str]:
    """The field that is wrong, and why."""
    words = {
        "summarise_at": _("This has to be more than where the model is warned: the warning comes first."),
        "flush_at": _("This has to be more than where a summary is made: that comes before it hurts."),
        "flush_to": _("This has to be less than where the model is warned: the warning goes with it."),
        CLEARING: _("A number of tool calls is missing."),
    }
    field = {CLEARING: "trigger"}.get(error.field, error.field)
    known = field if field in form.fields else None
    return known, words.get(error.field, _("That cannot be saved like this."))


def drawing(agent: Agent) -> dict[str, Any]:
    """A window of this agent's size with its marks: in tokens as its last prompt had them, or before there is
    one, as if nothing but messages stood in it."""
    size = agent.window_size
    last = Step.objects.filter(turn__context__agent=agent).exclude(window={}).order_by("-id").first()
    most = capacity(size)
    room = min(int(last.window.get("room", most)), most) if last else most
    held = settings.settings_of(agent)
    taken = most - room
    marks = [(name, getattr(held, name), taken + room * getattr(held, name) // 100) for name in MARKS]
    return {
        "size": size,
        "taken": taken,
        "room": room,
        "reply": size - most,
        "width": WIDTH,
        "taken_width": taken * WIDTH // size,
        "room_width": room * WIDTH // size,
        "marks": [
            {
                "name": name,
                "label": NAMES[name],
                "share": share,
                "tokens": tokens,
                "x": tokens * WIDTH // size,
            }
            for name, share, tokens in marks
        ],
    }
