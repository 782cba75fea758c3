"""A block goes to another workspace: with its history, which the page says before, or as a copy without."""

from __future__ import annotations

import pytest

from memory.models import Block, BlockVersion
from tests.cast import Cast
from tests.memory.web.pages import address, new_block, write


@pytest.fixture
def block(cast: Cast) -> Block:
    block = new_block(cast.alice, value="a secret")
    write(cast.alice, block, "nothing special")
    return block


def test_it_says_what_goes_along_and_who_will_read_it(cast: Cast, block: Block) -> None:
    cast.let_bob_in("viewer")
    page = cast.alice.browser.get(address(block, f"move/?to={cast.team}")).content.decode()
    assert "all 2 versions" in page
    assert "Everybody in Research can read it" in page
    assert "Bob" in page


def test_it_moves_with_its_history(cast: Cast, block: Block) -> None:
    cast.let_bob_in("viewer")
    answer = cast.alice.browser.post(address(block, "move/"), {"to": cast.team, "how": "move"}, follow=True)
    assert "Moved to Research, with its history." in answer.content.decode()
    assert cast.alice.browser.get(address(block)).status_code == 404
    page = cast.bob.browser.get(f"/w/{cast.team}/memory/{block.id}/versions/1/").content.decode()
    assert "a secret" in page


def test_a_copy_leaves_the_history_behind(cast: Cast, block: Block) -> None:
    cast.let_bob_in("viewer")
    cast.alice.browser.post(address(block, "move/"), {"to": cast.team, "how": "copy"})
    assert cast.alice.browser.get(address(block)).status_code == 200
    with cast.bob.scope():
        copy = Block.objects.get(label="goals")
        assert [each.value for each in BlockVersion.objects.filter(block=copy)] == ["nothing special"]


def test_it_goes_only_where_one_may_write(cast: Cast, block: Block) -> None:
    with cast.charlie.scope() as reach:
        theirs = reach.of_kind("team") or reach.of_kind("organisation")
    move = address(block, "move/")
    assert cast.alice.browser.post(move, {"to": theirs[0], "how": "move"}).status_code == 404
    assert cast.alice.browser.post(move, {"to": "nowhere", "how": "move"}).status_code == 200
    assert cast.alice.browser.post(move, {"to": cast.alice.personal, "how": "move"}).status_code == 422
    cast.let_bob_in("member")
    his = new_block(cast.bob)
    assert cast.bob.browser.post(address(his, "move/"), {"to": cast.team, "how": "move"}).status_code == 403
    assert f'value="{cast.team}"' not in cast.bob.browser.get(address(his, "move/")).content.decode()
    with cast.alice.scope():
        assert Block.objects.get(id=block.id).workspace_id == cast.alice.personal
