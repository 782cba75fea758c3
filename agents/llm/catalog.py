"""From a row to a model that answers, and which models a tenant has."""

from __future__ import annotations

from django.conf import settings

from agents.context.tokens import guess_tokenizer
from agents.llm.base import LanguageModel as Answering
from agents.llm.base import ModelError
from agents.llm.offline.model import OfflineModel
from agents.llm.openai import OpenAIModel
from agents.models import LanguageModel, Provider
from tenants import secrets

OFFLINE_NAME = "offline"
OFFLINE_WINDOW = 32_000


def answering(row: LanguageModel) -> Answering:
    """The model behind a row, ready to answer. Raises ModelError where its key cannot be read."""
    if row.origin == LanguageModel.Origin.OFFLINE:
        return OfflineModel(pause=settings.OFFLINE_PAUSE)
    if row.origin == LanguageModel.Origin.ENVIRONMENT:
        first = settings.FIRST_MODEL
        return OpenAIModel(first["base_url"], first["api_key"], row.name, **settings.MODEL_CALLS)
    assert row.provider is not None
    return OpenAIModel(row.provider.base_url, reveal(row.provider), row.name, **settings.MODEL_CALLS)


def ensure_models() -> LanguageModel:
    """Make the present tenant's built-in models, and answer the one that new agents get."""
    offline, _ = LanguageModel.objects.get_or_create(
        origin=LanguageModel.Origin.OFFLINE,
        provider=None,
        name=OFFLINE_NAME,
        defaults={"window": OFFLINE_WINDOW, "streams": True, "calls_tools": True},
    )
    first = settings.FIRST_MODEL
    if not (first["base_url"] and first["name"]):
        return offline
    environment, _ = LanguageModel.objects.get_or_create(
        origin=LanguageModel.Origin.ENVIRONMENT,
        provider=None,
        name=first["name"],
        defaults={
            "window": first["window"],
            "tokenizer": first["tokenizer"] or guess_tokenizer(first["name"]),
        },
    )
    return environment


def conceal(provider: Provider, key: str) -> None:
    """Keep a provider's key, encrypted; nothing of it is shown again."""
    provider.key_encrypted = secrets.conceal(key)


def reveal(provider: Provider) -> str:
    """The key, for the call and for nothing else. Raises ModelError."""
    try:
        return secrets.reveal(provider.key_encrypted)
    except secrets.Unreadable:
        raise ModelError("The provider's key cannot be decrypted.", kind="refused_key") from None
