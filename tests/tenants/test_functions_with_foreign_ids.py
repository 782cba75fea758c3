"""The SQL functions that look past the policies answer a stranger who names what is Alice's with nothing.

Each that the app may call stands in `CALLS`, or in `OPEN` with the reason why it answers anybody.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import psycopg
import pytest
from django.db import connections

from agents.models import Agent, AgentBlock
from memory import core
from memory.core import BlockFields
from memory.models import Block
from tenants import services
from tenants.models import Membership, Workspace
from tenants.permissions import NotAllowed
from tests.cast import new_agent, new_chat
from tests.tenants.attacker import FOUND, Attacker, session
from tests.tenants.cases import STRANGERS, Case

# What a reading is noted with.
EVENT = "gen_random_uuid(), NULL, '', ''"
# A search of Alice's workspace, with her tenant named; and what a lexeme's places count.
ASKED = (
    "jsonb_build_object('tenant', {tenant}, 'reach', jsonb_build_array({place}),"
    " 'states', jsonb_build_array('current'))"
)
PLACES = "ARRAY[0.1, 0.2, 0.5, 1]::real[]"
# What a call names: {person} Alice, {place} a workspace of hers, {block}, {agent}, {seat}, {closed} and
# {chat} hers too; {mine} is a workspace and {my_block} a block of whoever asks.
CALLS = {
    "my_workspaces()": ["SELECT {place} = ANY (my_workspaces())"],
    "reachable_workspaces()": ["SELECT count(*) FROM reachable_workspaces() WHERE workspace = {place}"],
    "empty_seat(uuid)": ["SELECT count(*) >= 0 FROM empty_seat({seat})"],
    "change_seat(uuid,text)": ["SELECT count(*) >= 0 FROM change_seat({seat}, 'member')"],
    "preview_end(uuid)": ["SELECT preview_end({seat})::text"],
    "closed_workspaces()": ["SELECT count(*) FROM closed_workspaces() WHERE workspace = {closed}"],
    "reopen_workspace(uuid)": ["SELECT reopen_workspace({closed})"],
    "move_block(uuid,uuid)": [
        "SELECT move_block({block}, {mine}) IS NOT NULL",
        "SELECT move_block({my_block}, {place}) IS NOT NULL",
    ],
    "lent_blocks(uuid)": ["SELECT count(*) FROM lent_blocks({agent})"],
    "chats_of_member(uuid,integer,integer,uuid,uuid,text,text)": [
        f"SELECT count(*) FROM chats_of_member({{person}}, 9, 0, {EVENT})"
    ],
    "read_member_chat(uuid,uuid,bigint,integer,uuid,uuid,text,text)": [
        f"SELECT count(*) FROM read_member_chat({{person}}, {{chat}}, 9, 9, {EVENT})"
    ],
    "search_entries(jsonb,text[],real[],text[],text[],integer)": [
        f"SELECT count(*) FROM search_entries({ASKED}, ARRAY['''harvest'''], {PLACES}, "
        "'{{}}', '{{}}', 9)"
    ],
    "list_entries(jsonb,text[],integer,integer,integer)": [
        f"SELECT total FROM list_entries({ASKED}, '{{{{}}}}', 9, 0, 9)"
    ],
}
OPEN = {
    # Who is asking, and nothing else.
    "my_tenant()",
    "my_role()",
    "my_staff()",
    # Doors, before there is an identity. They take an id or a hash that only its holder knows.
    "tenants_of(uuid)",
    "key_by_digest(text)",
    "invitation_by_digest(text)",
    "accept_invitation(text,uuid,text,uuid[])",
    "any_tenant()",
    "tenant_by_slug(text)",
    "create_tenant(uuid,text,text,uuid,text,uuid[])",
    "tenants_for_staff(uuid,text,integer,integer)",
    "person_of_agent(uuid)",
    # They make something in the asker's own tenant and name nothing that is there.
    "add_person(uuid,text,text,uuid[])",
    "open_workspace(text,uuid[])",
    # Sweeps, of all tenants: ids, and a count.
    "turns_left_alone(interval)",
    "drop_old_events(interval)",
    "documents_left_alone(interval)",
    "summaries_to_mend()",
    "approvals_expired()",
    "contexts_filling()",
    # Of the embedder, of all tenants too: names of models, ids of workspaces, and counts.
    "embedding_models_in_use()",
    "workspaces_to_embed(text,integer)",
    "embedded_rows()",
    "drop_old_embeddings(interval)",
}


@pytest.fixture(scope="module")
def app(database: None) -> Iterator[psycopg.Connection[Any]]:
    with session() as opened:
        yield opened


@pytest.fixture(params=STRANGERS)
def case(request: pytest.FixtureRequest, cases: dict[str, Case]) -> Case:
    return cases[request.param]


def test_every_function_that_looks_past_the_policies_is_tried_or_open(database: None) -> None:
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            """SELECT p.oid::regprocedure::text FROM pg_proc p
               WHERE p.prosecdef AND p.pronamespace = 'public'::regnamespace
                 AND has_function_privilege(%s, p.oid, 'EXECUTE') AND prorettype <> 'trigger'::regtype""",
            [connections["default"].settings_dict["USER"]],
        )
        assert {name for (name,) in cursor.fetchall()} == set(CALLS) | OPEN


@pytest.mark.parametrize("function", CALLS)
def test_it_does_nothing_for_a_stranger(case: Case, app: psycopg.Connection[Any], function: str) -> None:
    hers, his = values_of(case)
    for sql in CALLS[function]:
        assert Attacker(app, case.alice.identity).tries(sql.format(**hers)) == FOUND, "not covered"
        watch = Attacker(app, case.alice.identity.narrowed(case.places))
        stranger = Attacker(app, case.stranger.identity)
        assert stranger.tries(sql.format(**his), "memory_block", watch) != FOUND, sql


def values_of(case: Case) -> tuple[dict[str, str], dict[str, str]]:
    """What Alice's call names, and the stranger's."""
    home = case.rows[Workspace].pk
    with case.alice.scope() as entered:
        another = next(key for key in entered.workspaces if key != home)
        agent = case.rows[Agent]
        AgentBlock.objects.filter(agent=agent, person_id=case.alice.user.id).update(in_shared_chats=True)
        opened = services.open_workspace(name="Closed")
    with case.alice.scope():
        services.close_workspace(workspace_id=opened.id)
    for person in (case.alice, case.stranger):
        with person.scope(), suppress(NotAllowed):
            services.update_tenant(admins_read_chats=True)
    chat = new_chat(case.alice, new_agent(case.alice))
    hers = {
        "tenant": case.alice.identity.tenant_id,
        "place": home,
        "block": case.rows[Block].pk,
        "agent": agent.pk,
        "seat": case.rows[Membership].pk,
        "closed": opened.id,
        "person": case.alice.user.id,
        "chat": chat.conversation_id,
        "mine": another,
        "my_block": own_block(case, another),
    }
    his = hers | {"mine": case.stranger.personal, "my_block": case.own[Block].pk}
    return tuple({name: f"'{value}'::uuid" for name, value in each.items()} for each in (hers, his))  # type: ignore[return-value]


def own_block(case: Case, workspace: Any) -> Any:
    """A block of Alice's in another workspace than the one that is asked for."""
    with case.alice.scope():
        actor = core.by_me()
        return core.create_block(workspace_id=workspace, fields=BlockFields(label="own"), actor=actor).pk
