"""Writers at the same time lose nothing."""

from concurrent.futures import ThreadPoolExecutor

from django.db import connection

from memory.models import Block
from memory.operations import Append
from tests.cast import Person
from tests.memory.remembering import new_block, now, operate, versions

WRITERS, LINES = 16, 5


def test_it_keeps_every_line_of_sixteen_writers(alice: Person) -> None:
    block = new_block(alice)

    def write(writer: int) -> None:
        try:
            for line in range(LINES):
                operate(alice, block, Append(f"{writer}.{line}"))
        finally:
            connection.close()

    with ThreadPoolExecutor(WRITERS) as pool:
        list(pool.map(write, range(WRITERS)))
    assert_whole(alice, block)


def assert_whole(alice: Person, block: Block) -> None:
    lines = now(alice, block).value.split("\n")
    assert sorted(lines) == sorted(f"{writer}.{line}" for writer in range(WRITERS) for line in range(LINES))
    made = versions(alice, block)
    assert [each.number for each in made] == list(range(1, WRITERS * LINES + 2))
    for before, after in zip(made, made[1:], strict=False):
        assert after.value.startswith(before.value)
