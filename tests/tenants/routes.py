"""How Alice makes a successful request of every route of the site: ids, bodies, and what her answer shows.

A text `$name` stands for a value of the asker's world (`world.py`), also inside a query or a body.
"""

from tests.tenants.api_routes import API
from tests.tenants.asked import MESSAGE, Ask, shows
from tests.tenants.filed_api_routes import FILED_API
from tests.tenants.filed_routes import FILED
from tests.tenants.organisation_routes import ORGANISATION

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

EDITED = {"edited": "1", "argument-label": "persona", "argument-content": "a harvest"}
BLOCK = {"value": "v", "description": "", "limit": 3000, "version": "$version"}
AGENT = {"name": "Renamed", "model": "$model", "window": "", "instructions": "", "description": ""}
PROVIDER = {"provider": "p", "base_url": "http://127.0.0.1:9/v1", "key": "a new key"}
MODEL = {"model": "another", "window": 32000, "tokenizer": ""}
ME = {"name": "Me", "language": "", "time_zone": "UTC", "theme": ""}

INVITATION = {"email": "new@example.com", "role": "member", "days": "7", "workspace_role": "member"}
KEY = {"name": "Importer", "access": "write", "lives": "30"}
# A message on a branch of a chat that was left.
LEFT = {"conversation": "$branched_chat", "message": "$left_message"}
# A team's workspace of hers with somebody else in it, and that person, who is an owner beside her.
GARDEN = {"workspace": "$garden", "member": "$gardener"}
COLLEAGUE = {"membership": "$colleague"}

