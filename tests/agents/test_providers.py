"""Providers and models of a tenant: keys only go in, and what agents need stays."""

from __future__ import annotations

from uuid import UUID

import pytest

from agents import providers
from agents.llm import catalog
from agents.models import LanguageModel, Provider
from agents.providers import BadModel, InUse, ModelFields, ProviderFields
from tenants.permissions import NotAllowed
from tests.agents.llm.stub_behaviours import instant
from tests.agents.llm.stub_server import StubServer
from tests.cast import Cast, Person, new_agent

KEY = "sk-very-secret-1234"


def added(person: Person, base_url: str = "http://models.example/v1") -> LanguageModel:
    with person.scope():
        return providers.add_provider(ProviderFields("Ours", base_url, KEY), ModelFields("small-1", 32_000))


def provider_id(model: LanguageModel) -> UUID:
    assert model.provider_id is not None
    return model.provider_id


def test_it_keeps_the_key_encrypted_and_shows_nothing_of_it(alice: Person) -> None:
    model = added(alice)
    with alice.scope():
        row = Provider.objects.get(id=provider_id(model))
        assert KEY.encode() not in bytes(row.key_encrypted)
        assert catalog.reveal(row) == KEY
    for page in ("settings/models/", f"settings/models/providers/{row.id}/"):
        shown = alice.browser.get(f"/w/{alice.personal}/{page}").content.decode()
        assert KEY[-6:] not in shown


def test_an_empty_key_keeps_the_one_that_is_there(alice: Person) -> None:
    model = added(alice)
    with alice.scope():
        row = providers.change_provider(
            provider_id(model), ProviderFields("Renamed", "http://models.example/v1")
        )
        assert catalog.reveal(row) == KEY


def test_it_sends_no_old_key_to_a_new_address(alice: Person) -> None:
    model = added(alice)
    with alice.scope(), pytest.raises(BadModel) as refused:
        providers.change_provider(provider_id(model), ProviderFields("Ours", "http://elsewhere.example/v1"))
    assert refused.value.field == "key"


@pytest.mark.parametrize(
    "url", ["ftp://x/v1", "models.example/v1", "http://", "http://x/v1?key=1", "file:///etc"]
)
def test_it_refuses_addresses_that_are_none(alice: Person, url: str) -> None:
    with pytest.raises(BadModel):
        added(alice, url)
    with alice.scope():
        assert not Provider.objects.exists()


def test_it_refuses_the_same_model_twice(alice: Person) -> None:
    model = added(alice)
    with alice.scope(), pytest.raises(BadModel):
        providers.add_model(provider_id(model), ModelFields("small-1", 8_000))


def test_it_keeps_what_agents_use_also_where_an_admin_does_not_see_them(cast: Cast) -> None:
    model = added(cast.alice)
    agent = new_agent(cast.bob, model_id=model.id)
    for remove, key in ((providers.remove_model, model.id), (providers.remove_provider, provider_id(model))):
        with cast.alice.scope(), pytest.raises(InUse):
            remove(key)
    with cast.bob.scope():
        agent.refresh_from_db()
        assert agent.model_id == model.id


def test_it_forgets_what_nobody_uses(alice: Person) -> None:
    model = added(alice)
    with alice.scope():
        providers.remove_provider(provider_id(model))
        assert not LanguageModel.objects.filter(id=model.id).exists()


def test_it_is_for_admins(cast: Cast) -> None:
    model = added(cast.alice)
    with cast.bob.scope(), pytest.raises(NotAllowed):
        providers.add_model(provider_id(model), ModelFields("other", 8_000))
    with pytest.raises(NotAllowed):
        providers.test_model(cast.bob.identity, model.id)


def test_a_test_really_calls_and_is_kept(alice: Person) -> None:
    with StubServer() as stub:
        stub.otherwise = instant()
        model = added(alice, stub.url)
        url = f"/w/{alice.personal}/settings/models/{model.id}/test/"
        said = alice.browser.post(url, headers={"HX-Request": "true"}).content.decode()
        assert "It answers" in said
        assert stub.requests
    with alice.scope():
        assert LanguageModel.objects.get(id=model.id).tested_at is not None


def test_a_test_says_that_nobody_is_there(alice: Person) -> None:
    model = added(alice, "http://127.0.0.1:9/v1")
    url = f"/w/{alice.personal}/settings/models/{model.id}/test/"
    said = alice.browser.post(url, headers={"HX-Request": "true"}).content.decode()
    assert "The provider cannot be reached." in said
