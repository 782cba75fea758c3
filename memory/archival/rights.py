"""Who may correct and delete what was filed: whoever added it, and editors."""

from __future__ import annotations

from memory.actors import ActorKind
from memory.models import Document, Passage
from tenants.permissions import has_role
from tenants.scope import current_scope


def needed_role(filed: Passage | Document) -> str:
    """The role that it takes to change something: one's own is a member's, what others added an editor's."""
    is_mine = filed.actor_kind == ActorKind.USER and filed.actor_id == current_scope().user_id
    return "member" if is_mine else "editor"


def may_change(filed: Passage | Document) -> bool:
    """Whether the present person may change something that was filed."""
    return has_role(filed.workspace_id, needed_role(filed))
