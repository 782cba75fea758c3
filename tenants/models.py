"""Who there is: people, tenants, workspaces, roles, keys, invitations; and what was done about them."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from tenants.fields import ScopedForeignKey
from tenants.ids import uuid7
from tenants.scoped import ScopedRow, TenantRow


class UserManager(BaseUserManager["User"]):
    """People are found by e-mail, whatever its case."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        """A person who can sign in, with a hashed password."""
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(email__iexact=username)


class User(AbstractBaseUser, PermissionsMixin):
    """A person's account. It stands outside every tenant; the name that others see is Membership's."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    email = models.EmailField(_("e-mail"), unique=True)
    language = models.CharField(_("language"), max_length=16, blank=True, default="")
    time_zone = models.CharField(_("time zone"), max_length=64, blank=True, default="")
    theme = models.CharField(_("theme"), max_length=8, blank=True, default="")
    shortcuts = models.BooleanField(_("keyboard shortcuts"), default=True)
    is_staff = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    date_joined = models.DateTimeField(default=timezone.now)

    objects = UserManager()
    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"

    def __str__(self) -> str:
        return self.email


class Tenant(ScopedRow):
    """A customer: people and workspaces that share nothing with any other."""

    tenant_field = "id"

    slug = models.SlugField(max_length=64, unique=True)
    name = models.CharField(_("name"), max_length=120)
    # Whether owners and admins may read members' chats, and site staff content; each reading is audited.
    admins_read_chats = models.BooleanField(default=False, db_default=False)
    operators_read = models.BooleanField(default=False, db_default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class Membership(TenantRow):
    """A person in a tenant, under the name that the others there see."""

    class Role(models.TextChoices):
        OWNER = "owner", _("owner")
        ADMIN = "admin", _("admin")
        MEMBER = "member", _("member")
        AUDITOR = "auditor", _("auditor")

    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    name = models.CharField(_("name"), max_length=120)
    role = models.CharField(max_length=16, choices=Role.choices, default=Role.MEMBER)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(TenantRow.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "user"], name="membership_one_per_person")
        ]

    def __str__(self) -> str:
        return self.name


class Workspace(TenantRow):
    """Where remembered things lie. Who sees a workspace sees what is in it."""

    workspace_field = "id"

    class Kind(models.TextChoices):
        PERSONAL = "personal", _("personal")
        TEAM = "team", _("team")
        ORGANISATION = "organisation", _("organisation")

    kind = models.CharField(max_length=16, choices=Kind.choices)
    name = models.CharField(_("name"), max_length=120)
    created_at = models.DateTimeField(default=timezone.now)
    # Closed: it is out of everybody's reach until one of its admins opens it again.
    retired_at = models.DateTimeField(null=True, blank=True)

    class Meta(TenantRow.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["tenant"], condition=models.Q(kind="organisation"), name="workspace_one_organisation"
            )
        ]

    @property
    def slug(self) -> str:
        """The readable half of the address; it decides nothing."""
        return slugify(self.name, allow_unicode=True) or self.kind

    @property
    def address(self) -> str:
        """`{id}-{slug}`: what stands in a URL after /w/."""
        return f"{self.id}-{self.slug}"

    def __str__(self) -> str:
        return self.name


class WorkspaceMember(TenantRow):
    """A person's role in a workspace: viewer reads, member chats, editor changes, admin manages."""

    workspace_field = "workspace_id"

    class Role(models.TextChoices):
        VIEWER = "viewer", _("viewer")
        MEMBER = "member", _("member")
        EDITOR = "editor", _("editor")
        ADMIN = "admin", _("admin")

    workspace = ScopedForeignKey(Workspace, models.CASCADE, related_name="members")
    membership = ScopedForeignKey(Membership, models.CASCADE, related_name="workspaces")
    user = models.ForeignKey(User, models.CASCADE, db_index=False, related_name="+")
    role = models.CharField(max_length=16, choices=Role.choices, default=Role.MEMBER)

    class Meta(TenantRow.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "workspace", "user"], name="member_once_per_workspace"),
        ]
        indexes: ClassVar = [models.Index(fields=["tenant", "user"], name="member_by_person")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.role}"


