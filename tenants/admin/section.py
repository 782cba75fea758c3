"""What every section of the admin keeps to.

It reads within the picked tenant, changes by a verb of the domain, adds and deletes nothing, and shows what
people wrote in private only where the tenant lets the site's staff read, one opened page at a time.
"""

from __future__ import annotations

import copy
import uuid
from collections.abc import Callable
from typing import Any, ClassVar

from django.contrib import messages
from django.db import transaction
from django.db.models import Case, F, Model, Q, QuerySet, Value, When
from django.http import Http404, HttpRequest
from django.template.response import TemplateResponse
from django.urls import URLPattern
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from unfold.admin import ModelAdmin
from unfold.views import ChangeList

from tenants import operators
from tenants.admin.columns import WITHHELD
from tenants.models import AuditEvent, Tenant, User, Workspace
from tenants.permissions import NotAllowed
from tenants.scope import Identity
from tenants.web.events import sentence

PERSONAL = Q(workspace__kind=Workspace.Kind.PERSONAL)
AT_ONCE = 200
EVENTS = 100


class OperatorRequest(HttpRequest):
    """A request of the site's staff; `tenant` is the one that they work in, if any, as `identity` says."""

    user: User
    tenant: Tenant | None
    identity: Identity


class SectionList(ChangeList):  # type: ignore[misc]
    """A list under the section's own words."""

    def __init__(self, request: HttpRequest, model: type[Model], *args: Any, **options: Any) -> None:
        super().__init__(request, model, *args, **options)
        self.opts = self.model_admin.opts
        self.title = self.model_admin.title