# The owner's and admins' pages: in a workspace of his own Bob hears that he is none, whatever he names.
FOR_ADMINS = {
    "GET person",
    "POST person-role",
    "GET person-remove",
    "POST person-remove",
    "GET person-transfer",
    "POST person-transfer",
    "POST member-reset-link",
    "GET member-chats",
    "GET member-chat",
    "POST invitation-renew",
    "POST invitation-revoke",
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
    "GET readings": [shows("$marker")],
    "GET organisation-open": [Ask(strangers=("Charlie",))],
    "GET first-steps": [Ask()],
    "GET workspaces": [Ask(), Ask(query={"q": "$marker"}), Ask(query={"closed": "1"})],
    "GET workspace-new": [Ask()],
    "POST workspace-new": [Ask(body={"name": "Fresh"})],
    "POST workspace-reopen": [Ask()],
    "GET workspace-settings": [Ask(), Ask(query={"q": "$name"})],
    "POST workspace-settings": [Ask(body={"name": "Renamed"})],
    "POST workspace-members": [Ask(path=GARDEN, body={"person": "$outsider", "role": "viewer"})],
    "POST workspace-member-role": [Ask(path=GARDEN, body={"role": "editor"})],
    "POST workspace-member-remove": [Ask(path=GARDEN)],
    "GET workspace-leave": [Ask(path=GARDEN)],
    "POST workspace-leave": [Ask(path=GARDEN)],
    "POST workspace-close": [Ask(path=GARDEN)],
    "GET people": [Ask(), Ask(query={"q": "$name"}), Ask(query={"role": "owner"})],
    "GET person": [Ask(), Ask(path=COLLEAGUE)],
    "POST person-role": [
        Ask(path=COLLEAGUE, body={"role": "admin"}),
        Ask(path=COLLEAGUE, body={"role": "auditor", "sure": "1"}),
        Ask(path={"membership": "$outsider_seat"}, body={"role": "admin"}),
    ],
    "GET person-remove": [Ask(path=COLLEAGUE)],
    "POST person-remove": [Ask(path=COLLEAGUE)],
    "GET person-transfer": [Ask(path=COLLEAGUE)],
    "POST person-transfer": [Ask(path=COLLEAGUE)],
    "POST member-reset-link": [Ask(path=COLLEAGUE)],
    "GET invitations": [Ask(), Ask(query={"q": "$marker"}), Ask(query={"state": "joined"})],
    "POST invitations": [Ask(body=INVITATION)],
    "POST invitation-renew": [Ask()],
    "POST invitation-revoke": [Ask()],
    "GET keys": [Ask(), Ask(query={"q": "$marker"}), Ask(query={"state": "ended"})],
    "GET key-new": [Ask()],
    "POST key-new": [Ask(body=KEY), Ask(body=KEY | {"workspaces": "$workspace"})],
    "GET key-revoke": [Ask()],
    "POST key-revoke": [Ask()],
    "GET member-chats": [Ask(), Ask(query={"skipped": "1"})],
    "GET member-chat": [
        Ask(path={"conversation": "$own_chat"}),
        Ask(path={"conversation": "$own_chat"}, query={"before": "1"}),
    ],
    "GET organisation": [Ask()],
    "POST organisation": [Ask(body={"name": "Renamed"})],
    "GET organisation-leave": [Ask()],
    "POST organisation-leave": [Ask()],
    "GET audit": [Ask(), Ask(query={"text": "$marker"})],
    "GET audit-export": [Ask(), Ask(query={"format": "jsonl", "text": "$marker"})],
    "GET blocks": [
        Ask(),
        Ask(query={"q": "$marker"}),
        Ask(query={"agent": "$agent", "governance": "free"}),
        Ask(query={"deleted": "1", "after": "$block"}),
    ],
    "GET block-new": [Ask()],
    "POST block-new": [Ask(body=BLOCK | {"label": "fresh"})],
    "GET block": [Ask()],
    "POST block": [Ask(body=BLOCK)],
    "GET block-card": [Ask()],
    "GET block-versions": [Ask(), Ask(query={"by": "agent", "before": "2"})],
    "GET block-version": [Ask()],
    "GET block-compare": [Ask(query={"a": "1", "b": "$version"})],
    "GET block-blame": [Ask()],
    "GET block-move": [Ask(), Ask(query={"to": "$elsewhere"})],
    "POST block-move": [
        Ask(body={"to": "$elsewhere", "how": "move"}),
        Ask(body={"to": "$elsewhere", "how": "copy"}),
    ],
    "GET block-access": [Ask()],
    "GET block-delete": [Ask()],
    "POST block-delete": [Ask(), Ask(body={"sure": "1"})],
    "POST block-return": [Ask(path={"block": "$deleted_block"})],
    "GET block-attached": [Ask(), Ask(query={"q": "$marker"})],
    "POST block-unshare": [Ask(body={"agents": "$agent"})],
    "POST block-share": [Ask(body={"agents": "$other_agent"})],
    "POST block-attach": [Ask(path={"agent": "$other_agent"})],
    "POST block-detach": [Ask()],
    "POST block-rule": [Ask(body={"governance": "propose"})],
    "POST block-lend": [Ask(path={"workspace": "$personal", "block": "$human"}, body={"allowed": "1"})],
    "POST measure": [Ask(body={"value": "x", "unit": "tokens", "limit": "10"})],
    "GET inbox": [Ask(), Ask(query={"status": "rejected"}), Ask(query={"block": "persona"})],
    "GET proposal": [Ask(), Ask(query={"edit": "1"})],
    "POST proposal-approve": [Ask(), Ask(body={"value": "v", "version": "$version"})],
    "POST proposal-reject": [Ask(body={"note": "No."})],
    "POST proposal-withdraw": [Ask()],
    "POST proposal-undo": [Ask(path={"proposal": "$rejected"})],
    "GET block-diff": [Ask(), Ask(path={"a": 0, "b": 1})],
    "GET block-change": [Ask()],
    "POST block-restore": [Ask(path={"number": 1})],
    "POST block-undo": [Ask()],
    "POST block-unsave": [Ask(), Ask(query={"limit": "3000", "governance": "free"})],
    "GET workspace": [Ask(), Ask(query={"q": "$marker"}), Ask(query={"agent": "$agent"})],
    "GET chat-list": [Ask(), Ask(query={"q": "$marker"})],
    "GET chat-new": [Ask(), Ask(query={"agent": "$agent"})],
    "POST chat-new": [
        Ask(body=MESSAGE | {"agent": "$agent"}),
        Ask(body=MESSAGE | {"agent": "$agent", "shared": "1"}),
    ],
    "GET chat": [
        Ask(),
        Ask(query={"at": "$message"}),
        Ask(path={"conversation": "$branched_chat"}, query={"at": "$left_message"}),
    ],
    "GET chat-messages": [Ask(query={"before": "$message"})],
    "POST chat-messages": [Ask(body=MESSAGE)],
    "GET chat-news": [Ask(), Ask(query={"after": "$turn"}), Ask(query={"branch": "another"})],
    "GET chat-panel": [Ask()],
    "POST chat-stop": [Ask(path={"conversation": "$waiting_chat"})],
    "GET chat-rename": [Ask()],
    "POST chat-rename": [Ask(body={"title": "Renamed"})],
    "POST chat-pin": [Ask()],
    "POST chat-delete": [Ask()],
    "POST chat-restore": [Ask(path={"conversation": "$deleted"})],
    "GET message-edit": [Ask()],
    "POST message-edit": [Ask(body=MESSAGE)],
    "POST chat-switch": [Ask(path=LEFT)],
    "GET left-undo": [Ask(path=LEFT), Ask(path=LEFT, query={"note": "1"})],
    "POST left-undo": [Ask(path=LEFT)],
    "GET turn": [Ask()],
    "GET turn-events": [Ask(), Ask(headers={"Last-Event-ID": "1"})],
    "GET approval": [
        Ask(path={"conversation": "$asking_chat"}),
        Ask(path={"conversation": "$asking_chat"}, query={"edit": "1"}),
    ],
    "POST approval-approve": [
        Ask(path={"conversation": "$asking_chat"}),
        Ask(path={"conversation": "$asking_chat"}, body=EDITED),
    ],
    "POST approval-reject": [Ask(path={"conversation": "$asking_chat"}, body={"note": "No."})],
    "POST turn-retry": [Ask(path={"conversation": "$stopped_chat", "turn": "$stopped_turn"})],
    "POST turn-stop": [Ask(path={"conversation": "$waiting_chat", "turn": "$waiting_turn"})],
    "GET message": [Ask()],
    "GET agents": [Ask(), Ask(query={"q": "$marker"}), Ask(query={"state": "deleted"})],
    "GET agent-new": [Ask()],
    "POST agent-new": [Ask(body=AGENT | {"persona": ""})],
    "GET agent": [Ask()],
    "GET agent-settings": [Ask()],
    "POST agent-settings": [Ask(body=AGENT)],
    "GET agent-block-new": [Ask()],
    "POST agent-block-new": [Ask(body=BLOCK | {"label": "fresh"})],
    "GET agent-retire": [Ask()],
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

ASKS = PAGES | FILED | API | FILED_API | ORGANISATION
