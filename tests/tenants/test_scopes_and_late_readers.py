"""A scope ends before whoever reads later: generators, coroutines, templates."""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.template.response import TemplateResponse
from django.test import RequestFactory

from memory.models import Block
from tenants.middleware import IdentityMiddleware
from tenants.scope import NoScope, ScopeInGenerator
from tests.cast import Cast, Person, new_agent
from tests.tenants.asking import NOBODY, reached, said


def test_a_generator_may_not_open_one(alice: Person) -> None:
    def drained() -> Iterator[int]:
        with alice.scope():
            yield Block.objects.count()

    def drained_with_a_stack() -> Iterator[int]:
        with ExitStack() as stack:
            stack.enter_context(alice.scope())
            yield Block.objects.count()

    @contextmanager
    def wrapped() -> Iterator[None]:
        with alice.scope():
            yield

    for leak in (drained, drained_with_a_stack):
        with pytest.raises(ScopeInGenerator):
            next(leak())
    with pytest.raises(ScopeInGenerator), wrapped():
        pass
    with pytest.raises(ScopeInGenerator):
        next(1 for _ in [0] if alice.scope().__enter__())
    assert (said(), reached()) == (NOBODY, set())


def test_a_coroutine_may_not_open_one(alice: Person) -> None:
    async def waits() -> None:
        with alice.scope():
            await asyncio.sleep(0)

    async def streams() -> Any:
        with alice.scope():
            yield 1

    async def drain() -> None:
        async for _ in streams():
            pass

    for leak in (waits, drain):
        with pytest.raises(ScopeInGenerator):
            asyncio.run(leak())


def values() -> Iterator[str]:
    """A generator reads when it is drained."""
    yield from Block.objects.values_list("value", flat=True)


def test_a_generator_made_in_a_scope_finds_nothing_after_it(alice: Person) -> None:
    new_agent(alice)
    with alice.scope():
        assert list(values())
        late, rows = values(), Block.objects.iterator()
    for leak in (late, rows):
        with pytest.raises(NoScope):
            next(leak)


def test_a_generator_made_in_one_scope_finds_nothing_of_it_in_another(cast: Cast) -> None:
    new_agent(cast.alice)
    with cast.alice.scope():
        assert list(values())
        late, rows = values(), Block.objects.iterator()
    with cast.charlie.scope():
        assert list(late) == []
        assert list(rows) == []


def test_a_page_is_rendered_inside_the_scope_and_leaves_nobody(alice: Person) -> None:
    """A view hands its template a lazy queryset."""
    agent = new_agent(alice)

    def view(request: HttpRequest) -> HttpResponse:
        return TemplateResponse(request, "lazy.html", {"blocks": Block.objects.all()})

    request = RequestFactory().get("/")
    request.user, request.session = alice.user, {}
    answer = IdentityMiddleware(lambda request: HttpResponse()).process_view(
        request, _with_source(view, "{% for block in blocks %}{{ block.value }}{% endfor %}"), (), {}
    )
    assert answer is not None
    assert f"I am {agent.name}" in answer.content.decode()
    assert (said(), reached()) == (NOBODY, set())


def _with_source(view: Any, source: str) -> Any:
    """The view, its template's name replaced by the template."""

    def rendered(request: HttpRequest) -> HttpResponse:
        response = view(request)
        response.template_name = engines["django"].from_string(source)
        return response

    return rendered
