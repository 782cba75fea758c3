"""The admin is there for the site's staff, and for nobody else.

The addresses are found in the resolver, so that a new one is walked as soon as it is there.
"""

import logging
import re
import uuid

import pytest
from django.test import Client as Anybody
from django.urls import reverse

from memsite.security import POLICY
from tests.cast import Cast, Client
from tests.memsite.operators.staff import Staff, appointed
from tests.tenants.walk import Route, routes

VERBS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")


@pytest.fixture(autouse=True)
def _refusals_are_expected(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, "django.request")


def address(route: Route) -> str:
    """An address of the route, with ids of nothing."""
    return reverse(route.name, kwargs={name: uuid.uuid4() for name in route.values})


def walked() -> list[Route]:
    return routes("admin")


def test_there_is_something_to_walk() -> None:
    names = {route.name for route in walked()}
    assert {"admin:index", "admin:pick", "admin:leave", "admin:memory_block_changelist"} <= names
    assert len(names) > 30


def test_nothing_is_added_or_deleted_and_nobody_signs_in_there() -> None:
    names = {route.name for route in walked()}
    ends = ("_add", "_delete", "login", "logout", "password_change", "autocomplete", "view_on_site", "search")
    assert [name for name in names if name.endswith(ends)] == []


def test_its_pages_have_the_sites_mark(staff: Staff) -> None:
    page = staff.browser.get(reverse("admin:index")).content.decode()
    assert re.search(r'<link[^>]*rel="icon"[^>]*favicon\.svg', page) or re.search(
        r'<link[^>]*favicon\.svg[^>]*rel="icon"', page
    )


def test_staff_gets_an_answer_everywhere(staff: Staff) -> None:
    for route in walked():
        if not route.values:
            answer = staff.browser.get(address(route))
            assert answer.status_code in {200, 302, 405}, route


def test_nobody_else_finds_any_of_it(cast: Cast) -> None:
    strangers = {
        "nobody": Client(),
        "a member": cast.bob.browser,
        "an owner": cast.alice.browser,
        "a program": cast.alice.api,
        "staff that was": appointed(is_staff=False).browser,
        "staff that was shut out": appointed(is_active=False).browser,
    }
    for who, browser in strangers.items():
        for route in walked():
            for verb in VERBS:
                answer = browser.generic(verb, address(route))
                assert answer.status_code == 404, (who, verb, route)


def test_what_they_get_is_what_anybody_gets_where_there_is_nothing(cast: Cast) -> None:
    nothing, admin = (cast.bob.browser.get(path) for path in ("/nowhere/at/all/", "/admin/"))
    assert (admin.status_code, admin.content) == (nothing.status_code, nothing.content)
    assert admin.headers == nothing.headers
    assert admin.headers["Content-Security-Policy"] == POLICY


def test_staff_that_is_dismissed_is_out_at_once(inside: Staff) -> None:
    assert inside.get("memory_block_changelist").status_code == 200
    type(inside.user).objects.filter(id=inside.user.id).update(is_staff=False)
    assert inside.get("memory_block_changelist").status_code == 404


def test_forms_of_other_sites_are_refused(staff: Staff, cast: Cast) -> None:
    browser = Anybody(enforce_csrf_checks=True)
    browser.force_login(staff.user)
    answer = browser.post(reverse("admin:pick", args=[cast.alice.identity.tenant_id]))
    assert answer.status_code == 403
    assert browser.get(reverse("admin:memory_block_changelist")).status_code == 302


def test_the_looser_policy_is_on_its_pages_only(staff: Staff, cast: Cast) -> None:
    held = staff.get("index").headers["Content-Security-Policy"]
    assert "'unsafe-eval'" in held
    assert "http" not in held
    assert "*" not in held
    assert cast.alice.browser.get("/me/").headers["Content-Security-Policy"] == POLICY