class ApiKey(TenantRow):
    """A program's way in, as one person. Only a hash is kept; the prefix is what a page shows."""

    person_field = "user_id"

    user = models.ForeignKey(User, models.CASCADE, db_index=False, related_name="+")
    name = models.CharField(_("name"), max_length=120)
    prefix = models.CharField(max_length=16)
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=list)
    # What the key is narrowed to; null is everything that is its person's.
    workspaces = ArrayField(models.UUIDField(), null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    made_by = models.UUIDField(null=True, editable=False)  # the key, where a key made it

    class Meta(TenantRow.Meta):
        indexes: ClassVar = [models.Index(fields=["tenant", "user", "name"], name="key_by_person")]

    def __str__(self) -> str:
        return f"{self.prefix}… {self.name}"


class Invitation(TenantRow):
    """A link that gives one person, named by e-mail, a seat. Only a hash of its token is kept."""

    reader_roles = frozenset({Membership.Role.OWNER, Membership.Role.ADMIN})

    email = models.EmailField(_("e-mail"))
    role = models.CharField(max_length=16, choices=Membership.Role.choices, default=Membership.Role.MEMBER)
    workspace = ScopedForeignKey(Workspace, models.CASCADE, null=True, blank=True, related_name="+")
    workspace_role = models.CharField(
        max_length=16, choices=WorkspaceMember.Role.choices, default=WorkspaceMember.Role.MEMBER
    )
    digest = models.CharField(max_length=64, unique=True)
    inviter = models.ForeignKey(User, models.CASCADE, db_index=False, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    accepted_by = models.ForeignKey(
        User, models.CASCADE, db_index=False, null=True, blank=True, related_name="+"
    )
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta(TenantRow.Meta):
        indexes: ClassVar = [models.Index(fields=["tenant", "email"], name="invitation_by_email")]

    def __str__(self) -> str:
        return self.email


class AuditEvent(TenantRow):
    """Something that was done: who, what, to which thing, from where. Rows are only ever added.

    It holds names as they were then, and never anything that is remembered or was said.
    """

    reader_roles = frozenset({Membership.Role.OWNER, Membership.Role.ADMIN, Membership.Role.AUDITOR, "staff"})
    subject_field = "subject_id"
    is_written_by_all = True

    class Actor(models.TextChoices):
        PERSON = "person", _("person")
        KEY = "key", _("API key")
        AGENT = "agent", _("agent")
        STAFF = "staff", _("site staff")
        SYSTEM = "system", _("system")

    at = models.DateTimeField(default=timezone.now)
    actor_kind = models.CharField(max_length=16, choices=Actor.choices)
    # A person's id also where a key of theirs was used; an agent's or a member of staff's otherwise.
    actor_id = models.UUIDField(null=True)
    actor_name = models.CharField(max_length=200, blank=True, default="")
    key_id = models.UUIDField(null=True)
    # In one collation, so that the actions on one kind of thing are a range of the index.
    action = models.CharField(max_length=64, db_collation="C")
    object_kind = models.CharField(max_length=64, blank=True, default="")
    object_id = models.UUIDField(null=True)
    object_name = models.CharField(max_length=200, blank=True, default="")
    workspace_id = models.UUIDField(null=True)
    workspace_name = models.CharField(max_length=200, blank=True, default="")
    # The person whom it concerns: they see the event, whatever their role.
    subject_id = models.UUIDField(null=True)
    address = models.CharField(max_length=45, blank=True, default="")
    request_id = models.CharField(max_length=64, blank=True, default="")
    details = models.JSONField(default=dict)

    class Meta(TenantRow.Meta):
        indexes: ClassVar = [
            models.Index(fields=["tenant", "at"], name="audit_by_time"),
            models.Index(fields=["tenant", "actor_id", "id"], name="audit_by_actor"),
            models.Index(fields=["tenant", "action", "id"], name="audit_by_action"),
            models.Index(fields=["tenant", "object_id", "id"], name="audit_by_object"),
            models.Index(fields=["tenant", "subject_id", "id"], name="audit_by_subject"),
        ]

    def __str__(self) -> str:
        return f"{self.actor_name} {self.action} {self.object_name}"
