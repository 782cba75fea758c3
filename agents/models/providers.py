"""Language models, and who provides them."""

from __future__ import annotations

from typing import ClassVar

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tenants.fields import ScopedForeignKey
from tenants.scoped import TenantRow

WINDOW_MIN, WINDOW_MAX = 4_000, 4_000_000


class Provider(TenantRow):
    """Where language models are asked. The key is encrypted at rest and never shown again."""

    name = models.CharField(_("name"), max_length=120)
    base_url = models.URLField(_("base URL"), max_length=500)
    key_encrypted = models.BinaryField(default=b"")
    created_at = models.DateTimeField(default=timezone.now)

    @property
    def has_key(self) -> bool:
        """Whether a key is kept: all that a page ever says of it."""
        return bool(self.key_encrypted)

    def __str__(self) -> str:
        return self.name


class LanguageModel(TenantRow):
    """A model that agents of a tenant can use: the offline one, the environment's, or a provider's.

    `usage_ratio` is how many tokens its provider counts for one of ours, as `usage_samples` answers told.
    """

    class Origin(models.TextChoices):
        OFFLINE = "offline", _("built in")
        ENVIRONMENT = "environment", _("set by the environment")
        PROVIDER = "provider", _("provider")

    origin = models.CharField(max_length=16, choices=Origin.choices, default=Origin.PROVIDER)
    provider = ScopedForeignKey(Provider, models.CASCADE, null=True, blank=True, related_name="models")
    name = models.CharField(_("model"), max_length=200)
    window = models.PositiveIntegerField(
        _("window in tokens"),
        default=32_000,
        validators=[MinValueValidator(WINDOW_MIN), MaxValueValidator(WINDOW_MAX)],
    )
    tokenizer = models.CharField(_("tokenizer"), max_length=32, default="o200k_base")
    usage_ratio = models.FloatField(default=1.0)
    usage_samples = models.PositiveIntegerField(default=0)
    streams = models.BooleanField(null=True)
    calls_tools = models.BooleanField(null=True)
    tested_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(TenantRow.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["tenant", "origin", "provider", "name"],
                nulls_distinct=False,
                name="model_once_per_provider",
            )
        ]

    @property
    def is_offline(self) -> bool:
        """Whether this is the model built into memsite."""
        return self.origin == self.Origin.OFFLINE

    def __str__(self) -> str:
        return self.name