class Section(ModelAdmin):  # type: ignore[misc]
    """A model in the admin. `words` is what one row and many are called.

    `content` are the fields that hold what people wrote: a list does not read them, a page does where it may.
    Texts that a list needs are named in `list_content` (annotation: path); it reads them of shared rows only.
    """

    words: ClassVar[tuple[Any, Any]]
    # What the list is called, where that is not its rows' plural.
    heading: ClassVar[Any] = ""
    content: ClassVar[tuple[str, ...]] = ()
    list_content: ClassVar[dict[str, str]] = {}
    # What the log calls the reading of private content.
    reading = ""
    # Chats and what is in them are private in a team's workspace too.
    is_always_private = False
    # Filters by which other pages lead here, beside those of the list itself.
    linked: ClassVar[tuple[str, ...]] = ()
    # Whether `search_fields` are texts that people wrote: then words find shared rows only.
    finds_content = False
    # Keys by which an id that is typed into the search box finds rows.
    found_by: ClassVar[tuple[str, ...]] = ("id",)
    refusals: ClassVar[tuple[type[Exception], ...]] = (NotAllowed,)
    is_changed_here = False

    list_per_page = 50
    list_max_show_all = 0
    show_full_result_count = False
    list_disable_select_all = True

    def __init__(self, model: type[Model], admin_site: Any) -> None:
        super().__init__(model, admin_site)
        self.opts = copy.copy(model._meta)
        self.opts.verbose_name, self.opts.verbose_name_plural = self.words

    @property
    def title(self) -> str:
        """What the list is called, as a heading."""
        words = str(self.heading or self.words[1])
        return words[:1].upper() + words[1:]

    # What there is

    def get_urls(self) -> list[URLPattern]:
        """Lists, pages and logs, and the section's own; none to add, to delete, or to guess a page."""
        urls: list[URLPattern] = super().get_urls()
        return [url for url in urls if url.name and not url.name.endswith(("_add", "_delete"))]

    def get_changelist(self, request: HttpRequest, **options: Any) -> type[SectionList]:
        return SectionList

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return True  # the door of the site has let only staff in

    def has_module_permission(self, request: HttpRequest) -> bool:
        return True

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.is_changed_here and (obj is None or not self.is_private(obj))

    # What may be read

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Rows without what people wrote, but for what a list shows of shared ones."""
        shown = {
            name: Case(When(PERSONAL, then=Value("")), default=F(path))
            for name, path in self.list_content.items()
        }
        rows: QuerySet[Any] = super().get_queryset(request).annotate(**shown).defer(*self.content)
        return rows

    def is_private(self, row: Any) -> bool:
        """Whether what a row holds is one person's, and not their team's."""
        if not self.content:
            return False
        return self.is_always_private or operators.is_private(row.workspace_id)

    def subject_of(self, row: Any) -> uuid.UUID | None:
        """Whose content a private row holds."""
        return operators.person_of(row.workspace_id)

    def get_object(self, request: OperatorRequest, object_id: str, from_field: str | None = None) -> Any:
        """The row of a page, with its content where the tenant lets it be read. Raises Http404."""
        row = super().get_object(request, object_id, from_field)
        if row is None:
            raise Http404
        self.open_content(request, row)
        return row

    def open_content(self, request: OperatorRequest, row: Any) -> None:
        """Read what a row holds, and note it where that is private; or put nothing in its place."""
        row.is_withheld = self.is_private(row) and not (request.tenant and request.tenant.operators_read)
        if row.is_withheld:
            for name in self.content:
                setattr(row, name, str(WITHHELD))
        elif self.content:
            row.refresh_from_db(fields=self.content)
            if self.is_private(row):
                operators.note_reading(
                    self.reading,
                    row,
                    subject_id=self.subject_of(row),
                    workspace_id=row.workspace_id,
                )

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> Any:
        """A row's page. Its heading does not print the row, whose name may be private."""
        return super().change_view(request, object_id, form_url, {"subtitle": None} | (extra_context or {}))

    # How it is found

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """Only what the list offers: a free lookup would answer questions about texts that are not shown."""
        offered = {*self.linked}
        for each in self.get_list_filter(request):
            field = each[0] if isinstance(each, tuple) else each
            offered.add(field if isinstance(field, str) else field.parameter_name)
        return lookup in offered or lookup.rpartition("__")[0] in offered

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """By id among all rows; by words among those whose texts are not private."""
        try:
            key = uuid.UUID(search_term.strip())
        except ValueError:
            rows = queryset.exclude(PERSONAL) if search_term and self.finds_content else queryset
            found: tuple[QuerySet[Any], bool] = super().get_search_results(request, rows, search_term)
            return found
        same = Q()
        for name in self.found_by:
            same |= Q(**{name: key})
        return queryset.filter(same), False

    # What is done

    def each(
        self,
        request: HttpRequest,
        rows: QuerySet[Any],
        verb: Callable[[Any], object],
        done: Callable[[int], str],
    ) -> None:
        """Do something to each chosen row by a verb of the domain; what it refuses stays and is counted."""
        chosen = list(rows[: AT_ONCE + 1])
        if len(chosen) > AT_ONCE:
            text = _("That is more than %(most)s at once. Choose fewer.") % {"most": AT_ONCE}
            return self.message_user(request, text, messages.ERROR)  # type: ignore[no-any-return]
        refused: dict[str, int] = {}
        for row in chosen:
            try:
                with transaction.atomic():
                    verb(row)
            except self.refusals as error:
                why = self.sentence(error)
                refused[why] = refused.get(why, 0) + 1
        count = len(chosen) - sum(refused.values())
        if count:
            self.message_user(request, done(count), messages.SUCCESS)
        for why, times in refused.items():
            text = ngettext("%(times)s was left: %(why)s", "%(times)s were left: %(why)s", times)
            self.message_user(request, text % {"times": times, "why": why}, messages.WARNING)
        return None

    def sentence(self, error: Exception) -> str:
        """Why the domain refused, in the operator's language where the catalogue has its sentence."""
        return _(str(error))

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        """The form has called the domain (`tenants.admin.forms.VerbForm`): nothing is left to save."""

    # What was done

    def log_addition(self, *_: Any) -> None:
        """Nothing here: the domain writes the tenant's log, and no other is kept."""

    log_change = log_deletion = log_deletions = log_addition

    def history_view(
        self, request: OperatorRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        """What the tenant's log says of a row, the newest first."""
        row = self.get_queryset(request).filter(pk=_key(object_id)).first()
        if row is None:
            raise Http404
        events = AuditEvent.objects.filter(object_id=row.pk).order_by("-id")[:EVENTS]
        context = self.admin_site.each_context(request) | {
            "title": _("Log"),
            "opts": self.opts,
            "section": self.title,
            "events": [(event, sentence(event.action)) for event in events],
        }
        request.current_app = self.admin_site.name
        return TemplateResponse(request, "admin/operators/history.html", context)


def _key(text: str) -> uuid.UUID:
    """An id in an address. Raises Http404."""
    try:
        return uuid.UUID(text)
    except ValueError:
        raise Http404 from None
