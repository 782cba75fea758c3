"""How Alice makes a successful request of every route of the site: ids, bodies, and what her answer shows.

A text `$name` stands for a value of the asker's world (`world.py`), also inside a query or a body.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

BOTH = ("Bob", "Charlie")


@dataclass(frozen=True)
class Ask:
    """One request. Strangers send it with Alice's values, but for the path's values that are named in `own`.

    Without an id of Alice's in it, the answer itself is looked at: hers shows `shows`, theirs does not.
    """

    query: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    path: Mapping[str, Any] = field(default_factory=dict)
    own: tuple[str, ...] = ()
    shows: str = ""
    strangers: tuple[str, ...] = BOTH
    refusal: int = 404


def shows(text: str, **options: Any) -> Ask:
    """A list of one's own: everybody gets one."""
    return Ask(shows=text, **options)


# Not asked here, each for a reason.
EXEMPT = {
    # Probes: no data, no person.
    "livez",
    "readyz",
    # Before there is a tenant, or a seat; tests/memsite holds them.
    "setup",
    "welcome",
    "join",
    # What the API is, the same for everybody.
    "api-schema",
    "api-docs",
    # allauth: the way in, and a person's own account, which belongs to no tenant and is named by no id.
    "account_login",
    "account_logout",
    "account_inactive",
    "account_signup",
    "account_reauthenticate",
    "account_request_reauthentication_code",
    "account_confirm_reauthentication_code",
    "account_email",
    "account_email_verification_sent",
    "account_confirm_email",
    "account_change_password",
    "account_set_password",
    "account_reset_password",
    "account_reset_password_done",
    "account_reset_password_from_key",
    "account_reset_password_from_key_done",
    "account_confirm_login_code",
}

BLOCK = {"value": "v", "description": "", "limit": 3000, "version": "$version"}
AGENT = {"name": "Renamed", "model": "$model", "window": "", "instructions": "", "description": ""}
PROVIDER = {"provider": "p", "base_url": "http://127.0.0.1:9/v1", "key": "a new key"}
MODEL = {"model": "another", "window": 32000, "tokenizer": ""}
MESSAGE = {"content": "hello", "client_id": "walk"}
ME = {"name": "Me", "language": "", "time_zone": "UTC", "theme": ""}

# The owner's and admins' pages: in a workspace of his own Bob hears that he is none, whatever he names.
FOR_ADMINS = {
    "GET members",
    "POST member-reset-link",
    "POST member-invite",
    "GET models",
    "GET provider-new",
    "POST provider-new",
    "GET provider",
    "POST provider",
    "POST provider-remove",
    "GET model-new",
    "POST model-new",
    "GET model",
    "POST model",
    "POST model-remove",
    "POST model-test",
}

PAGES: dict[str, list[Ask]] = {
    "GET home": [shows("$personal")],
    "GET me": [shows("$email")],
    "POST me": [shows("/me/", body=ME, strangers=())],
    "GET members": [Ask(), Ask(query={"q": "$name"})],
    "POST member-reset-link": [Ask()],
    "POST member-invite": [Ask(body={"email": "new@example.com", "role": "member"})],
    "GET blocks": [Ask(), Ask(query={"q": "$marker"})],
    "GET block-new": [Ask()],
    "POST block-new": [Ask(body=BLOCK | {"label": "fresh"})],
    "GET block": [Ask()],
    "POST block": [Ask(body=BLOCK)],
    "GET block-card": [Ask()],
    "GET block-versions": [Ask(), Ask(query={"by": "agent", "before": "2"})],
    "GET block-diff": [Ask(), Ask(path={"a": 0, "b": 1})],
    "GET block-change": [Ask()],
    "POST block-restore": [Ask(path={"number": 1})],
    "POST block-undo": [Ask()],
    "GET workspace": [Ask(), Ask(query={"q": "$marker"}), Ask(query={"agent": "$agent"})],
    "GET chat-list": [Ask(), Ask(query={"q": "$marker"})],
    "GET chat-new": [Ask(), Ask(query={"agent": "$agent"})],
    "POST chat-new": [
        Ask(body=MESSAGE | {"agent": "$agent"}),
        Ask(body=MESSAGE | {"agent": "$agent", "shared": "1"}),
    ],
    "GET chat": [Ask(), Ask(query={"at": "$message"})],
    "GET chat-messages": [Ask(query={"before": "$turn"})],
    "POST chat-messages": [Ask(body=MESSAGE)],
    "GET chat-news": [Ask(), Ask(query={"after": "$turn"})],
    "GET chat-panel": [Ask()],
    "POST chat-stop": [Ask()],
    "GET chat-rename": [Ask()],
    "POST chat-rename": [Ask(body={"title": "Renamed"})],
    "POST chat-pin": [Ask()],
    "POST chat-delete": [Ask()],
    "POST chat-restore": [Ask(path={"conversation": "$deleted"})],
    "GET turn": [Ask()],
    "GET turn-events": [Ask(), Ask(headers={"Last-Event-ID": "1"})],
    "POST turn-retry": [Ask(path={"conversation": "$stopped_chat", "turn": "$stopped_turn"})],
    "POST turn-stop": [Ask(path={"conversation": "$waiting_chat", "turn": "$waiting_turn"})],
    "GET message": [Ask()],
    "GET agents": [Ask(), Ask(query={"q": "$marker"})],
    "GET agent-new": [Ask()],
    "POST agent-new": [Ask(body=AGENT | {"persona": ""})],
    "GET agent": [Ask()],
    "GET agent-settings": [Ask()],
    "POST agent-settings": [Ask(body=AGENT)],
    "GET agent-block-new": [Ask()],
    "POST agent-block-new": [Ask(body=BLOCK | {"label": "fresh"})],
    "POST agent-retire": [Ask()],
    "POST agent-return": [Ask(path={"agent": "$retired"})],
    "GET models": [Ask(), Ask(query={"q": "$marker"})],
    "GET provider-new": [Ask()],
    "POST provider-new": [Ask(body=PROVIDER | MODEL)],
    "GET provider": [Ask()],
    "POST provider": [Ask(body=PROVIDER)],
    "POST provider-remove": [Ask(path={"provider": "$unused_provider"})],
    "GET model-new": [Ask()],
    "POST model-new": [Ask(body=MODEL)],
    "GET model": [Ask()],
    "POST model": [Ask(body=MODEL)],
    "POST model-remove": [Ask(path={"model": "$unused_model"})],
    "POST model-test": [Ask()],
}

