"""The models of a tenant, for its admins: providers, keys that only go in, a test that really calls."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from agents import providers
from agents.context.tokens import is_estimate
from agents.llm import catalog
from agents.llm.base import ModelError
from agents.llm.probe import ProbeResult
from agents.models import LanguageModel, Provider
from agents.providers import BadModel, InUse
from agents.web import failures
from agents.web.forms import ModelForm, NewProviderForm, ProviderForm
from agents.web.labels import model_label
from tenants.middleware import own_scope
from tenants.models import Membership, Workspace
from tenants.scope import scope
from tenants.services import require_tenant_role
from tenants.web.doors import PageRequest, asked, is_fragment, show, workspace_in_reach, workspace_page
from tenants.web.notes import note, sent, way_back

SECTION = {"section": "models"}


@require_GET
@workspace_page
def models(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """All models; `?q=` filters by name."""
    require_tenant_role(Membership.Role.ADMIN)
    catalog.ensure_models()
    query = asked(request, "q")
    rows = LanguageModel.objects.select_related("provider").filter(name__icontains=query)
    context = {
        "workspace": workspace,
        "query": query,
        "built_in": [_row(each) for each in rows.filter(provider=None).order_by("origin")],
        "providers": [
            {"provider": each, "models": [_row(row) for row in rows.filter(provider=each).order_by("name")]}
            for each in Provider.objects.order_by("name", "id")
        ],
    }
    return show(request, "agents/models.html", SECTION | context)


def _row(model: LanguageModel) -> dict[str, Any]:
    shown = {"model": model, "label": model_label(model), "is_estimate": is_estimate(model.name)}
    return shown | {"correction": f"{model.usage_ratio:.2f}" if model.usage_samples else ""}


@require_http_methods(["GET", "POST"])
@workspace_page
def new_provider(request: PageRequest, workspace: Workspace) -> HttpResponse:
    """A provider with its first model."""
    require_tenant_role(Membership.Role.ADMIN)
    form = NewProviderForm(request.POST or None)

    def save() -> str:
        made = providers.add_provider(form.fields_of_provider(), form.fields_of_model())
        return way_back("provider-remove", workspace.id, made.provider_id)

    return _edit(request, workspace, form, save, title=_("Add a provider"))


@require_http_methods(["GET", "POST"])
@workspace_page
def provider(request: PageRequest, workspace: Workspace, provider: uuid.UUID) -> HttpResponse:
    """A provider's name, address and key."""
    require_tenant_role(Membership.Role.ADMIN)
    found = Provider.objects.get(id=provider)
    before = {"provider": found.name, "base_url": found.base_url}
    form = ProviderForm(sent(request, "base_url"), initial=before)
    if found.has_key:
        form.fields["key"].widget.attrs["placeholder"] = "••••••••"

    def save() -> str:
        providers.change_provider(provider, form.fields_of_provider())
        # A key never comes out again, and belongs to its address: neither is brought back.
        is_undoable = form.changed_data == ["provider"]
        return way_back("provider", workspace.id, provider, **before) if is_undoable else ""

    return _edit(request, workspace, form, save, title=found.name, provider=found)


@require_http_methods(["GET", "POST"])
@workspace_page
def new_model(request: PageRequest, workspace: Workspace, provider: uuid.UUID) -> HttpResponse:
    """Another model of a provider."""
    require_tenant_role(Membership.Role.ADMIN)
    found = Provider.objects.get(id=provider)
    form = ModelForm(request.POST or None)

    def save() -> str:
        made = providers.add_model(provider, form.fields_of_model())
        return way_back("model-remove", workspace.id, made.id)

    return _edit(request, workspace, form, save, title=_("Add a model"), provider=found, is_model=True)


@require_http_methods(["GET", "POST"])
@workspace_page
def model(request: PageRequest, workspace: Workspace, model: uuid.UUID) -> HttpResponse:
    """A model's name, window and tokenizer."""
    require_tenant_role(Membership.Role.ADMIN)
    found = LanguageModel.objects.get(id=model, origin=LanguageModel.Origin.PROVIDER)
    typed = {"model": found.name, "window": found.window, "tokenizer": found.tokenizer}
    form = ModelForm(sent(request, "model"), initial=typed)

    def save() -> str:
        providers.change_model(model, form.fields_of_model())
        return way_back("model", workspace.id, model, **typed) if form.has_changed() else ""

    return _edit(request, workspace, form, save, title=found.name, model=found, is_model=True)


def _edit(
    request: PageRequest, workspace: Workspace, form: forms.Form, save: Callable[[], str], **context: Any
) -> HttpResponse:
    """The form; where it was sent, `save` saves it and answers where that is undone."""
    if request.method == "POST" and form.is_valid():
        try:
            undo = save()
        except BadModel as error:
            form.add_error(_field(form, error.field), _refused(error))
        else:
            note(request, _("Saved."), undo=undo)
            return redirect("models", workspace)
    shown = SECTION | {"workspace": workspace, "form": form} | context
    return show(request, "agents/model_form.html", shown, status=422 if form.errors else 200)


def _field(form: forms.Form, name: str) -> str | None:
    wanted = {"name": "model"}.get(name, name)
    return wanted if wanted in form.fields else None


def _refused(error: BadModel) -> str:
    return {
        "base_url": _("A base URL looks like https://api.example.com/v1."),
        "key": _("Give the key again when the address changes."),
        "name": _("The provider has this model already."),
        "window": _("The window is too small or too large."),
    }.get(error.field, _("That cannot be saved like this."))


@require_POST
@workspace_page
def remove_provider(request: PageRequest, workspace: Workspace, provider: uuid.UUID) -> HttpResponse:
    """Forget a provider, its key and its models."""
    return _remove(request, workspace, lambda: providers.remove_provider(provider))


@require_POST
@workspace_page
def remove_model(request: PageRequest, workspace: Workspace, model: uuid.UUID) -> HttpResponse:
    """Forget a model."""
    return _remove(request, workspace, lambda: providers.remove_model(model))


def _remove(request: PageRequest, workspace: Workspace, remove: Callable[[], None]) -> HttpResponse:
    try:
        remove()
    except InUse:
        messages.error(request, _("Agents use this model. Give them another one first."))
    else:
        messages.success(request, _("Removed."))
    return redirect("models", workspace)


@own_scope
@require_POST
def test_model(request: PageRequest, workspace: uuid.UUID, model: uuid.UUID) -> HttpResponse:
    """Call a model for real and say what it can do. Waits, so it holds no transaction."""
    with scope(request.identity):
        request.workspace = workspace_in_reach(workspace)
    try:
        result = providers.test_model(request.identity, model)
    except ModelError as error:
        result = ProbeResult(False, False, False, "", error.kind, "", 0.0)
    # A model that speaks but fails at a tool is one that calls no tools.
    failure = failures.sentence(result.error_kind) if result.error_kind and not result.text else ""
    if is_fragment(request):
        context = {"result": result, "failure": failure, "model_id": model}
        return show(request, "agents/_probe.html", context)
    messages.info(request, failure or _("The model answers."))
    return redirect("models", workspace)
