"""The door around every view of the admin: staff only, and inside the picked tenant's scope."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import SimpleTemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from memsite.operators.picking import forget, picked_tenant
from memsite.security import ADMIN_POLICY
from tenants.admin.section import OperatorRequest
from tenants.models import Tenant
from tenants.operators import identity_of
from tenants.scope import scope

View = Callable[..., HttpResponse]


def operated(view: View) -> View:
    """A view for the site's staff; for everybody else there is nothing at its address.

    Without a tenant, a view of something that lies in one leads to the list of tenants.
    """

    @wraps(view)
    @never_cache
    def entered(request: OperatorRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not is_staff(request):
            raise Http404
        request.tenant = None
        picked = picked_tenant(request)
        if picked is None:
            return choose_first(request) if lies_in_a_tenant(view) else answered(request, view, args, kwargs)
        request.identity = identity_of(request.user, picked)
        try:
            with scope(request.identity):
                request.tenant = Tenant.objects.get()
                return answered(request, view, args, kwargs)
        except Tenant.DoesNotExist:  # it is gone
            forget(request)
            return choose_first(request)

    return entered


def is_staff(request: HttpRequest) -> bool:
    """Whether a request comes from the site's staff. An account that was shut is signed out by then."""
    return bool(request.user.is_authenticated and request.user.is_staff)


def lies_in_a_tenant(view: View) -> bool:
    """Whether a view belongs to a section whose rows lie in a tenant."""
    section = getattr(view, "__self__", None)
    return bool(getattr(getattr(section, "model", None), "is_scoped", False))


def choose_first(request: HttpRequest) -> HttpResponse:
    """Nothing of any tenant is read before one was picked."""
    messages.info(request, _("Choose an organisation first."))
    return redirect("admin:index")


def answered(
    request: OperatorRequest, view: View, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> HttpResponse:
    """The view's answer, rendered while the scope still holds."""
    response = view(request, *args, **kwargs)
    if isinstance(response, SimpleTemplateResponse) and not response.is_rendered:
        response.render()
    response.headers["Content-Security-Policy"] = ADMIN_POLICY
    return response
