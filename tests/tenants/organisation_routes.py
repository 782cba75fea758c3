"""How Alice asks the API about her organisation: workspaces, members, people, invitations, keys, the log."""

from tests.tenants.asked import Ask, shows

# Bob sees the people of his own organisation, and is refused by his role: tests/tenants/test_role_matrix.py.
PLACE = {"workspace_id": "$garden"}
HERS = {"person_id": "$colleague"}
ORGANISATION: dict[str, list[Ask]] = {
    "GET api-organisation": [shows("$tenant", strangers=("Charlie",))],
    "PATCH api-organisation": [Ask(body={"name": "Renamed", "admins_read_chats": True}, strangers=())],
    "GET api-workspaces": [shows("$garden"), shows("$closed", query={"closed": "true"})],
    "POST api-workspaces": [Ask(body={"name": "Fresh"}, strangers=())],
    "GET api-workspace": [Ask(path=PLACE)],
    "PATCH api-workspace": [Ask(path=PLACE, body={"name": "Renamed"})],
    "DELETE api-workspace": [Ask(path=PLACE)],
    "POST api-workspace-reopen": [Ask(path={"workspace_id": "$closed"})],
    "GET api-members": [Ask(path=PLACE)],
    "POST api-members": [
        Ask(path=PLACE, body={"person": "$outsider_seat", "role": "viewer"}),
        Ask(
            path=PLACE,
            body={"person": "$colleague", "role": "viewer"},
            own=("garden",),
            strangers=("Charlie",),
        ),
    ],
    "PATCH api-member": [Ask(path=PLACE | HERS, body={"role": "editor"})],
    "DELETE api-member": [Ask(path=PLACE | HERS)],
    "GET api-people": [shows("$colleague", strangers=("Charlie",))],
    "GET api-person": [Ask(path=HERS, strangers=("Charlie",))],
    "PATCH api-person": [
        Ask(path=HERS, body={"role": "admin"}, strangers=("Charlie",)),
        Ask(path={"person_id": "$outsider_seat"}, body={"role": "admin"}, strangers=("Charlie",)),
    ],
    "DELETE api-person": [Ask(path=HERS, strangers=("Charlie",))],
    "GET api-person-leaving": [Ask(path=HERS, strangers=("Charlie",))],
    "POST api-person-ownership": [Ask(path=HERS, strangers=("Charlie",))],
    "GET api-invitations": [shows("$marker", strangers=("Charlie",))],
    "POST api-invitations": [Ask(body={"email": "new@example.com", "workspace": "$garden"})],
    "DELETE api-invitation": [Ask(path={"invitation_id": "$invitation"}, strangers=("Charlie",))],
    "POST api-invitation-renew": [Ask(path={"invitation_id": "$invitation"}, strangers=("Charlie",))],
    "GET api-keys": [shows("$marker")],
    "POST api-keys": [Ask(body={"name": "Importer", "workspaces": ["$garden"]})],
    "DELETE api-key": [Ask(path={"key_id": "$key"})],
    "GET api-audit": [shows("$marker"), shows("$marker", query={"text": "$marker", "action": "chat."})],
    "GET api-audit-export": [Ask(query={"format": "csv"}, strangers=())],
}
