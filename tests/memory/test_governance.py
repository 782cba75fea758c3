"""Who may change a block, and how: one table of rule, hand, role, reach and override."""

import itertools
import uuid

import pytest

from memory import core
from memory.actors import SYSTEM, Actor
from memory.core import BlockFields
from memory.governance import Origin
from memory.models import Block, BlockVersion, Proposal, Trust
from memory.operations import Append, Deleted, ReadOnly
from tenants.permissions import NotAllowed
from tenants.scope import Identity, scope
from tests.cast import Cast, make_cast
from tests.memory.remembering import AGENT

RULES = ("free", "propose", "read_only")
ROLES = ("viewer", "member", "editor", "admin")
AGENTS = ("agent", "sleeptime", "system")
# `*` is every rule; `agents` every kind of agent; `wider` is a block that more people read than the
# conversation. The first row that fits counts.
TABLE = """
    rule       who     role     reach  override   becomes
    *          user    viewer   -      -          refused
    read_only  user    member   -      -          refused
    *          user    member   -      -          proposed
    *          user    editor   -      -          written
    *          user    admin    -      -          written
    *          agents  viewer   *      *          refused
    *          agents  *        *      read_only  refused
    *          agents  *        *      propose    proposed
    *          agents  *        *      free       written
    read_only  agents  *        *      -          refused
    propose    agents  *        *      -          proposed
    free       agents  *        here   -          written
    free       agents  *        wider  -          proposed
"""
ROWS = [line.split() for line in TABLE.split("\n")[2:] if line.strip()]
CASES = [
    *itertools.product(RULES, ["user"], ROLES, ["-"], ["-"]),
    *itertools.product(RULES, AGENTS, ROLES, ["here", "wider"], ["-", *RULES]),
]


def becomes(*case: str) -> str:
    """What the table says of a case."""
    return next(row[-1] for row in ROWS if all(map(fits, row, case)))


def fits(cell: str, value: str) -> bool:
    return cell in {"*", value} or (cell == "agents" and value in AGENTS)


@pytest.fixture(scope="module")
def cast(database: None) -> Cast:
    """One cast for the whole table."""
    return make_cast()


@pytest.fixture(scope="module")
def blocks(cast: Cast) -> dict[str, uuid.UUID]:
    """A block of the team's under each rule."""
    with cast.alice.scope():
        return {
            rule: core.create_block(
                workspace_id=cast.team,
                fields=BlockFields(label=rule, governance=rule, limit=100_000),
                actor=core.by_me(),
            ).id
            for rule in RULES
        }


@pytest.mark.parametrize(("rule", "who", "role", "reach", "override"), CASES)
def test_a_write_becomes_what_the_table_says(
    cast: Cast, blocks: dict[str, uuid.UUID], rule: str, who: str, role: str, reach: str, override: str
) -> None:
    cast.let_bob_in(role)
    place = {"here": cast.team, "wider": cast.bob.personal, "-": None}[reach]
    origin = Origin(override=None if override == "-" else override, workspace_id=place)
    actor = Actor(who, cast.bob.user.id if who == "user" else uuid.uuid4())
    with cast.alice.scope():
        before = Block.objects.get(id=blocks[rule])
        waited = Proposal.objects.filter(block=before).count()
    outcome = _written(cast, before.id, actor, origin)
    with cast.alice.scope():
        after = Block.objects.get(id=before.id)
        waiting = Proposal.objects.filter(block=after).count()
    assert outcome == becomes(rule, who, role, reach, override)
    assert (after.version > before.version) == (outcome == "written") == (after.value != before.value)
    assert waiting - waited == (outcome == "proposed")


def _written(cast: Cast, block_id: uuid.UUID, actor: Actor, origin: Origin) -> str:
    try:
        with cast.bob.scope():
            made = core.operate(block_id, Append(uuid.uuid4().hex[:8]), actor=actor, origin=origin)
    except (NotAllowed, ReadOnly):
        return "refused"
    return "written" if isinstance(made, BlockVersion) else "proposed"


def test_the_table_has_a_row_for_every_case_and_no_row_too_many() -> None:
    used = {id(next(row for row in ROWS if all(map(fits, row, case)))) for case in CASES}
    assert used == {id(row) for row in ROWS}


