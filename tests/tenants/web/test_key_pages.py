"""API keys: made with scopes, workspaces and an end, shown once, revoked for good."""

from __future__ import annotations

import html
import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tenants.models import ApiKey
from tests.cast import Cast, Client, Person, new_agent
from tests.tenants.web.pages import page, toast

NEW = {"name": "Importer", "access": "write", "lives": "90"}


def keys_of(person: Person) -> str:
    return f"/w/{person.personal}/settings/keys/"


def make_key(person: Person, **fields: Any) -> tuple[str, str]:
    """A key by the form: its secret, and the page that shows it."""
    answer = person.browser.post(f"{keys_of(person)}new/", NEW | fields)
    text = html.unescape(answer.content.decode())
    found = re.search(r'id="key">(ms_[^<]+)<', text)
    assert found, text
    return found.group(1), text


def asks(secret: str, path: str = "/api/v1/agents/", verb: str = "get", **body: Any) -> Any:
    client = Client(headers={"Authorization": f"Bearer {secret}"})
    return getattr(client, verb)(path, **({"data": body, "content_type": "application/json"} if body else {}))


def test_a_key_is_shown_once_and_opens_what_is_the_persons(alice: Person) -> None:
    agent = new_agent(alice, name="Zebra keeper")
    secret, text = make_key(alice)
    assert "It is shown only now." in text
    assert f'-H "Authorization: Bearer {secret}"' in text
    assert "http://testserver/api/v1/agents/" in text
    assert str(agent.id) in asks(secret).content.decode()
    listed = page(alice, keys_of(alice))
    assert "Importer" in listed
    assert secret not in listed
    assert secret[:9] in listed


def test_the_form_of_a_key_sent_again_makes_no_second_one(alice: Person) -> None:
    form = page(alice, f"{keys_of(alice)}new/")
    this = {"once": re.findall(r'name="once" value="(\w+)"', form)[0]}
    refused = alice.browser.post(f"{keys_of(alice)}new/", NEW | this | {"name": ""})
    assert refused.status_code == 422
    secret, _text = make_key(alice, **this)
    again = alice.browser.post(f"{keys_of(alice)}new/", NEW | this, follow=True).content.decode()
    assert "That key was shown when it was made." in toast(again)
    assert secret not in again
    with alice.scope():
        assert ApiKey.objects.filter(name="Importer").count() == 1
    assert secret not in str(dict(alice.browser.session))
    make_key(alice, once="another form")
    with alice.scope():
        assert ApiKey.objects.filter(name="Importer").count() == 2


def test_a_key_that_only_reads_does_not_write(alice: Person) -> None:
    secret, _text = make_key(alice, access="read")
    assert asks(secret).status_code == 200
    assert asks(secret, verb="post", name="Memo").status_code == 403
    writes, _text = make_key(alice)
    assert asks(writes, verb="post", name="Memo").status_code == 201


def test_a_key_for_one_workspace_sees_no_other(cast: Cast) -> None:
    alice = cast.alice
    inside, outside = new_agent(alice, cast.team, name="Inside"), new_agent(alice, name="Outside")
    everywhere, _text = make_key(alice)
    assert str(outside.id) in asks(everywhere).content.decode()
    narrow, _text = make_key(alice, workspaces=[str(cast.team)])
    answer = asks(narrow).content.decode()
    assert str(inside.id) in answer
    assert str(outside.id) not in answer
    assert "only in Research" in page(alice, keys_of(alice))


def test_only_owners_and_admins_are_offered_to_manage(cast: Cast) -> None:
    assert 'name="manage"' in page(cast.alice, f"{keys_of(cast.alice)}new/")
    assert 'name="manage"' not in page(cast.bob, f"{keys_of(cast.bob)}new/")
    make_key(cast.alice, manage="on")
    make_key(cast.bob, manage="on")
    scopes = {}
    for person in (cast.alice, cast.bob):
        with person.scope():
            scopes[person.name] = ApiKey.objects.get(name="Importer").scopes
    assert scopes == {"Alice": ["read", "write", "manage"], "Bob": ["read", "write"]}


def test_a_revoked_key_is_refused_at_once_and_a_page_says_so_first(alice: Person) -> None:
    secret, _text = make_key(alice)
    with alice.scope():
        key = ApiKey.objects.get(name="Importer")
    address = f"{keys_of(alice)}{key.id}/revoke/"
    assert "There is no undo" in page(alice, address)
    assert asks(secret).status_code == 200
    answer = alice.browser.post(address, follow=True)
    assert "The key Importer no longer works." in toast(answer.content.decode())
    assert asks(secret).status_code == 401
    assert "Importer" not in page(alice, keys_of(alice), fragment=True)
    assert "Importer" in page(alice, f"{keys_of(alice)}?state=ended", fragment=True)
    assert alice.browser.post(address).status_code == 404


def test_nobody_sees_or_revokes_anothers_key(cast: Cast) -> None:
    make_key(cast.bob)
    with cast.bob.scope():
        key = ApiKey.objects.get(name="Importer")
    assert "Importer" in page(cast.bob, keys_of(cast.bob))
    assert "Importer" not in page(cast.alice, keys_of(cast.alice))
    assert cast.alice.browser.post(f"{keys_of(cast.alice)}{key.id}/revoke/").status_code == 404
    assert cast.bob.browser.get(f"{keys_of(cast.bob)}{key.id}/revoke/").status_code == 200


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("name", "x" * 121),
        ("access", "everything"),
        ("lives", "-1"),
        ("workspaces", [str(uuid.uuid4())]),
        ("workspaces", ["nonsense"]),
    ],
)
def test_a_refused_form_keeps_what_was_typed(alice: Person, field: str, value: Any) -> None:
    answer = alice.browser.post(f"{keys_of(alice)}new/", NEW | {"name": "Kept name"} | {field: value})
    assert answer.status_code == 422
    assert field == "name" or "Kept name" in answer.content.decode()


def test_an_end_is_what_was_chosen(alice: Person) -> None:
    make_key(alice, lives="30")
    with alice.scope():
        ends = ApiKey.objects.get(name="Importer").expires_at
    assert ends
    assert abs(ends - timezone.now() - timedelta(days=30)) < timedelta(minutes=5)
    make_key(alice, name="For ever", lives="")
    with alice.scope():
        assert ApiKey.objects.get(name="For ever").expires_at is None
    assert "never ends" in page(alice, f"{keys_of(alice)}?q=for+ever", fragment=True)


def test_a_forged_form_makes_no_key(alice: Person, forged: Any) -> None:
    forged(alice, f"{keys_of(alice)}new/", NEW)
    with alice.scope():
        assert not ApiKey.objects.filter(name="Importer").exists()
