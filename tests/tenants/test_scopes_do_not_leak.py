"""Who is asking holds inside the scope and nowhere else: in Python, and in the database."""

import threading
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction

from memory.core import BlockFields, by_me, create_block
from memory.models import Block
from tenants.scope import Identity, NoScope, current_scope, scope
from tests.cast import Cast, Person
from tests.tenants.asking import NOBODY, is_for, reached, said


class Deliberate(Exception):
    """Raised by a test."""


def test_leaving_a_scope_leaves_nobody(alice: Person) -> None:
    with alice.scope():
        assert is_for(alice)
    assert (said(), reached()) == (NOBODY, set())
    with pytest.raises(NoScope):
        current_scope()


def test_an_error_in_a_scope_leaves_nobody(alice: Person) -> None:
    with pytest.raises(Deliberate), alice.scope():
        raise Deliberate
    assert (said(), reached()) == (NOBODY, set())
    with pytest.raises(NoScope):
        current_scope()


def test_a_scope_in_a_plain_transaction_does_not_outlive_its_savepoint(alice: Person) -> None:
    with transaction.atomic():
        with alice.scope():
            assert is_for(alice)
        assert (said(), reached()) == (NOBODY, set())
        with pytest.raises(Deliberate), alice.scope():
            raise Deliberate
        assert (said(), reached()) == (NOBODY, set())


def test_an_inner_scope_gives_back_the_outer_one(cast: Cast) -> None:
    with cast.alice.scope() as outer:
        with cast.charlie.scope():
            assert is_for(cast.charlie)
            assert cast.alice.personal not in reached()
        assert is_for(cast.alice)
        assert current_scope() is outer
        assert Block.objects.count() == 0
        with pytest.raises(Deliberate), cast.charlie.scope():
            raise Deliberate
        assert is_for(cast.alice)
        assert current_scope() is outer


def test_an_inner_scope_whose_savepoint_is_rolled_back_gives_back_the_outer_one(cast: Cast) -> None:
    with cast.alice.scope() as outer:
        with cast.charlie.scope():
            transaction.set_rollback(True)
        assert is_for(cast.alice)
        assert current_scope() is outer


def test_savepoints_inside_a_scope_change_nothing_about_it(cast: Cast) -> None:
    with cast.alice.scope():
        with transaction.atomic():
            with cast.charlie.scope():
                pass
            transaction.set_rollback(True)
        assert is_for(cast.alice)
        kept = transaction.savepoint()
        with cast.charlie.scope():
            pass
        transaction.savepoint_rollback(kept)
        assert is_for(cast.alice)


def test_three_scopes_deep_each_gives_back_the_one_before(cast: Cast) -> None:
    narrow = cast.alice.identity.narrowed([cast.team])
    with cast.alice.scope():
        with scope(narrow):
            with cast.bob.scope():
                assert is_for(cast.bob)
            assert reached() == {cast.team}
        assert is_for(cast.alice)


def test_a_scope_that_cannot_be_entered_leaves_the_outer_one(alice: Person) -> None:
    broken = Identity("no uuid", alice.user.id)  # type: ignore[arg-type]
    with alice.scope() as outer:
        with pytest.raises(Exception, match="uuid"), scope(broken):
            raise AssertionError("entered")
        assert current_scope() is outer
        assert is_for(alice)
    assert said() == NOBODY


def test_a_connection_that_dies_in_a_scope_leaves_nobody(cast: Cast) -> None:
    """Also where it is the way back from an inner scope that finds it dead."""

    def cut() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            number = cursor.fetchone()[0]
        killer = threading.Thread(target=_terminate, args=[number])
        killer.start()
        killer.join()

    with pytest.raises(OperationalError), cast.alice.scope(), cast.charlie.scope():
        cut()
    assert not connection.in_atomic_block
    with pytest.raises(NoScope):
        current_scope()
    connection.close()
    with cast.alice.scope():
        assert is_for(cast.alice)


def _terminate(number: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [number])
    connection.close()


def test_the_next_user_of_the_connection_is_nobody(alice: Person) -> None:
    """The pool gives the same connection to the next request or task."""
    with alice.scope():
        number = _backend()
    connection.close()
    for _ in range(30):
        if _backend() == number:
            break
        connection.close()
    assert (said(), reached()) == (NOBODY, set())


def _backend() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def test_a_prepared_statement_asks_anew_who_it_is(cast: Cast) -> None:
    """The server keeps the plan of a statement that comes often; for whom it was made does not stay in it."""
    for person in (cast.alice, cast.charlie):
        with person.scope():
            create_block(
                workspace_id=person.personal,
                fields=BlockFields(label="mine", value=person.name),
                actor=by_me(),
            )
    seen = []
    for person in (cast.alice, cast.charlie) * 12:
        with person.scope(), connection.cursor() as cursor:
            cursor.execute("SELECT value FROM memory_block WHERE label = %s", ["mine"])
            seen.append([value for (value,) in cursor.fetchall()] == [person.name])
    assert seen == [True] * 24


def test_another_thread_is_nobody(alice: Person) -> None:
    seen: list[Any] = []

    def look() -> None:
        try:
            current_scope()
        except NoScope:
            seen.append((said(), reached()))
        connection.close()

    with alice.scope():
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
        assert is_for(alice)
    assert seen == [(NOBODY, set())]


def test_threads_do_not_see_each_others_scope(cast: Cast) -> None:
    both_inside = threading.Barrier(2)
    found: dict[str, bool] = {}

    def look(person: Person) -> None:
        with person.scope():
            both_inside.wait(timeout=60)
            found[person.name] = is_for(person)
            both_inside.wait(timeout=60)
        connection.close()

    threads = [threading.Thread(target=look, args=[person]) for person in (cast.alice, cast.charlie)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {"Alice": True, "Charlie": True}
