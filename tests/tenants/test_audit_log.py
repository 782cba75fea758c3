"""The audit log: who reads it, that nobody changes it, and what a refusal leaves in it."""

from __future__ import annotations

import csv
import io
import json
import uuid
from datetime import timedelta

import pytest
from django.db import DatabaseError, connections, transaction
from django.utils import timezone

from memory import core
from memory.core import BlockFields
from memory.models import Block, Conversation
from tenants import audit, audit_export, keys, people, services
from tenants.audit import Asked, Origin
from tenants.authentication import find_key
from tenants.models import AuditEvent, Membership, WorkspaceMember
from tenants.scope import scope
from tests.cast import Cast, new_agent, new_chat
from tests.tenants.governing import actions, join, seat, told


def test_an_event_says_who_did_what_to_what_from_where(cast: Cast) -> None:
    token = audit.origin.set(Origin("192.0.2.7", "request-1"))
    try:
        with cast.alice.scope():
            services.rename_workspace(workspace_id=cast.team, name="Discovery")
    finally:
        audit.origin.reset(token)
    (event,) = told(cast.alice, "workspace.renamed")
    assert (event.actor_kind, event.actor_id, event.actor_name) == ("person", cast.alice.user.id, "Alice")
    assert (event.object_kind, event.object_id, event.object_name) == ("workspace", cast.team, "Discovery")
    assert (event.workspace_id, event.workspace_name) == (cast.team, "Discovery")
    assert (event.address, event.request_id) == ("192.0.2.7", "request-1")
    assert (event.key_id, event.subject_id) == (None, None)


def test_a_key_is_named_beside_its_person(cast: Cast) -> None:
    found = find_key(cast.alice.key)
    assert found
    with scope(found[0]):
        services.rename_workspace(workspace_id=cast.team, name="By a program")
    (event,) = told(cast.alice, "workspace.renamed")
    assert (event.actor_kind, event.actor_id, event.actor_name) == ("key", cast.alice.user.id, "Alice")
    assert event.key_id == found[0].key_id


def test_an_agent_and_background_work_are_named_as_such(cast: Cast) -> None:
    agent = new_agent(cast.alice, cast.team)
    with cast.alice.scope():
        audit.record("block.edited", actor=("agent", agent.id, "Memo"), workspace_id=cast.team)
    with scope(cast.alice.identity.narrowed([cast.team])):
        audit.record("block.edited", kind="block", name="narrowed")
    first, second = told(cast.alice, "block.edited")[::-1]
    assert (first.actor_kind, first.actor_id, first.actor_name) == ("agent", agent.id, "Memo")
    assert (second.actor_name, second.object_name) == ("Alice", "narrowed")


def test_it_is_there_with_what_it_tells_or_not_at_all(cast: Cast) -> None:
    with cast.alice.scope():
        services.rename_workspace(workspace_id=cast.team, name="Undone")
        transaction.set_rollback(True)
    assert told(cast.alice, "workspace.renamed") == []


CHANGES = (
    "UPDATE tenants_auditevent SET action = 'nothing.happened'",
    "DELETE FROM tenants_auditevent",
    "TRUNCATE tenants_auditevent",
)


@pytest.mark.parametrize("statement", CHANGES)
def test_nobody_changes_it(cast: Cast, statement: str) -> None:
    """Neither as the role that serves, with an owner's identity, nor as the owner of the tables."""
    before = actions(cast.alice)
    assert before
    with pytest.raises(DatabaseError, match="permission denied"), cast.alice.scope():
        _run("default", statement)
    with pytest.raises(DatabaseError, match="only ever added"):
        _run("owner", statement)
    assert actions(cast.alice) == before


def _run(role: str, statement: str) -> None:
    with connections[role].cursor() as cursor:
        cursor.execute(statement)


def test_who_reads_it(cast: Cast, locks: str) -> None:
    """Owner, admin and auditor everything of their tenant, everybody else what concerns them."""
    readers = [cast.alice, join(cast, "Ada", "admin"), join(cast, "Otto", "auditor")]
    with cast.alice.scope():
        people.change_role(membership_id=seat(cast.alice, cast.bob).id, role="member")
        audit.record("chat.read", subject_id=cast.bob.user.id)
    everything = {event.id for event in told(cast.alice)}
    for person in readers:
        assert {event.id for event in told(person)} == everything, person.name
    mine = told(cast.bob)
    assert {event.subject_id for event in mine} == {cast.bob.user.id}
    assert [event.action for event in mine] == ["chat.read", "person.added"]
    assert everything.isdisjoint(event.id for event in told(cast.charlie))


