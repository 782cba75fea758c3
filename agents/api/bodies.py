"""What requests about agents, chats and turns may say."""

from __future__ import annotations

from rest_framework import serializers

from agents.models import WINDOW_MAX, WINDOW_MIN, Approval
from agents.services import MESSAGE_MAX
from agents.turns.approvals import NOTE_MAX
from memory.api.bodies import LABEL_MAX
from memory.models import Block
from tenants.api.bodies import Body, TooLarge
from tenants.api.fields import Flag, Id, Name, Number, Text, Whole
from tenants.api.pages import PageQuery

INSTRUCTIONS_MAX = 100_000
PERSONA_MAX = 5_000
WAIT_MAX = 300
NUMBER_MAX = 2**31 - 1
SHARED_MAX = 200


class AgentChange(Body):
    """What a person changes on an agent; what is left out stays."""

    name = Name(required=False, max_length=120)
    description = Text(required=False, allow_blank=True, max_length=1_000)
    instructions = Text(required=False, allow_blank=True, max_length=INSTRUCTIONS_MAX)
    model = Id(required=False, help_text="One of `models/`.")
    window = Whole(
        required=False,
        allow_null=True,
        min_value=WINDOW_MIN,
        max_value=WINDOW_MAX,
        help_text="In tokens; null takes the model's own.",
    )
    context = serializers.DictField(  # type: ignore[assignment]
        required=False,
        help_text="How it keeps its window: all settings together; those left out are as everywhere.",
    )
    tool_rules = serializers.ListField(
        required=False,
        child=serializers.DictField(),
        help_text="Which tools it may call when: Letta's rules, each with type and tool_name.",
    )
    summary_model = Id(
        required=False, allow_null=True, help_text="Who writes the summaries; null is the agent's own model."
    )


class AgentNew(AgentChange):
    """A new agent. It lies in your personal workspace, unless another is named."""

    name = Name(max_length=120)
    persona = Text(required=False, allow_blank=True, max_length=PERSONA_MAX, help_text="Who it is.")
    workspace = Id(required=False)


class AgentsQuery(PageQuery):
    """Which agents to list."""

    workspace = Id(required=False)


class AgentDeletion(Body):
    """What becomes of the blocks that nobody else has."""

    blocks = serializers.ChoiceField(
        choices=["keep", "delete"],
        default="keep",
        help_text="Blocks that only this agent has: they stay, or go along. Shared ones stay.",
    )


class AttachmentChange(Body):
    """On what terms an agent has a block; what is left out stays."""

    override = serializers.ChoiceField(
        choices=Block.Governance.choices,
        required=False,
        allow_null=True,
        help_text="What this agent may do, whatever the block says; null leaves it to the block.",
    )
    in_shared_chats = Flag(
        required=False, help_text="Of your own block: whether it is shown in chats that others read."
    )


class Sharing(Body):
    """The agents that are to have a block; those that have it keep it."""

    agents = serializers.ListField(child=Id(), min_length=1, max_length=SHARED_MAX)


class BlockDeletion(Body):
    """Whether a block goes that agents have."""

    used = serializers.ChoiceField(
        choices=["keep", "delete"], default="keep", help_text="What to do where agents have it."
    )


class BlocksQuery(PageQuery):
    """Which blocks to list."""

    deleted = serializers.ChoiceField(
        choices=["true", "false"], default="false", help_text="Those that were deleted instead."
    )
    agent = Id(required=False, help_text="Only blocks of this agent.")
    workspace = Id(required=False)
    label = Text(required=False, max_length=LABEL_MAX)  # type: ignore[assignment]


class ConversationsQuery(PageQuery):
    """Which chats to list."""

    agent = Id(required=False)
    workspace = Id(required=False)
    pinned = serializers.ChoiceField(choices=["true", "false"], required=False)


class ConversationNew(Body):
    """A new chat. It is yours alone, unless it is opened in the agent's team workspace."""

    agent = Id()
    title = Name(required=False, max_length=200)
    workspace = Id(required=False)


class ConversationChange(Body):
    """What a person changes on a chat."""

    title = Name(required=False, max_length=200)
    pinned = Flag(required=False)


class MessagesQuery(PageQuery):
    """Which end of a chat to begin at, and whether branches that were left are listed too."""

    order = serializers.ChoiceField(choices=["oldest", "newest"], default="oldest")
    branches = serializers.ChoiceField(
        choices=["live", "all"],
        default="live",
        help_text="`all` lists what was said on every branch; `parent` and `is_abandoned` tell them apart.",
    )


class MessageNew(Body):
    """What a person says. The same `client_id` again answers the same turn."""

    content = Text()
    client_id = Name(required=False, max_length=120, help_text="Yours; made where it is left out.")

    def validate_content(self, content: str) -> str:
        if len(content) > MESSAGE_MAX:
            raise TooLarge(
                f"A message has at most {MESSAGE_MAX:,} characters; this one has {len(content):,}."
            )
        return content


class WaitQuery(Body):
    """How long to wait for the answer."""

    wait = Number(
        min_value=0, max_value=WAIT_MAX, default=WAIT_MAX, help_text="Seconds; 202 where they are over."
    )


class ApprovalsQuery(PageQuery):
    """Which tool calls to list."""

    workspace = Id(required=False)
    conversation = Id(required=False)
    status = serializers.ChoiceField(Approval.Status.choices, default=Approval.Status.OPEN.value)


class CallRejection(Body):
    """A no to a tool call, and why."""

    note = Text(required=False, allow_blank=True, max_length=NOTE_MAX, help_text="Told to the model.")


class CallApproval(CallRejection):
    """A yes to a tool call, as it is or with other arguments."""

    arguments = serializers.DictField(
        required=False,
        help_text="All arguments to run it with, where they are not the model's; of your own turn only.",
    )


class EventsQuery(Body):
    """Where to go on."""

    after = Number(min_value=0, max_value=NUMBER_MAX, default=0, help_text="Only events with a higher id.")
