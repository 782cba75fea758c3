"""Messages that were said elsewhere and imported, as a chat's page shows them. Reads, decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from agents.web import markdown
from agents.web.forks import Fork, Forks
from memory.models import Message
from tenants.people import names_of


@dataclass(frozen=True)
class ShownImported:
    """A message that belongs to no turn. `who` is empty where the chat's agent is meant."""

    message: Message
    who: str
    html: SafeString
    fork: Fork | None = None
    is_imported: ClassVar[bool] = True

    @property
    def is_answer(self) -> bool:
        """Whether an assistant said it."""
        return self.message.role == Message.Role.ASSISTANT

    @property
    def is_folded(self) -> bool:
        """Whether it is what a tool answered, which few want to read."""
        return self.message.role == Message.Role.TOOL


def shown_imported(messages: Sequence[Message]) -> list[ShownImported]:
    """Imported messages of one chat with who said them."""
    if not messages:
        return []
    unnamed = [each.actor_id for each in messages if each.role == Message.Role.USER and not each.name]
    people = names_of(unnamed) if unnamed else {}
    kinds: dict[str, str] = {Message.Role.TOOL: _("Tool"), Message.Role.SYSTEM: _("System message")}
    forks = Forks(messages[0].conversation_id, [each.parent_id for each in messages])
    return [
        ShownImported(
            each,
            each.name or kinds.get(each.role) or people.get(each.actor_id, ""),
            _html(each),
            forks.at(each, each.parent_id),
        )
        for each in messages
    ]


def _html(message: Message) -> SafeString:
    """What a tool answered is shown as it is, not read as Markdown."""
    if message.role == Message.Role.TOOL:
        return SafeString()
    return markdown.render(message.content, typed=message.role != Message.Role.ASSISTANT)