def test_background_and_narrowed_work_read_nothing_of_it(cast: Cast, locks: str) -> None:
    assert told(cast.alice)
    assert told(cast.bob)
    for person in (cast.alice, cast.bob):
        for reach in ([cast.organisation], []):
            with scope(person.identity.narrowed(reach)):
                assert not audit.search(Asked()).exists(), "not even what concerns them"


def test_an_auditor_reads_no_chats_and_no_blocks_whatever_rows_there_are(cast: Cast, locks: str) -> None:
    auditor = join(cast, "Otto", "auditor")
    agent = new_agent(cast.alice, cast.team)
    new_chat(cast.alice, agent, cast.team)
    with cast.alice.scope():
        core.create_block(workspace_id=cast.team, fields=BlockFields(label="secret"), actor=core.by_me())
        WorkspaceMember.objects.create(
            workspace_id=cast.team,
            membership=seat(cast.alice, auditor),
            user_id=auditor.user.id,
            role="admin",
        )
    cast.let_bob_in("viewer")
    with cast.bob.scope():
        assert Block.objects.filter(label="secret").exists()
        assert Conversation.objects.filter(workspace_id=cast.team).exists()
    with auditor.scope() as entered:
        assert set(entered.workspaces) == {auditor.personal}
        assert not Block.objects.filter(label="secret").exists()
        assert not Conversation.objects.filter(workspace_id=cast.team).exists()
        assert audit.search(Asked(action="block.created", object_kind="block")).exists()


def test_nobody_adds_to_the_log_of_another_tenant(cast: Cast, locks: str) -> None:
    row = {"actor_kind": "person", "action": "block.edited"}
    with cast.bob.scope():
        AuditEvent.objects.bulk_create([AuditEvent(tenant_id=cast.bob.identity.tenant_id, **row)])
    with pytest.raises(Exception, match="row-level|does not reach"), cast.charlie.scope():
        AuditEvent.objects.bulk_create([AuditEvent(tenant_id=cast.bob.identity.tenant_id, **row)])


def test_it_finds_by_actor_action_thing_person_time_and_words(cast: Cast) -> None:
    before = timezone.now()
    with cast.alice.scope():
        services.rename_workspace(workspace_id=cast.team, name="100% done_now")
    with cast.bob.scope():
        services.open_workspace(name="Bob's")
    newest, older = told(cast.alice, "workspace.")[:2]
    assert (newest.action, older.action) == ("workspace.opened", "workspace.renamed")

    def found(**asked: object) -> list[str]:
        return actions(cast.alice, **asked)

    assert found(actor_id=cast.bob.user.id) == ["workspace.opened", "key.created"]
    assert found(action="workspace.renamed") == ["workspace.renamed"]
    assert set(found(action="workspace.")) == {"workspace.renamed", "workspace.opened"}
    assert found(action="workspac_.") == []
    assert found(object_id=cast.team)[0] == "workspace.renamed"
    assert found(object_kind="key") == []
    assert found(object_kind="apikey") == ["key.created", "key.created"]
    assert found(workspace_id=cast.team, since=before) == ["workspace.renamed"]
    assert found(subject_id=cast.bob.user.id) == ["person.added"]
    assert found(since=before, until=timezone.now()) == ["workspace.opened", "workspace.renamed"]
    assert found(until=before - timedelta(days=1)) == []
    assert found(text="100% DONE_") == ["workspace.renamed"]
    assert found(text="10_%") == []
    assert found(text="bob", action="workspace.") == ["workspace.opened"]


