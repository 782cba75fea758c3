"""Blocks in the admin: changed there as everywhere, by `memory.core`."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.admin import action, display
from django.db.models import QuerySet
from django.db.models.functions import Length
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from unfold.widgets import UnfoldAdminTextareaWidget

from memory import core
from memory.core import BlockFields, VersionConflict
from memory.models import Block, BlockVersion, Proposal
from memory.operations import BlockError
from memory.web import diff
from memory.web.forms import LinesField
from memory.web.refusals import field_of, sentence
from tenants.admin.columns import column, joined, listing, withheld
from tenants.admin.filters import KIND, choice, presence
from tenants.admin.forms import VerbForm
from tenants.admin.section import PERSONAL, Section
from tenants.permissions import NotAllowed

EDITED = ("description", "value", "limit", "unit", "governance")
# A label is carried to where the block is attached, which is another floor's; it is changed in the product.
NAMED = (column("label", _("label")), column("workspace.name", _("workspace")))
FACTS = (
    column("version", _("version")),
    column("updated_at", _("changed")),
    column("retired_at", _("deleted")),
)


class BlockForm(VerbForm):
    """A block's settings and text. `expected_version` is the one that the operator saw."""

    refusals = (VersionConflict, BlockError, NotAllowed)
    changed_since: list[diff.Run] | None = None

    description = LinesField(
        label=_("Description"),
        required=False,
        max_length=1000,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
    )
    value = LinesField(label=_("Text"), required=False, widget=UnfoldAdminTextareaWidget(attrs={"rows": 14}))
    expected_version = forms.IntegerField(widget=forms.HiddenInput)

    class Meta:
        model = Block
        fields = EDITED

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["expected_version"].initial = self.instance.version

    def change(self) -> None:
        """Raises VersionConflict, NotAllowed, and a BlockError."""
        given = {name: self.cleaned_data[name] for name in EDITED}
        core.edit_block(
            self.instance.pk,
            BlockFields(**given),
            expected_version=self.cleaned_data["expected_version"],
            actor=core.by_me(),
        )

    def refuse(self, error: Any) -> None:
        """A conflict shows what others changed; saving again is then a decision, and not an accident."""
        if isinstance(error, VersionConflict):
            before = error.base.value if error.base else ""
            self.changed_since = diff.runs(before, error.theirs.value)
            self.data = {**self.data, "expected_version": str(error.theirs.version)}
            self.add_error(
                None,
                _(
                    "Somebody changed the block since you opened it. Your text is kept below. "
                    "Take over what you need of theirs, and save again."
                ),
            )
        elif isinstance(error, BlockError):
            self.add_error(field_of(error, self), sentence(error))
        else:
            super().refuse(error)


class BlockSection(Section):
    """Core memory. A person's own block is counted and never changed here."""

    words = (_("block"), _("blocks"))
    reading = "block.read"
    content = ("label", "description", "value", "sections")
    list_content = {"shown_label": "label"}
    finds_content = True
    is_changed_here = True
    form = BlockForm
    refusals = (NotAllowed, BlockError)
    list_display = (
        withheld("shown_label", _("label")),
        column("workspace.name", _("workspace"), order="workspace__name"),
        column("workspace.get_kind_display", _("kind"), order="workspace__kind"),
        column("characters", _("characters"), order="characters"),
        column("limit", _("limit"), order="limit"),
        column("get_unit_display", _("unit"), order="unit"),
        column("get_governance_display", _("agents may"), order="governance"),
        column("version", _("version"), order="version"),
        column("updated_at", _("changed"), order="updated_at"),
    )
    list_select_related = ("workspace",)
    list_filter = (
        KIND,
        choice("governance", _("agents may")),
        choice("unit", _("unit")),
        presence("retired_at", _("deleted")),
    )
    search_fields = ("label", "description")
    ordering = ("-updated_at", "-id")
    fields = (*NAMED, *EDITED, *FACTS, "led")
    readonly_fields = (*NAMED, *FACTS, "led")
    change_form_before_template = "admin/operators/seen_version.html"
    actions = ("retire", "bring_back")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Block] = super().get_queryset(request).annotate(characters=Length("value"))
        return rows

    def sentence(self, error: Exception) -> str:
        return sentence(error) if isinstance(error, BlockError) else super().sentence(error)

    @display(description=_("more"))
    def led(self, row: Block) -> str:
        """Where its versions and proposals are."""
        return joined(
            listing(BlockVersion, _("versions"), block_id=row.pk),
            listing(Proposal, _("proposals"), block_id=row.pk),
        )

    @action(description=_("Take out of use"))
    def retire(self, request: HttpRequest, rows: QuerySet[Block]) -> None:
        """Delete the chosen shared blocks, as an editor would: they can be brought back."""
        self.each(
            request,
            rows.exclude(PERSONAL).filter(retired_at=None),
            lambda row: core.delete_block(row.pk),
            lambda count: (
                ngettext("%(count)s block changed.", "%(count)s blocks changed.", count) % {"count": count}
            ),
        )

    @action(description=_("Bring back"))
    def bring_back(self, request: HttpRequest, rows: QuerySet[Block]) -> None:
        """Bring the chosen shared blocks back."""
        self.each(
            request,
            rows.exclude(PERSONAL).exclude(retired_at=None),
            lambda row: core.bring_back(row.pk),
            lambda count: (
                ngettext("%(count)s block changed.", "%(count)s blocks changed.", count) % {"count": count}
            ),
        )
