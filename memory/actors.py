"""Who did something to memory."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field

from django.db import models
from django.utils.translation import gettext_lazy as _


class ActorKind(models.TextChoices):
    """The kinds of hand that write memory."""

    USER = "user", _("person")
    AGENT = "agent", _("agent")
    SLEEPTIME = "sleeptime", _("sleeptime agent")
    SYSTEM = "system", _("system")
    STAFF = "staff", _("staff of the site")


@dataclass(frozen=True)
class Actor:
    """A kind and an id; ids of agents are kept without a foreign key, since memory knows no agents.

    The name is for the audit log, which keeps names as they were.
    """

    kind: str
    id: uuid.UUID | None = None
    name: str = field(default="", compare=False)


SYSTEM = Actor(ActorKind.SYSTEM)


def person(user_id: uuid.UUID | None) -> Actor:
    """The actor of a person."""
    return Actor(ActorKind.USER, user_id)
