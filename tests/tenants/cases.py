"""Strangers to Alice's rows, and attempts at them whose effects are undone."""

import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError, connection, models, transaction

from agents.models import LanguageModel, Provider
from memory.models import BlockVersion, SkillVersion
from tenants.fields import ScopedForeignKey
from tenants.models import AuditEvent, Membership, Tenant, User, Workspace
from tenants.scope import OutsideScope
from tests.cast import Person, make_cast, new_agent
from tests.tenants.lives import Rows, live_a_little, new_document
from tests.tenants.locks import scoped_models

Model = type[models.Model]
# Who works in a tenant knows its people and its models.
OF_THE_TENANT: set[Model] = {Tenant, Membership, Provider, LanguageModel}
# Rows that are never changed: the app has no right to, whoever asks.
APPEND_ONLY: set[Model] = {BlockVersion, SkillVersion, AuditEvent}
# Rows that everybody of the tenant adds, and few see.
ADDED_BY_ALL: set[Model] = {AuditEvent}
# Rows that nobody makes by hand: functions of the database do.
BY_FUNCTION_ONLY: set[Model] = {Tenant, Workspace}
REFUSED = (DatabaseError, OutsideScope)


@dataclass
class Case:
    """Alice's rows, somebody who is a stranger to them, and the stranger's own rows.

    He has rows of every model but those that only an owner sees, where he is none.
    """

    alice: Person
    rows: Rows
    stranger: Person
    own: Rows
    shared: set[Model]
    # Parents of Alice's and of the stranger's that have no children yet, by column.
    spare: dict[str, Any]
    own_spare: dict[str, Any]

    @property
    def places(self) -> list[uuid.UUID]:
        """Workspaces of Alice's where the stranger is not."""
        return [self.alice.personal, self.rows[Workspace].pk]

    def hidden(self) -> list[tuple[Model, Any]]:
        """Models, each with a row of Alice's that the stranger may not see."""
        return [(model, self.rows[model]) for model in scoped_models() if model not in self.shared]

    def not_his_to_add(self) -> list[tuple[Model, Any]]:
        """Models, each with a row of Alice's beside which the stranger may put none."""
        is_colleague = self.stranger.identity.tenant_id == self.alice.identity.tenant_id
        free = ADDED_BY_ALL if is_colleague else set()
        return [(model, row) for model, row in self.hidden() if model not in free]

    def foreign_keys(self) -> Iterator[tuple[Model, ScopedForeignKey]]:
        """Each key of each model that leads to a row which the stranger may not see."""
        for model in scoped_models():
            for field in model._meta.concrete_fields:
                is_scoped = isinstance(field, ScopedForeignKey)
                if is_scoped and model in self.own and field.remote_field.model not in self.shared:
                    yield model, field


STRANGERS = ("of another tenant", "of this tenant", "of the team")


def make_cases() -> dict[str, Case]:
    """Somebody of another tenant; somebody of this one who is not in the workspace; and one who shares the
    team, but these rows lie in Alice's own workspace."""
    first, second = make_cast(), make_cast()
    second.let_bob_in("admin")
    of_the_team = live_a_little(first.alice, first.team, "persona"), spare(first.alice, first.team)
    of_alice = live_a_little(second.alice, second.alice.personal, "human"), spare(second.alice)
    return {
        "of another tenant": _case(first.alice, of_the_team, first.charlie, set()),
        "of this tenant": _case(first.alice, of_the_team, first.bob, OF_THE_TENANT),
        "of the team": _case(second.alice, of_alice, second.bob, OF_THE_TENANT),
    }


def _case(alice: Person, hers: tuple[Rows, dict[str, Any]], stranger: Person, shared: set[Model]) -> Case:
    own = live_a_little(stranger, stranger.personal, "human")
    return Case(alice, hers[0], stranger, own, shared, hers[1], spare(stranger))


def spare(person: Person, home: uuid.UUID | None = None) -> dict[str, Any]:
    newcomer = User.objects.create_user(f"{uuid.uuid4().hex}@example.com")
    with person.scope():
        document = new_document(home or person.personal, "spare.txt")
    return {"agent_id": new_agent(person, home).pk, "user_id": newcomer.pk, "document_id": document.pk}


class undone:
    """A person's scope in which constraints answer at once, and whose effects are undone."""

    def __init__(self, person: Person) -> None:
        self.scope = person.scope()

    def __enter__(self) -> None:
        self.scope.__enter__()

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        try:
            if kind is None:
                with connection.cursor() as cursor:
                    cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        finally:
            transaction.set_rollback(True)
            self.scope.__exit__(kind, error, trace)


def succeeds(person: Person, act: Callable[[], Any]) -> bool:
    """Whether an act goes through, up to its constraints; undone either way."""
    try:
        with undone(person):
            act()
    except REFUSED:
        return False
    return True


def copy_of(row: Any, **changes: Any) -> Any:
    """An object that is not known to be stored, with the fields of one that is."""
    fields = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    return type(row)(**fields | {"id" if name == "pk" else name: value for name, value in changes.items()})


def fresh(row: Any, spare: dict[str, Any]) -> Any:
    """A copy with a key of its own, and other values where they must be unique."""
    made = copy_of(row, pk=uuid.uuid4())
    for constraint in made._meta.constraints:
        fields = [made._meta.get_field(name) for name in constraint.fields]
        plain = [field for field in fields if not field.is_relation]
        for field in plain:
            setattr(made, field.attname, _another(field, getattr(made, field.attname)))
        for field in fields if not plain else []:
            setattr(made, field.attname, spare.get(field.attname, getattr(made, field.attname)))
    for field in made._meta.concrete_fields:
        if field.unique and not field.primary_key:
            setattr(made, field.attname, _another(field, getattr(made, field.attname)))
    return made


def _another(field: Any, value: Any) -> Any:
    if isinstance(field, models.IntegerField):
        return (value or 0) + 1000
    if isinstance(field, models.UUIDField):
        return uuid.uuid4()
    return uuid.uuid4().hex[: field.max_length] if not field.choices else value


def insertion(row: Any, *, many: bool) -> Callable[[], Any]:
    if many:
        return lambda: type(row)._default_manager.bulk_create([row])
    return lambda: row.save(force_insert=True)
