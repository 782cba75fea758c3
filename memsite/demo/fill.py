"""Filling a site: people, then their team, then what they say."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse

from memory.proposals import open_proposals
from memsite.demo.chats import talk
from memsite.demo.people import SignIn, gather
from memsite.demo.team import found
from tenants.models import Workspace
from tenants.scope import scope


@dataclass(frozen=True)
class Filled:
    """What there is now: the team's address, how many proposals wait in it, and who may sign in how."""

    address: str
    inbox: str
    waiting: int
    sign_ins: list[SignIn]


def fill(email: str = "") -> Filled:
    """Make what is missing of the demo, for the owner of that e-mail. Raises CommandError, Unfinished."""
    people = gather(email)
    team = found(people)
    talk(people, team)
    with scope(people.owner):
        workspace = Workspace.objects.get(id=team.workspace_id)
        return Filled(
            address=reverse("workspace", args=[workspace.address]),
            inbox=reverse("inbox", args=[workspace.address]),
            waiting=open_proposals(workspace.id).count(),
            sign_ins=people.sign_ins,
        )
