"""A person's world for the strangers' walk: one of everything that an address can name, with one marker."""

import uuid
from typing import Any

from agents import branching, core_memory, roster, services
from agents.models import LanguageModel, Provider, Step
from memory import core, proposals, recall
from memory.actors import Actor, ActorKind
from memory.governance import Origin
from memory.models import Block, Message
from memory.operations import Append
from tenants import audit, invitations, keys, members, people
from tenants import services as organisations
from tenants.models import ApiKey, Invitation, Membership, User, Workspace
from tenants.permissions import my_role
from tenants.scope import current_scope
from tests.agents.llm.stub_server import StubServer
from tests.cast import Person, send, work
from tests.tenants.filed import filed
from tests.tenants.lives import no_broker, stub_model, turn_that_remembers
from tests.tenants.waiting_calls import waiting_calls

World = dict[str, Any]


def make_world(person: Person, home: uuid.UUID, stub: StubServer) -> World:
    """Ids and texts by name. The chat and its agent lie in `home`."""
    marker = f"zebra{uuid.uuid4().hex[:12]}"
    with no_broker():
        world = _ids(person, home, marker, stub)
    return world | {
        "marker": marker,
        "workspace": home,
        "name": person.name,
        "email": person.user.email,
        "personal": person.personal,
        "workspace_id": home,
        "person_id": world["membership"],
        "key_id": world["key"],
        "invitation_id": world.get("invitation", ""),
        "member": world.get("gardener", ""),
    }


def _ids(person: Person, home: uuid.UUID, marker: str, stub: StubServer) -> World:
    model = stub_model(person, stub)
    agent, other, retired = (_agent(person, home, marker, model) for _ in range(3))
    with person.scope():
        block = next(block for block in core_memory.agent_blocks(agent) if block.label == "persona")
        core.operate(block.id, Append(marker), actor=core.by_me())
        roster.delete_agent(retired.id)
        LanguageModel.objects.filter(id=model.id).update(name=marker)
        Provider.objects.filter(id=model.provider_id).update(name=marker)
        membership = Membership.objects.get(user_id=person.user.id)
    chat = _chat(person, home, agent)
    stub.queue(*turn_that_remembers("persona", f"the harvest of {marker}"))
    turn = send(person, chat, f"Tell of the harvest: {marker}")
    work(turn)
    stopped, waiting = (send(person, _chat(person, home, agent), "Wait.") for _ in range(2))
    deleted = _chat(person, home, agent)
    left = _left(person, _chat(person, home, agent))
    unused = stub_model(person, stub)
    with person.scope():
        services.stop_turn(stopped.id)
        recall.rename(chat.conversation_id, marker)
        recall.pin(chat.conversation_id, pinned=True)
        recall.delete(deleted.conversation_id)
        message = Message.objects.get(id=turn.message_id)
        step = Step.objects.filter(turn=turn).latest("id")
        version = Block.objects.get(id=block.id).version
        human = next(each for each in core_memory.agent_blocks(agent) if each.label == "human")
        deleted_block = core.create_block(
            workspace_id=home, fields=core.BlockFields(label="old", value=marker), actor=core.by_me()
        )
        core.delete_block(deleted_block.id)
        loose = core.create_block(
            workspace_id=home, fields=core.BlockFields(label="loose", value=marker), actor=core.by_me()
        )
        proposal, rejected = (_proposal(block, agent, f"{marker} {number}") for number in range(2))
        proposals.reject(rejected.id)
        elsewhere = current_scope().of_kind(Workspace.Kind.ORGANISATION)[0]
    return {
        "agent": agent.id,
        "agent_id": agent.id,
        "retired": retired.id,
        "other_agent": other.id,
        "human": human.block_id,
        "deleted_block": deleted_block.id,
        "loose": loose.id,
        "proposal": proposal.id,
        "proposal_id": proposal.id,
        "rejected": rejected.id,
        "elsewhere": elsewhere,
        "block": block.id,
        "block_id": block.id,
        "version": version,
        "number": version,
        "a": 1,
        "b": 2,
        "conversation": chat.conversation_id,
        "conversation_id": chat.conversation_id,
        "deleted": deleted.conversation_id,
        "turn": turn.id,
        "turn_id": turn.id,
        "message": message.id,
        "message_id": message.id,
        "stopped_turn": stopped.id,
        "stopped_chat": stopped.conversation_id,
        "step": step.id,
        "step_id": step.id,
        "left_message": left.message_id,
        "branched_chat": left.conversation_id,
        "waiting_turn": waiting.id,
        "waiting_chat": waiting.conversation_id,
        "model": model.id,
        "provider": model.provider_id,
        "unused_model": unused.id,
        "unused_provider": unused.provider_id,
        "membership": membership.id,
        **waiting_calls(person, home, marker, stub, model),
        **_organisation(person, marker),
        **filed(person, home, agent, marker),
    }


def _organisation(person: Person, marker: str) -> World:
    """What an organisation's pages name: a key, and what only its owner makes."""
    with person.scope():
        keys.create_key(name=marker)
        audit.record("chat.read", kind="conversation", name=marker, subject_id=person.user.id)
        world = {
            "tenant": person.identity.tenant_id,
            "key": ApiKey.objects.get(name=marker).id,
            "own_chat": recall.start_conversation(workspace_id=person.personal, title=marker).id,
            "garden": organisations.open_workspace(name=f"Garden of {marker}").id,
            "closed": organisations.open_workspace(name=f"Shed of {marker}").id,
        }
    with person.scope():
        organisations.close_workspace(workspace_id=world["closed"])
        return world | (_colleagues(world["garden"], marker) if my_role() == "owner" else {})


def _colleagues(garden: uuid.UUID, marker: str) -> World:
    """Somebody beside the owner, in the garden with her; somebody outside of it; somebody invited.

    Owners may read members' chats here, so that the pages by which they do are walked.
    """
    organisations.update_tenant(admins_read_chats=True)
    beside, outside = (_colleague(f"{name}-{marker}@example.com") for name in ("dora", "emil"))
    people.change_role(membership_id=beside.id, role="owner")
    member = members.add_member(workspace_id=garden, user_id=beside.user_id, role="viewer")
    invitations.invite(email=f"{marker}@example.com", role="member")
    return {
        "colleague": beside.id,
        "gardener": member.id,
        "outsider": outside.user_id,
        "outsider_seat": outside.id,
        "invitation": Invitation.objects.get(email=f"{marker}@example.com").id,
    }


def _colleague(email: str) -> Membership:
    user = User.objects.create_user(email)
    people.add_person(user=user, name=email)
    return Membership.objects.get(user=user)


def _agent(person: Person, home: uuid.UUID, marker: str, model: LanguageModel) -> Any:
    fields = roster.AgentFields(name=marker, model_id=model.id)
    with person.scope():
        return roster.create_agent(workspace_id=home, fields=fields, persona=f"I am {marker}.")


def _proposal(block: Any, agent: Any, text: str) -> Any:
    hand, origin = Actor(ActorKind.AGENT, agent.id), Origin(override="propose")
    return core.operate(block.id, Append(text), actor=hand, origin=origin)


def _left(person: Person, chat: Any) -> Any:
    """A turn on a branch of a chat that was left: its message was edited."""
    turn = send(person, chat, "One way.")
    with person.scope():
        services.stop_turn(turn.id)
        edited = branching.edit_message(turn.message_id, content="Another way.", client_id="another").turn
        services.stop_turn(edited.id)
    return turn


def _chat(person: Person, home: uuid.UUID, agent: Any) -> Any:
    with person.scope():
        return services.start_chat(agent_id=agent.id, workspace_id=home)