def test_an_export_holds_the_same_in_order_and_in_pieces(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    with cast.alice.scope():
        services.rename_workspace(workspace_id=cast.team, name='=HYPERLINK("x"), "两\n行"')
    wanted = [str(event.id) for event in told(cast.alice)][::-1]
    monkeypatch.setattr(audit_export, "CHUNK", 2)
    pieces = list(audit_export.export(cast.alice.identity, Asked(), "jsonl"))
    lines = [json.loads(line) for line in "".join(pieces).splitlines()]
    assert [line["id"] for line in lines] == wanted
    assert all(piece.count('"id"') <= 2 for piece in pieces)
    assert tuple(lines[0]) == audit_export.FIELDS
    text = "".join(audit_export.export(cast.alice.identity, Asked(), "csv")).removeprefix("\ufeff")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [row["id"] for row in rows] == wanted
    renamed = next(row for row in rows if row["action"] == "workspace.renamed")
    assert renamed["object_name"] == '\'=HYPERLINK("x"), "两\n行"', "no formula for a spreadsheet"
    assert json.loads(renamed["details"]) == {"before": "Research"}


def test_who_loses_sight_of_the_log_during_an_export_gets_no_more(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    auditor = join(cast, "Otto", "auditor")
    monkeypatch.setattr(audit_export, "CHUNK", 2)
    pieces = audit_export.export(auditor.identity, Asked(), "jsonl")
    assert next(pieces).count("\n") == 2
    with cast.alice.scope():
        people.remove_person(membership_id=seat(cast.alice, auditor).id)
    assert "".join(pieces) == ""


def test_a_refusal_is_recorded_and_a_404_is_not(cast: Cast) -> None:
    models = f"/w/{cast.bob.personal}/settings/models/"
    assert cast.bob.browser.get(models).status_code == 403
    (event,) = told(cast.alice, "access.refused")
    assert (event.actor_kind, event.actor_id, event.object_name) == ("person", cast.bob.user.id, "models")
    assert event.details["method"] == "GET"
    assert "admin" in event.details["reason"]
    assert event.address == "127.0.0.1"
    assert event.request_id
    assert cast.bob.browser.get(f"/w/{cast.team}/settings/models/").status_code == 404
    assert len(told(cast.alice, "access.refused")) == 1


def test_a_refusal_over_the_api_is_recorded_with_its_key(cast: Cast) -> None:
    with cast.bob.scope():
        reading = keys.create_key(name="reading", scopes=["read"])
    answer = cast.bob.browser.post(
        "/api/v1/agents/",
        {"name": "Memo"},
        content_type="application/json",
        headers={"Authorization": f"Bearer {reading}", "X-Request-ID": "from-a-proxy"},
    )
    assert answer.status_code == 403
    (event,) = told(cast.alice, "access.refused")
    found = find_key(reading)
    assert found
    assert (event.actor_kind, event.key_id) == ("key", found[0].key_id)
    assert (event.object_name, event.details["method"]) == ("api-agents", "POST")
    assert event.details["reason"] == "This key lacks the scope write."
    assert event.request_id == "from-a-proxy"


def test_a_refusal_that_cannot_be_recorded_is_a_refusal_all_the_same(cast: Cast) -> None:
    """Somebody whose seat ends while they are refused."""
    with cast.alice.scope():
        Membership.objects.filter(user_id=cast.bob.user.id).update(is_active=False)
    audit.refused(cast.bob.identity, method="GET", route="models", reason="x")
    assert told(cast.alice, "access.refused") == []


def test_names_are_cut_and_never_taken_from_what_was_said(cast: Cast) -> None:
    agent = new_agent(cast.alice, cast.team)
    chat = new_chat(cast.alice, agent, cast.team)
    with cast.alice.scope():
        conversation = Conversation.objects.get(id=chat.conversation_id)
        conversation.title = "My secret plan"
        audit.record("chat.pinned", conversation, note="x" * 3)
        audit.record("chat.pinned", name="n" * 500)
    long, event = told(cast.alice, "chat.pinned")
    assert (event.object_name, event.workspace_id) == ("", cast.team)
    assert event.object_id == chat.conversation_id
    assert len(long.object_name) == 200


def test_ids_of_events_sort_by_time(cast: Cast) -> None:
    with cast.alice.scope():
        for place in range(5):
            audit.record("block.edited", kind="block", object_id=uuid.uuid4(), place=place)
    assert [event.details["place"] for event in told(cast.alice, "block.edited")] == [4, 3, 2, 1, 0]
