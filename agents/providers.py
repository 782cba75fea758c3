"""Which language models a tenant offers its agents: providers, their keys, their models. For its admins."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.db import IntegrityError, connection, models, transaction
from django.utils import timezone

from agents.context.tokens import OFFERED, guess_tokenizer
from agents.llm import catalog, probe
from agents.llm.openai import OpenAIModel
from agents.llm.probe import ProbeResult
from agents.models import WINDOW_MAX, WINDOW_MIN, LanguageModel, Provider
from tenants import audit
from tenants.models import Membership
from tenants.scope import Identity, scope
from tenants.services import require_tenant_role

MODEL = "model"


class BadModel(Exception):
    """A provider or model cannot be set up like this. `field` names what is wrong."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class InUse(Exception):
    """Agents use this model. Give them another one first."""


@dataclass(frozen=True)
class ProviderFields:
    """Where models are asked. An empty `key` keeps the one that is there."""

    name: str
    base_url: str
    key: str = ""


@dataclass(frozen=True)
class ModelFields:
    """A model's name at its provider, its window in tokens, and its tokenizer ("" guesses by the name)."""

    name: str
    window: int
    tokenizer: str = ""


def add_provider(provider: ProviderFields, model: ModelFields) -> LanguageModel:
    """A new provider with its first model. Raises NotAllowed, BadModel."""
    require_tenant_role(Membership.Role.ADMIN)
    row = Provider()
    _set_provider(row, provider)
    audit.record("provider.added", row)
    return add_model(row.id, model)


def change_provider(provider_id: uuid.UUID, fields: ProviderFields) -> Provider:
    """Another name, address or key. Raises Provider.DoesNotExist, NotAllowed, BadModel."""
    require_tenant_role(Membership.Role.ADMIN)
    row = Provider.objects.get(id=provider_id)
    moved = row.base_url != fields.base_url
    if moved and not fields.key and row.key_encrypted:
        # The old key would be sent to whoever owns the new address.
        raise BadModel("key", "Give the key again when the address changes.")
    _set_provider(row, fields)
    audit.record("provider.edited", row, moved=moved, new_key=bool(fields.key))
    return row


def remove_provider(provider_id: uuid.UUID) -> None:
    """Forget a provider with its key and its models. Raises Provider.DoesNotExist, NotAllowed, InUse."""
    require_tenant_role(Membership.Role.ADMIN)
    row = Provider.objects.get(id=provider_id)
    _remove(row)
    audit.record("provider.removed", row)


def add_model(provider_id: uuid.UUID, fields: ModelFields) -> LanguageModel:
    """Another model of a provider. Raises Provider.DoesNotExist, NotAllowed, BadModel."""
    require_tenant_role(Membership.Role.ADMIN)
    row = LanguageModel(provider=Provider.objects.get(id=provider_id))
    _set_model(row, fields)
    audit.record("model.added", row, kind=MODEL)
    return row


def change_model(model_id: uuid.UUID, fields: ModelFields) -> LanguageModel:
    """Another name, window or tokenizer; agents count with it from their next model call on.

    Raises LanguageModel.DoesNotExist (also for the built-in ones), NotAllowed, BadModel.
    """
    require_tenant_role(Membership.Role.ADMIN)
    row = LanguageModel.objects.get(id=model_id, origin=LanguageModel.Origin.PROVIDER)
    if row.name != fields.name:
        row.streams = row.calls_tools = row.tested_at = None
    _set_model(row, fields)
    audit.record("model.edited", row, kind=MODEL)
    return row


def remove_model(model_id: uuid.UUID) -> None:
    """Forget a model. Raises LanguageModel.DoesNotExist, NotAllowed, InUse."""
    require_tenant_role(Membership.Role.ADMIN)
    row = LanguageModel.objects.get(id=model_id, origin=LanguageModel.Origin.PROVIDER)
    _remove(row)
    audit.record("model.removed", row, kind=MODEL)


def test_model(identity: Identity, model_id: uuid.UUID) -> ProbeResult:
    """Make real calls to a model, keep what they showed, and answer it. Holds no transaction while it waits.

    Raises LanguageModel.DoesNotExist, NotAllowed, and ModelError where the model's key cannot be read.
    """
    with scope(identity):
        require_tenant_role(Membership.Role.ADMIN)
        row = LanguageModel.objects.select_related("provider").get(id=model_id)
        model = catalog.answering(row)
    if not isinstance(model, OpenAIModel):
        return ProbeResult(True, True, True, "", "", "", 0.0)
    result = probe.probe(model)
    with scope(identity):
        row.streams, row.calls_tools, row.tested_at = result.streams, result.calls_tools, timezone.now()
        row.save(update_fields=["streams", "calls_tools", "tested_at"])
    return result


def _set_provider(row: Provider, fields: ProviderFields) -> None:
    address = urlsplit(fields.base_url)
    if address.scheme not in {"http", "https"} or not address.hostname or address.query or address.fragment:
        raise BadModel("base_url", "A base URL looks like https://api.example.com/v1.")
    if address.username or address.password:
        raise BadModel("base_url", "Leave name and password out of the base URL: put the key in its field.")
    row.name, row.base_url = fields.name or address.hostname, fields.base_url.rstrip("/")
    if fields.key:
        catalog.conceal(row, fields.key)
    row.save()


def _set_model(row: LanguageModel, fields: ModelFields) -> None:
    if not WINDOW_MIN <= fields.window <= WINDOW_MAX:
        raise BadModel("window", f"A window lies between {WINDOW_MIN} and {WINDOW_MAX} tokens.")
    if fields.tokenizer and fields.tokenizer not in OFFERED:
        raise BadModel("tokenizer", f"The tokenizers are {', '.join(OFFERED)}.")
    row.name, row.window = fields.name, fields.window
    row.tokenizer = fields.tokenizer or guess_tokenizer(fields.name)
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError:
        raise BadModel("name", "The provider has this model already.") from None


def _remove(row: models.Model) -> None:
    """Delete, unless agents need it: also agents in workspaces that the present person does not see."""
    try:
        with transaction.atomic():
            row.delete()
            connection.check_constraints()
    except (IntegrityError, models.ProtectedError):
        raise InUse(InUse.__doc__) from None
