"""One row of every scoped model, made by a person as the site makes them: an agent, a chat, a turn."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import models
from django.utils import timezone

from agents.llm import catalog
from agents.models import (
    AgentSkill,
    Approval,
    ExternalCall,
    LanguageModel,
    MainContext,
    PartText,
    Provider,
    Turn,
)
from agents.roster import AgentFields, create_agent
from agents.services import start_chat
from agents.tasks import enqueue
from agents.turns.line import turn_queued
from memory import core
from memory.actors import Actor, ActorKind
from memory.governance import Origin
from memory.models import (
    Archive,
    Block,
    Document,
    DocumentFile,
    Embedding,
    Skill,
    SkillVersion,
    Summary,
)
from memory.operations import Append
from tenants import audit
from tenants.invitations import invite
from tenants.models import ApiKey, AuditEvent, Invitation, Membership, Tenant, Workspace, WorkspaceMember
from tenants.permissions import my_role
from tests.agents.llm.stub_behaviours import Behaviour, calls
from tests.agents.llm.stub_server import StubServer
from tests.cast import Person, send, work
from tests.tenants.locks import scoped_models

Rows = dict[type[models.Model], Any]


@contextmanager
def no_broker() -> Iterator[None]:
    """Turns are not given to the broker: who makes them does the work."""
    turn_queued.disconnect(enqueue)
    try:
        yield
    finally:
        turn_queued.connect(enqueue)


def stub_model(person: Person, stub: StubServer) -> LanguageModel:
    """The stub as a model of the person's tenant."""
    with person.scope():
        provider = Provider(name="stub", base_url=stub.url)
        catalog.conceal(provider, "a key for the stub")
        provider.save()
        return LanguageModel.objects.create(provider=provider, name=f"stub-{uuid.uuid4().hex[:8]}")


def agent_and_chat(
    person: Person, stub: StubServer, agent_home: uuid.UUID, chat_home: uuid.UUID | None = None
) -> MainContext:
    """A chat of the person with an agent of a workspace; in that workspace, or in the person's own."""
    model = stub_model(person, stub)
    with person.scope():
        agent = create_agent(workspace_id=agent_home, fields=AgentFields(name="Memo", model_id=model.id))
        return start_chat(agent_id=agent.id, workspace_id=chat_home)


def turn_that_remembers(label: str, text: str) -> list[Behaviour]:
    """What a model does that writes a block and the archive, and speaks."""
    return [
        calls(
            ("core_memory_append", {"label": label, "content": text}),
            ("archival_memory_insert", {"content": text, "tags": ["note"]}),
        ),
        calls(("send_message", {"message": f"Noted: {text}"})),
    ]


def live_a_little(person: Person, home: uuid.UUID, label: str, text: str = "the harvest is in June") -> Rows:
    """Rows of every scoped model in a workspace, but for what only an owner sees where the person is none.

    `label` is a block that may be written from there.
    """
    with no_broker(), StubServer(*turn_that_remembers(label, text)) as stub:
        context = agent_and_chat(person, stub, home, home)
        turn = send(person, context, f"Remember that {text}")
        work(turn)
    with person.scope():
        Summary.objects.create(
            workspace_id=home,
            conversation_id=context.conversation_id,
            content=text,
            from_position=1,
            to_position=2,
        )
        block = Block.objects.filter(workspace_id=home, label=label).latest("id")
        agent = Actor(ActorKind.AGENT, context.agent_id)
        core.operate(block.id, Append(text), actor=agent, origin=Origin(override=Block.Governance.PROPOSE))
        file_and_learn(home, context, text)
        call_tools(turn, text)
        audit.record("block.read", block, subject_id=person.user.id)
        if my_role() == Membership.Role.OWNER:
            invite(email=f"{uuid.uuid4().hex}@example.com", role=Membership.Role.MEMBER)
        rows = {model: _newest(model, person, home) for model in scoped_models()}
        return {model: row for model, row in rows.items() if row is not None}


def call_tools(turn: Turn, text: str) -> None:
    """A call that waits for a yes, one whose effect lies elsewhere, and a text that stood in a prompt."""
    call = {"workspace_id": turn.workspace_id, "turn": turn, "call_id": "c1", "tool": "core_memory_append"}
    Approval.objects.create(**call, message_id=turn.message_id, arguments=text, expires_at=timezone.now())
    ExternalCall.objects.create(**call, result=text)
    PartText.objects.create(workspace_id=turn.workspace_id, kind="system", digest=uuid.uuid4().hex, text=text)


def file_and_learn(home: uuid.UUID, context: MainContext, text: str) -> None:
    """A document with its bytes, a skill that the agent knows, and the vector of a text."""
    document = new_document(home, "harvest.txt")
    DocumentFile.objects.create(workspace_id=home, document=document, data=text.encode(), text=text)
    named = {"name": uuid.uuid4().hex, "description": "how to harvest", "content": text}
    skill = Skill.objects.create(workspace_id=home, **named)
    SkillVersion.objects.create(workspace_id=home, skill=skill, number=1, actor_kind=ActorKind.USER, **named)
    AgentSkill.objects.create(workspace_id=home, agent_id=context.agent_id, skill=skill)
    Embedding.objects.create(workspace_id=home, model="test", digest=uuid.uuid4().hex, vector=[0.5, 0.5])


def new_document(home: uuid.UUID, name: str) -> Document:
    """A document that waits in an archive of its own."""
    archive = Archive.objects.create(workspace_id=home, name="documents")
    return Document.objects.create(
        workspace_id=home, archive=archive, name=name, digest=uuid.uuid4().hex, actor_kind=ActorKind.USER
    )


def _newest(model: type[models.Model], person: Person, home: uuid.UUID) -> Any:
    rows = model._default_manager.order_by("-id")
    if model is Tenant:
        return rows.get()
    if model is Invitation:
        return rows.first()
    if model is AuditEvent:
        return rows.filter(subject_id=person.user.id)[0]
    if model in {Membership, ApiKey}:
        return rows.filter(user_id=person.user.id)[0]
    if model is WorkspaceMember:
        return rows.get(workspace_id=home, user_id=person.user.id)
    if model is Workspace:
        return rows.get(id=home)
    if model is LanguageModel:
        return rows.exclude(provider=None)[0]
    return rows.filter(workspace_id=home)[0] if hasattr(model, "workspace") else rows[0]
