"""What a person types to agents and about them."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from agents.context.tokens import OFFERED
from agents.models import WINDOW_MAX, WINDOW_MIN, Agent, LanguageModel
from agents.providers import ModelFields, ProviderFields
from agents.roster import AgentFields
from agents.services import MESSAGE_MAX
from agents.web.labels import model_label
from memory.web.forms import LinesField, NewBlockForm
from tenants.web.doors import is_uuid


class MessageForm(forms.Form):
    """A message on its way. The same `client_id` again is the same message."""

    content = LinesField(
        max_length=MESSAGE_MAX,
        error_messages={
            "required": _("The message is empty."),
            "max_length": _("The message is longer than 1,000,000 characters."),
        },
    )
    client_id = forms.CharField(max_length=120, required=False)

    @property
    def documents(self) -> list[uuid.UUID]:
        """The files that come along, uploaded before."""
        sent = self.data.getlist("documents") if isinstance(self.data, QueryDict) else []
        return [uuid.UUID(key) for key in sent if is_uuid(key)]

    def clean_content(self) -> str:
        content = str(self.cleaned_data["content"])
        if not content.strip():
            raise forms.ValidationError(_("The message is empty."))
        return content

    def clean_client_id(self) -> str:
        return str(self.cleaned_data["client_id"]) or uuid.uuid4().hex


class TitleForm(forms.Form):
    """A chat's name."""

    title = forms.CharField(label=_("Title"), max_length=200)


class AgentForm(forms.Form):
    """An agent's settings."""

    name = forms.CharField(label=_("Name"), max_length=120)
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=1000,
        help_text=_("For people; the agent does not read it."),
    )
    instructions = LinesField(
        label=_("Instructions"),
        required=False,
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("Rules that hold in every chat, beyond those that every agent here has."),
    )
    model = forms.ChoiceField(label=_("Model"))
    window = forms.IntegerField(
        label=_("Window in tokens"),
        required=False,
        min_value=WINDOW_MIN,
        max_value=WINDOW_MAX,
        help_text=_("How much the agent has in view. Empty: as much as its model takes."),
    )

    field_order: Iterable[str] | None = ("name", "model", "window", "instructions", "description")

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        found = LanguageModel.objects.select_related("provider").order_by("origin", "name")
        model = self.fields["model"]
        assert isinstance(model, forms.ChoiceField)
        model.choices = [(str(each.id), model_label(each)) for each in found]

    def fields_of_agent(self) -> AgentFields:
        """What was typed, for the domain."""
        given = self.cleaned_data
        return AgentFields(
            name=given["name"],
            description=given["description"],
            instructions=given["instructions"],
            model_id=uuid.UUID(given["model"]),
            window=given["window"] or 0,
        )


class NewAgentForm(AgentForm):
    """An agent that is not there yet."""

    persona = LinesField(
        label=_("Persona"),
        required=False,
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("Who it is and how it speaks. It becomes a memory block that you can change later."),
    )
    field_order = ("name", "persona", "model", "window", "instructions", "description")


class NewMemoryForm(NewBlockForm):
    """A block that is not there yet, and whose core memory it goes to."""

    agent = forms.ChoiceField(label=_("Agent"), required=False, help_text=_("Who has it in view."))
    field_order = ("agent", "label", "description", "value", "limit", "read_only")

    def __init__(self, *arguments: Any, agents: list[Agent], **options: Any) -> None:
        super().__init__(*arguments, **options)
        agent = self.fields["agent"]
        assert isinstance(agent, forms.ChoiceField)
        agent.choices = [(str(each.id), each.name) for each in agents]
        if not agents:
            del self.fields["agent"]


class ProviderForm(forms.Form):
    """Where models are asked. The key goes in and never comes out."""

    provider = forms.CharField(
        label=_("Provider"), required=False, max_length=120, help_text=_("A name for you.")
    )
    base_url = forms.CharField(
        label=_("Base URL"),
        max_length=500,
        widget=forms.URLInput(attrs={"placeholder": "https://api.openai.com/v1"}),
        help_text=_("Anything that speaks the OpenAI chat API: vLLM, Ollama, llama.cpp and others."),
    )
    key = forms.CharField(
        label=_("Key"),
        required=False,
        max_length=1000,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        help_text=_("Kept encrypted and never shown again. Empty keeps the one that is there."),
    )

    def fields_of_provider(self) -> ProviderFields:
        """What was typed, for the domain."""
        given = self.cleaned_data
        return ProviderFields(name=given["provider"], base_url=given["base_url"], key=given["key"])


class ModelForm(forms.Form):
    """One model of a provider."""

    model = forms.CharField(label=_("Model"), max_length=200, help_text=_("As the provider calls it."))
    window = forms.IntegerField(
        label=_("Window in tokens"), min_value=WINDOW_MIN, max_value=WINDOW_MAX, initial=32_000
    )
    tokenizer = forms.ChoiceField(
        label=_("Tokenizer"),
        required=False,
        choices=[("", _("By the model's name")), *((name, name) for name in OFFERED)],
    )

    def fields_of_model(self) -> ModelFields:
        """What was typed, for the domain."""
        given = self.cleaned_data
        return ModelFields(name=given["model"], window=given["window"], tokenizer=given["tokenizer"])


class NewProviderForm(ModelForm, ProviderForm):
    """A provider with its first model."""

    field_order = ("provider", "base_url", "key", "model", "window", "tokenizer")

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["key"].help_text = _(
            "Kept encrypted and never shown again. Empty where the provider asks for none."
        )