API: dict[str, list[Ask]] = {
    "GET api-agents": [shows("$marker"), Ask(query={"workspace": "$workspace"})],
    "POST api-agents": [
        Ask(body={"name": "Memo", "workspace": "$workspace"}),
        Ask(body={"name": "Memo", "model": "$model"}, strangers=("Charlie",)),
    ],
    "GET api-agent": [Ask()],
    "PATCH api-agent": [
        Ask(body={"name": "Renamed"}),
        Ask(body={"model": "$model"}, own=("agent_id",), strangers=("Charlie",)),
    ],
    "DELETE api-agent": [Ask()],
    "GET api-agent-blocks": [Ask()],
    "POST api-agent-blocks": [Ask(body={"label": "fresh", "value": "x"})],
    "GET api-models": [shows("$marker", strangers=("Charlie",))],
    "GET api-blocks": [
        shows("$marker"),
        shows("$marker", query={"label": "persona"}),
        Ask(query={"agent": "$agent"}),
        Ask(query={"workspace": "$workspace"}),
    ],
    "GET api-block": [Ask()],
    "PATCH api-block": [Ask(body={"value": "x"}, headers={"If-Match": '"$version"'})],
    "GET api-block-versions": [Ask()],
    "POST api-block-operations": [Ask(body={"operation": "append", "content": "x"})],
    "GET api-conversations": [
        shows("$marker"),
        shows("$marker", query={"pinned": "true"}),
        Ask(query={"agent": "$agent"}),
        Ask(query={"workspace": "$workspace"}),
    ],
    "POST api-conversations": [
        Ask(body={"agent": "$agent"}),
        Ask(body={"agent": "$agent", "workspace": "$workspace"}),
    ],
    "GET api-conversation": [Ask()],
    "PATCH api-conversation": [Ask(body={"title": "Renamed", "pinned": True})],
    "DELETE api-conversation": [Ask()],
    "GET api-messages": [Ask(), Ask(query={"order": "newest"}), Ask(query={"cursor": "$message"})],
    "POST api-messages": [Ask(query={"wait": "0"}, body=MESSAGE)],
    "GET api-message": [Ask()],
    "GET api-search": [
        shows("$marker", query={"q": "harvest"}),
        shows("$marker", query={"q": "harvest", "kind": "passage"}),
        Ask(query={"q": "harvest", "conversation": "$conversation"}),
    ],
    "GET api-turn": [Ask()],
    "POST api-turn-stop": [Ask(path={"turn_id": "$waiting_turn"})],
    "POST api-turn-retry": [Ask(path={"turn_id": "$stopped_turn"})],
    "GET api-turn-events": [Ask(), Ask(query={"after": "1"}), Ask(headers={"Last-Event-ID": "1"})],
}

ASKS = PAGES | API