@pytest.mark.parametrize("who", AGENTS)
@pytest.mark.parametrize("override", ["free", None])
def test_who_has_read_what_nobody_vouches_for_only_proposes(
    cast: Cast, blocks: dict[str, uuid.UUID], who: str, override: str | None
) -> None:
    cast.let_bob_in("member")
    actor = Actor(who, uuid.uuid4())
    outcomes = {
        trust: _written(cast, blocks["free"], actor, Origin(override, cast.team, trust=trust))
        for trust in Trust
    }
    assert outcomes == {Trust.UNTRUSTED: "proposed", Trust.DERIVED: "written", Trust.TRUSTED: "written"}
    shut = Origin("read_only", cast.team, trust=Trust.UNTRUSTED)
    assert _written(cast, blocks["free"], actor, shut) == "refused"


def test_background_work_writes_by_the_rule_alone(cast: Cast, blocks: dict[str, uuid.UUID]) -> None:
    """It has no person, and the reach of one workspace."""
    background = Identity(cast.alice.identity.tenant_id, None, frozenset({cast.team}))
    origin = Origin(workspace_id=cast.team)
    with scope(background):
        made = core.operate(blocks["free"], Append("x"), actor=SYSTEM, origin=origin)
        proposed = core.operate(blocks["propose"], Append("x"), actor=SYSTEM, origin=origin)
        with pytest.raises(ReadOnly):
            core.operate(blocks["read_only"], Append("x"), actor=SYSTEM, origin=origin)
    assert (type(made), type(proposed)) == (BlockVersion, Proposal)


@pytest.mark.parametrize(
    "fields",
    [
        BlockFields(label="mine"),
        BlockFields(description="x"),
        BlockFields(limit=9),
        BlockFields(unit="tokens"),
        BlockFields(governance="propose"),
        BlockFields(sections=[{"name": "a", "description": ""}]),
        BlockFields(value="also this", limit=9),
    ],
)
def test_only_editors_change_what_is_not_the_text(
    cast: Cast, blocks: dict[str, uuid.UUID], fields: BlockFields
) -> None:
    cast.let_bob_in("member")
    with cast.bob.scope():
        block = Block.objects.get(id=blocks["free"])
        with pytest.raises(NotAllowed):
            core.edit_block(block.id, fields, expected_version=block.version, actor=core.by_me())
        text = BlockFields(value=uuid.uuid4().hex)
        made = core.edit_block(block.id, text, expected_version=block.version, actor=core.by_me())
    assert isinstance(made, Proposal)


def test_only_editors_make_delete_and_bring_back(cast: Cast, blocks: dict[str, uuid.UUID]) -> None:
    for role, may in (("viewer", False), ("member", False), ("editor", True), ("admin", True)):
        cast.let_bob_in(role)
        for act in (
            lambda: core.create_block(
                workspace_id=cast.team, fields=BlockFields(label="new"), actor=core.by_me()
            ),
            lambda: core.delete_block(blocks["propose"]),
            lambda: core.bring_back(blocks["propose"]),
        ):
            with cast.bob.scope():
                if may:
                    act()
                else:
                    with pytest.raises(NotAllowed):
                        act()


def test_a_deleted_block_is_read_and_not_written(cast: Cast, blocks: dict[str, uuid.UUID]) -> None:
    with cast.alice.scope():
        block = core.delete_block(blocks["free"])
        before = block.version
        number = BlockVersion.objects.filter(block=block).order_by("-number")[0].number
        for act in (
            lambda: core.operate(block.id, Append("x"), actor=core.by_me()),
            lambda: core.operate(block.id, Append("x"), actor=AGENT),
            lambda: core.edit_block(
                block.id, BlockFields(value="x"), expected_version=before, actor=core.by_me()
            ),
            lambda: core.restore(block.id, 1, actor=core.by_me()),
            lambda: core.undo(block.id, number, actor=core.by_me()),
            lambda: core.delete_block(block.id),
        ):
            with pytest.raises(Deleted):
                act()
        assert number == before
        assert core.bring_back(block.id).retired_at is None
        assert Block.objects.get(id=block.id).version == before
        core.operate(block.id, Append("x"), actor=core.by_me())
