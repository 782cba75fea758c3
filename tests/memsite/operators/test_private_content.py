"""What people wrote in private is shown as metadata, unless their tenant allows more; each reading is noted.

The same pages are looked at twice: with the tenant's leave, where the content has to be there, and without.
"""

from __future__ import annotations

import logging
import uuid
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from agents.models import Agent, Step, Turn
from memory.models import Block, BlockVersion, Conversation
from tenants import audit
from tests.cast import Cast, ask, new_agent, new_chat
from tests.memsite.operators.staff import Staff, block_of, events, let_staff_read

SECTIONS = (
    "agents_agent",
    "memory_block",
    "memory_blockversion",
    "memory_proposal",
    "memory_conversation",
    "agents_turn",
    "agents_step",
    "tenants_auditevent",
    "tenants_membership",
)


@pytest.fixture(autouse=True)
def _refusals_are_expected(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, "django.request")


@dataclass
class Secrets:
    """Something of Alice's in each kind of row, each with a word of its own."""

    pages: dict[str, tuple[str, uuid.UUID]] = field(default_factory=dict)

    def add(self, section: str, key: uuid.UUID) -> str:
        """A word that stands in a row, which is named by its section and id."""
        word = f"quince{uuid.uuid4().hex[:12]}"
        self.pages[word] = (section, key)
        return word


@pytest.fixture
def secrets(cast: Cast) -> Secrets:
    found = Secrets()
    alice = cast.alice
    block = block_of(alice, alice.personal)
    words = {name: found.add("memory_block", block.id) for name in ("label", "description", "value")}
    agent = new_agent(alice)
    chat = new_chat(alice, agent)
    team_chat = new_chat(alice, new_agent(alice, cast.team), cast.team)
    said, told = found.add("memory_conversation", chat.conversation_id), uuid.uuid4().hex
    ask(alice, chat, f"I like {said}.")
    ask(alice, team_chat, f"We like {found.add('memory_conversation', team_chat.conversation_id)}. {told}")
    with alice.scope():
        Block.objects.filter(id=block.id).update(**words)
        version = BlockVersion.objects.filter(workspace_id=alice.personal).exclude(value="").first()
        assert version is not None
        Agent.objects.filter(id=agent.id).update(
            name=found.add("agents_agent", agent.id), instructions=found.add("agents_agent", agent.id)
        )
        for each in (chat, team_chat):
            title = found.add("memory_conversation", each.conversation_id)
            Conversation.objects.filter(id=each.conversation_id).update(title=title)
            turn = Turn.objects.get(conversation_id=each.conversation_id)
            Turn.objects.filter(id=turn.id).update(error_text=found.add("agents_turn", turn.id))
            step = Step.objects.filter(turn=turn).first()
            assert step is not None
            Step.objects.filter(id=step.id).update(error_text=found.add("agents_step", step.id))
    return found


def pages(staff: Staff, secrets: Secrets) -> dict[tuple[str, uuid.UUID], str]:
    """Each page of a row with a secret."""
    return {page: staff.text(f"{page[0]}_change", page[1]) for page in set(secrets.pages.values())}


def test_with_the_tenants_leave_the_pages_show_everything(
    inside: Staff, cast: Cast, secrets: Secrets
) -> None:
    let_staff_read(cast.alice)
    shown = pages(inside, secrets)
    assert [page for word, page in secrets.pages.items() if word not in shown[page]] == []


def test_without_it_the_same_pages_show_none_of_it(inside: Staff, cast: Cast, secrets: Secrets) -> None:
    shown = pages(inside, secrets)
    assert [
        page for word, page in secrets.pages.items() if any(word in text for text in shown.values())
    ] == []
    for name in SECTIONS:
        text = inside.text(f"{name}_changelist")
        assert [word for word in secrets.pages if word in text] == [], name
    for section, key in set(secrets.pages.values()):
        text = inside.text(f"{section}_history", key)
        assert [word for word in secrets.pages if word in text] == [], section


def test_it_is_not_even_asked_for(inside: Staff, cast: Cast, secrets: Secrets) -> None:
    """The text of a chat's title stays in the database, and so does every message."""

    def statements() -> str:
        with CaptureQueriesContext(connection) as asked:
            pages(inside, secrets)
            inside.text("memory_conversation_changelist")
        return "\n".join(query["sql"] for query in asked)

    columns = ('"memory_conversation"."title"', '"memory_message"."content"', '"agents_turn"."error_text"')
    without = statements()
    assert [column for column in columns if column in without] == []
    let_staff_read(cast.alice)
    leave = statements()
    assert [column for column in columns if column not in leave] == []


