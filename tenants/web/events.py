"""Events of the audit log as people read them: a sentence for each action, who, what, from where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from tenants.models import AuditEvent
from tenants.web.doors import is_uuid
from tenants.web.facts import facts_of

PAGE = 50

# What was done, as it stands between who did it and to what. A test holds this to what the code records.
GROUPS: dict[str, tuple[Any, dict[str, Any]]] = {
    "tenant": (
        _("The organisation"),
        {
            "created": _("founded the organisation"),
            "changed": _("changed the organisation's settings"),
            "entered": _("came in to look after the site"),
            "left": _("went out again"),
        },
    ),
    "workspace": (
        _("Workspaces"),
        {
            "opened": _("opened a workspace"),
            "renamed": _("renamed a workspace"),
            "closed": _("closed a workspace"),
            "reopened": _("opened a workspace again"),
            "handed_over": _("handed over a workspace"),
            "left": _("left a workspace"),
        },
    ),
    "member": (
        _("Members of workspaces"),
        {
            "added": _("let somebody into a workspace"),
            "role_changed": _("changed somebody's role in a workspace"),
            "removed": _("took somebody out of a workspace"),
        },
    ),
    "person": (
        _("People"),
        {
            "added": _("added a person"),
            "joined": _("joined"),
            "role_changed": _("changed somebody's role"),
            "removed": _("removed a person"),
            "left": _("left the organisation"),
            "reset_link_made": _("made a link for a new password"),
        },
    ),
    "account": (
        _("Accounts"),
        {"deactivated": _("shut an account"), "reactivated": _("opened an account again")},
    ),
    "invitation": (
        _("Invitations"),
        {
            "made": _("invited somebody"),
            "renewed": _("made a new link for an invitation"),
            "revoked": _("revoked an invitation"),
            "accepted": _("accepted an invitation"),
            "sent": _("sent an invitation by email"),
        },
    ),
    "key": (_("API keys"), {"created": _("made an API key"), "revoked": _("revoked an API key")}),
    "block": (
        _("Memory blocks"),
        {
            "created": _("made a memory block"),
            "edited": _("changed a memory block"),
            "proposed": _("proposed a change of a memory block"),
            "restored": _("restored a version of a memory block"),
            "undone": _("took back a change of a memory block"),
            "deleted": _("deleted a memory block"),
            "brought_back": _("brought back a memory block"),
            "moved": _("moved a memory block to another workspace"),
            "copied": _("copied a memory block to another workspace"),
            "attached": _("gave an agent the memory block"),
            "detached": _("took from an agent the memory block"),
            "governed": _("changed for an agent the rule of the memory block"),
            "lent": _("let a memory block of their own be shown in shared chats"),
            "recalled": _("no longer lets a memory block of their own be shown in shared chats"),
            "read": _("read a private memory block"),
        },
    ),
    "proposal": (
        _("Proposals"),
        {
            "approved": _("approved a proposal"),
            "rejected": _("rejected a proposal"),
            "withdrawn": _("withdrew a proposal"),
            "reopened": _("opened a proposal again"),
            "read": _("read a private proposal"),
        },
    ),
    "archive": (
        _("Archives"),
        {
            "created": _("made an archive"),
            "renamed": _("renamed an archive"),
            "deleted": _("deleted an archive"),
            "brought_back": _("brought back an archive"),
            "attached": _("let an agent search the archive"),
            "detached": _("lets an agent search the archive no longer"),
        },
    ),
    "passage": (
        _("Passages"),
        {
            "added": _("added passages to the archive"),
            "corrected": _("corrected a passage of the archive"),
            "edited": _("changed what is said about a passage of the archive"),
            "deleted": _("deleted passages of the archive"),
            "brought_back": _("brought back passages of the archive"),
        },
    ),
    "document": (
        _("Documents"),
        {
            "added": _("uploaded a document"),
            "cancelled": _("stopped the reading of a document"),
            "read_again": _("had a document read again"),
            "deleted": _("deleted a document"),
            "brought_back": _("brought back a document"),
        },
    ),
    "skill": (
        _("Skills"),
        {
            "created": _("made a skill"),
            "edited": _("changed a skill"),
            "restored": _("restored a version of a skill"),
            "deleted": _("deleted a skill"),
            "brought_back": _("brought back a skill"),
            "attached": _("gave an agent the skill"),
            "detached": _("took from an agent the skill"),
        },
    ),
    "approval": (
        _("Calls of tools that ask first"),
        {
            "approved": _("let a tool be called"),
            "rejected": _("did not let a tool be called"),
            "expired": _("called off a tool that nobody had decided about in time"),
        },
    ),
    "conversation": (_("Imported chats"), {"imported": _("imported a chat")}),
    "agent": (
        _("Agents"),
        {
            "created": _("made an agent"),
            "edited": _("changed an agent"),
            "retired": _("retired an agent"),
            "returned": _("brought back an agent"),
            "deleted": _("deleted an agent"),
            "read": _("read a private agent's settings"),
        },
    ),
    "provider": (
        _("Providers of models"),
        {
            "added": _("added a provider"),
            "edited": _("changed a provider"),
            "removed": _("removed a provider"),
        },
    ),
    "model": (
        _("Models"),
        {"added": _("added a model"), "edited": _("changed a model"), "removed": _("removed a model")},
    ),
    "chats": (_("Lists of chats"), {"listed": _("looked at the list of a member's chats")}),
    "chat": (_("Chats"), {"read": _("read a member's chat")}),
    "turn": (_("Turns"), {"read": _("read a turn of a member's chat")}),
    "audit": (_("Audit log"), {"exported": _("exported the audit log")}),
    "access": (_("Refusals"), {"refused": _("was refused")}),
}


# The same as a person is told it of whom it was.
OF_MINE = {
    "chats.listed": _("looked at the list of your chats"),
    "chat.read": _("read a chat of yours"),
    "turn.read": _("read a turn of a chat of yours"),
    "block.read": _("read a memory block of yours"),
    "proposal.read": _("read a proposal of yours"),
    "agent.read": _("read the settings of an agent of yours"),
}


def sentence(action: str) -> str:
    """What was done, in words; the code of an action that has none here."""
    kind, _dot, verb = action.partition(".")
    return str(GROUPS[kind][1].get(verb, action)) if kind in GROUPS else action


def actions(asked_for: str = "") -> list[tuple[Any, Any]]:
    """The choices of a filter, by kind of object; what is asked for and has no words is among them."""
    found: list[tuple[Any, Any]] = [
        (
            title,
            [(f"{kind}.", _("All of these")), *((f"{kind}.{verb}", words) for verb, words in verbs.items())],
        )
        for kind, (title, verbs) in GROUPS.items()
    ]
    known = {code for _title, codes in found for code, _words in codes}
    return found if asked_for in {"", *known} else [*found, (asked_for, asked_for)]


@dataclass(frozen=True)
class ShownEvent:
    """An event with what a page says about it."""

    event: AuditEvent

    @property
    def sentence(self) -> str:
        """What was done."""
        return sentence(self.event.action)

    @property
    def of_mine(self) -> str:
        """What was done with what is mine."""
        return str(OF_MINE.get(self.event.action, self.sentence))

    @property
    def facts(self) -> list[tuple[str, str]]:
        """The particulars, in words."""
        return facts_of(self.event.details)

    @property
    def agent(self) -> str:
        """The agent that it was about, beside its thing."""
        return str(self.event.details.get("agent_name", ""))


def shown(events: Iterable[AuditEvent]) -> list[ShownEvent]:
    """Events as pages show them."""
    return [ShownEvent(event) for event in events]


def page_of(rows: QuerySet[AuditEvent], before: str) -> dict[str, Any]:
    """The latest events, or those before one that is named, and where the next page begins."""
    if before:
        rows = rows.filter(id__lt=before) if is_uuid(before) else rows.none()
    found = list(rows[: PAGE + 1])
    last = found[PAGE - 1].id if len(found) > PAGE else None
    return {"events": shown(found[:PAGE]), "earlier": last, "is_later_page": bool(before)}
