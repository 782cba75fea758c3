"""Forms of the admin whose change is one call of the domain."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.db import transaction
from django.utils.translation import gettext as _


class VerbForm(forms.ModelForm):  # type: ignore[type-arg]
    """A form that calls a verb of the domain when what was typed is in order.

    What the verb refuses stands in the form, beside the field that it is about, and nothing has changed.
    """

    refusals: ClassVar[tuple[type[Exception], ...]] = ()

    def change(self) -> None:
        """Call the verb with `cleaned_data`. Raises one of `refusals`."""
        raise NotImplementedError

    def refuse(self, error: Any) -> None:
        """Say why it was refused."""
        self.add_error(None, _(str(error)))

    def _post_clean(self) -> None:
        super()._post_clean()  # type: ignore[misc]
        if self.errors:
            return
        try:
            with transaction.atomic():
                self.change()
        except self.refusals as error:
            self.refuse(error)
