"""How an agent searches: what counts how much, and who looks at the best of it a second time."""

from __future__ import annotations

import uuid
from dataclasses import asdict, fields
from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from agents import retrieval
from agents.models import Agent
from agents.retrieval import WEIGHT_MOST, BadSettings, Stage
from agents.web.agents import SECTION, agent_in
from memory.retrieval import Weights
from tenants.models import Workspace
from tenants.permissions import has_role
from tenants.web.doors import PageRequest, show, workspace_page
from tenants.web.notes import note, sent, way_back

# What each weight does, in plain words; a weight that has none here is called by its name.
WORDS: dict[str, tuple[Any, Any]] = {
    "lexical": (
        gettext_lazy("Words"),
        gettext_lazy("How much it counts that the words of the question stand there. Rare words count more."),
    ),
    "vector": (
        gettext_lazy("Meaning"),
        gettext_lazy("How much it counts that it means the same in other words, or in another language."),
    ),
    "recency": (
        gettext_lazy("New or used lately"),
        gettext_lazy("How much it counts that it is new, or was needed not long ago."),
    ),
    "importance": (
        gettext_lazy("Importance"),
        gettext_lazy("How much the importance counts that whoever filed it gave it."),
    ),
}
STAGES = {
    Stage.NONE: gettext_lazy("None: the first order stands"),
    Stage.ENDPOINT: gettext_lazy("The site's reranker looks at the 50 best again"),
    Stage.MODEL: gettext_lazy(
        "The agent's own model looks at the 50 best again; it takes longer and costs tokens"
    ),
}


class SearchForm(forms.Form):
    """A field for each weight, and the second stage."""

    second_stage = forms.ChoiceField(
        label=gettext_lazy("Second look"),
        required=False,
        widget=forms.RadioSelect,
        help_text=gettext_lazy("Where it is slow or fails, the first order stands and the agent is told so."),
    )

    def __init__(self, *arguments: Any, stages: list[Stage], **options: Any) -> None:
        super().__init__(*arguments, **options)
        for weight in fields(Weights):
            name, words = WORDS.get(weight.name, (weight.name, ""))
            self.fields[weight.name] = forms.FloatField(
                label=name,
                help_text=words,
                min_value=0,
                max_value=WEIGHT_MOST,
                widget=forms.NumberInput(attrs={"step": "0.05"}),
            )
        stage = self.fields["second_stage"]
        assert isinstance(stage, forms.ChoiceField)
        stage.choices = [(each.value, STAGES[each]) for each in stages]
        self.order_fields([*(weight.name for weight in fields(Weights)), "second_stage"])

    def weights(self) -> dict[str, float]:
        """What was typed, but for what is as everywhere."""
        usual = asdict(Weights())
        given = {name: self.cleaned_data[name] for name in usual}
        return {name: value for name, value in given.items() if value != usual[name]}


@require_http_methods(["GET", "POST"])
@workspace_page
def search_settings(request: PageRequest, workspace: Workspace, agent: uuid.UUID) -> HttpResponse:
    """An agent's weights and its second stage; `usual` in a POST takes those of everywhere."""
    found = agent_in(workspace, agent)
    before = _typed(found)
    given = _usual() if request.POST.get("usual") else sent(request, "second_stage")
    form = SearchForm(given, initial=before, stages=retrieval.stages_of(found))
    if request.method == "POST" and form.is_valid():
        try:
            retrieval.save_settings(
                found.id,
                weights=form.weights(),
                second_stage=form.cleaned_data["second_stage"] or Stage.NONE.value,
            )
        except BadSettings as error:
            field = error.field if error.field in form.fields else None
            form.add_error(field, _("At least one of these has to count for something."))
        else:
            undo = way_back("agent-search", workspace.id, agent, **before) if form.has_changed() else ""
            note(request, _("Saved."), undo=undo)
            return redirect("agent-search", workspace, agent)
    context = SECTION | {
        "agent": found,
        "workspace": workspace,
        "form": form,
        "is_usual": before == _usual(),
        "can_write": has_role(workspace.id, "editor"),
    }
    return show(request, "agents/search_settings.html", context, status=422 if form.errors else 200)


def _typed(found: Agent) -> dict[str, Any]:
    held = retrieval.settings_of(found)
    return asdict(held.weights) | {"second_stage": held.second_stage.value}


def _usual() -> dict[str, Any]:
    """What holds where an agent has nothing of its own."""
    return asdict(Weights()) | {"second_stage": Stage.NONE.value}