def test_lists_show_none_of_it_whatever_the_tenant_allows(
    inside: Staff, cast: Cast, secrets: Secrets
) -> None:
    shared = block_of(cast.alice, cast.team, label="shared_label")
    let_staff_read(cast.alice)
    assert shared.label in inside.text("memory_block_changelist")
    for name in SECTIONS:
        text = inside.text(f"{name}_changelist")
        assert [word for word in secrets.pages if word in text] == [], name


@pytest.mark.parametrize("may_read", [False, True])
def test_no_search_and_no_filter_answers_questions_about_it(
    inside: Staff, cast: Cast, secrets: Secrets, may_read: bool
) -> None:
    let_staff_read(cast.alice, allowed=may_read)
    for word, (section, key) in secrets.pages.items():
        found = inside.text(f"{section}_changelist", q=word)
        assert str(key) not in found, (section, word)
    lookups: list[tuple[str, dict[str, Any]]] = [
        ("memory_block", {"value__contains": "S"}),
        ("memory_block", {"label": "notes"}),
        ("memory_conversation", {"title__startswith": "q"}),
        ("memory_conversation", {"messages__content__contains": "I"}),
        ("agents_turn", {"error_text__contains": "q"}),
        ("agents_agent", {"instructions__gt": ""}),
        ("memory_blockversion", {"block__value__contains": "q"}),
        ("tenants_membership", {"user__password__startswith": "md5"}),
        ("tenants_user", {"password__startswith": "md5"}),
    ]
    for section, lookup in lookups:
        assert inside.get(f"{section}_changelist", **lookup).status_code == 400, lookup


def test_a_search_for_an_id_finds_the_row(inside: Staff, cast: Cast, secrets: Secrets) -> None:
    for section, key in set(secrets.pages.values()):
        page = reverse(f"admin:{section}_change", args=[key])
        assert page in inside.text(f"{section}_changelist", q=str(key)), section
        assert page not in inside.text(f"{section}_changelist", q=str(uuid.uuid4())), section


def test_each_reading_is_in_the_log_and_the_person_sees_it(
    inside: Staff, cast: Cast, secrets: Secrets
) -> None:
    chat = next(key for section, key in secrets.pages.values() if section == "memory_conversation")
    inside.text("memory_conversation_change", chat)
    assert events(cast.alice, "chat.read") == []
    let_staff_read(cast.alice)
    inside.text("memory_conversation_change", chat)
    (event,) = events(cast.alice, "chat.read")
    assert (event.actor_kind, event.actor_id) == ("staff", inside.user.id)
    assert (event.object_id, event.subject_id) == (chat, cast.alice.user.id)
    inside.text("memory_conversation_changelist")
    assert len(events(cast.alice, "chat.read")) == 1


def test_what_a_team_shares_is_shown_and_its_reading_is_not_noted(inside: Staff, cast: Cast) -> None:
    block = block_of(cast.alice, cast.team, label="plan", value="We ship in May.")
    assert "We ship in May." in inside.text("memory_block_change", block.id)
    assert events(cast.alice, "block.read") == []


def test_the_log_names_nothing_private(inside: Staff, cast: Cast) -> None:
    by, own = ("agent", uuid.uuid4(), "very_private_agent"), block_of(cast.alice, cast.alice.personal)
    with cast.alice.scope():
        audit.record("block.edited", own, actor=by, agent_name="very_private_agent", version=2)
    (written,) = events(cast.alice, "block.edited")
    assert written.actor_name == written.details["agent_name"] == "very_private_agent"
    for text in (
        inside.text("tenants_auditevent_changelist"),
        inside.text("tenants_auditevent_change", written.id),
        inside.text("memory_block_history", written.object_id),
    ):
        assert "very_private_agent" not in text
    assert str(written.id) not in inside.text("tenants_auditevent_changelist", q="very_private_agent")
    block_of(cast.alice, cast.team, label="shared_label")
    block_of(cast.alice, cast.alice.personal, label="very_private_label")
    text = inside.text("tenants_auditevent_changelist", all="")
    assert "shared_label" in text
    assert "very_private_label" not in text
    (made,) = [
        each for each in events(cast.alice, "block.created") if each.object_name == "very_private_label"
    ]
    assert "very_private_label" not in inside.text("tenants_auditevent_change", made.id)
    assert str(made.id) in inside.text("tenants_auditevent_changelist", q=str(made.object_id))
    assert str(made.id) not in inside.text("tenants_auditevent_changelist", q="very_private_label")


def test_keys_and_passwords_are_shown_nowhere(inside: Staff, cast: Cast) -> None:
    text = inside.text("tenants_user_change", cast.alice.user.id)
    assert cast.alice.user.email in text
    assert cast.alice.user.password not in text
