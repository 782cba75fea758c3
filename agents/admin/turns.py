"""Turns and their steps in the admin: when, how long, how much, how they ended."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.admin import display
from django.utils.translation import gettext_lazy as _

from agents.models import Agent, Step, Turn
from memory.models import Conversation
from tenants.admin.columns import column, joined, link, listing, short, table
from tenants.admin.filters import KIND, choice, day, presence
from tenants.admin.section import Section


class TurnSection(Section):
    """From a message to the answer. What was said lies in the chat; an error's words may quote it."""

    words = (_("turn"), _("turns"))
    reading = "turn.read"
    content = ("error_text",)
    is_always_private = True
    linked = ("conversation_id",)
    found_by = ("id", "conversation_id", "user_id", "context__agent_id")
    list_display = (
        "end",
        column("get_status_display", _("status"), order="status"),
        column("user.email", _("person"), order="user__email"),
        column("workspace.name", _("workspace"), order="workspace__name"),
        column("attempt", _("attempts"), order="attempt"),
        column("error_kind", _("error"), order="error_kind"),
        column("created_at", _("asked"), order="id"),
        column("started_at", _("begun"), order="started_at"),
        column("ended_at", _("finished"), order="ended_at"),
    )
    list_select_related = ("workspace", "user", "context")
    list_filter = (
        choice("status", _("status")),
        KIND,
        presence("error_kind", _("error")),
        day("created_at", _("asked")),
    )
    search_fields = ("user__email",)
    ordering = ("-id",)
    fields = readonly_fields = (
        *list_display[1:],
        column("error_text", _("error in words")),
        "agent",
        "chat",
        "done",
    )

    def subject_of(self, row: Turn) -> uuid.UUID:
        return row.user_id

    @display(description=_("turn"))
    def end(self, row: Turn) -> str:
        """Its id."""
        return short(row.pk)

    @display(description=_("agent"))
    def agent(self, row: Turn) -> str:
        """Who answered, by id: a name may be private."""
        return link(Agent, row.context.agent_id, row.context.agent_id)

    @display(description=_("chat"))
    def chat(self, row: Turn) -> str:
        """Where it was asked, and the chat's other turns."""
        own = link(Conversation, row.conversation_id, row.conversation_id)
        return joined(own, listing(Turn, _("turns"), conversation_id=row.conversation_id))

    @display(description=_("steps"))
    def done(self, row: Turn) -> str:
        """Each call of the model."""
        rows = [
            (
                link(Step, step.pk, step.number),
                step.attempt,
                step.model_name,
                step.prompt_tokens,
                step.completion_tokens,
                f"{step.seconds:.1f}",
                step.finish_reason,
                step.error_kind,
            )
            for step in Step.objects.filter(turn=row).defer("error_text").order_by("attempt", "number")[:200]
        ]
        counted = (_("read"), _("written"), _("seconds"))
        return table((_("step"), _("attempt"), _("model"), *counted, _("how it ended"), _("error")), rows)


class StepSection(Section):
    """One call of a model."""

    words = (_("step"), _("steps"))
    reading = "turn.read"
    content = ("error_text",)
    is_always_private = True
    linked = ("turn_id",)
    found_by = ("id", "turn_id")
    list_display = (
        "end",
        column("number", _("step"), order="number"),
        column("attempt", _("attempt"), order="attempt"),
        column("model_name", _("model"), order="model_name"),
        column("workspace.name", _("workspace"), order="workspace__name"),
        column("prompt_tokens", _("tokens read"), order="prompt_tokens"),
        column("completion_tokens", _("tokens written"), order="completion_tokens"),
        column("seconds", _("seconds"), order="seconds"),
        column("finish_reason", _("how it ended"), order="finish_reason"),
        column("error_kind", _("error"), order="error_kind"),
        column("created_at", _("when"), order="id"),
    )
    list_select_related = ("workspace",)
    list_filter = (presence("error_kind", _("error")), KIND, day("created_at", _("when")))
    search_fields = ("model_name", "error_kind", "finish_reason")
    ordering = ("-id",)
    fields = readonly_fields = (
        "of",
        *list_display[1:],
        column("error_text", _("error in words")),
    )

    def subject_of(self, row: Any) -> uuid.UUID:
        return row.turn.user_id  # type: ignore[no-any-return]

    @display(description=_("step"))
    def end(self, row: Step) -> str:
        """Its id."""
        return short(row.pk)

    @display(description=_("turn"))
    def of(self, row: Step) -> str:
        """The turn that it belongs to."""
        return link(Turn, row.turn_id, row.turn_id)
