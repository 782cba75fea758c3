"""How a person wants to be spoken to."""

from __future__ import annotations

import uuid
import zoneinfo

from tenants.models import User
from tenants.scope import current_scope
from tenants.services import my_membership


def update_me(*, name: str, language: str, time_zone: str, theme: str, shortcuts: bool) -> None:
    """Set the present person's name in the present tenant, and their language, zone and appearance."""
    membership = my_membership()
    User.objects.filter(id=membership.user_id).update(
        language=language, time_zone=time_zone, theme=theme, shortcuts=shortcuts
    )
    membership.name = name
    membership.save(update_fields=["name"])


def learn_time_zone(user_id: uuid.UUID, zone: str) -> None:
    """Keep the zone that a person's browser names, unless they have one; what is no zone is not kept."""
    if zone in zoneinfo.available_timezones():
        User.objects.filter(id=user_id, time_zone="").update(time_zone=zone)


def my_zone() -> zoneinfo.ZoneInfo:
    """The present person's time zone; UTC where it is not known."""
    user_id = current_scope().user_id
    known = User.objects.filter(id=user_id).values_list("time_zone", flat=True).first() if user_id else ""
    try:
        return zoneinfo.ZoneInfo(known or "UTC")
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        return zoneinfo.ZoneInfo("UTC")
