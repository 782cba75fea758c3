"""Language, zone and appearance of a person; the link by which a member gets back in."""

from __future__ import annotations

from tenants.models import Membership
from tests.cast import Cast, Client, Person


def test_it_speaks_the_language_that_a_person_chose(alice: Person) -> None:
    body = {"name": "爱丽丝", "language": "zh-hans", "time_zone": "Asia/Shanghai", "theme": "dark"}
    page = alice.browser.post("/me/", body, follow=True).content.decode()
    assert '<html lang="zh-Hans" data-theme="dark">' in page
    assert "个人资料" in page
    assert "js/keys.js" not in page  # the shortcuts were left unticked


def test_it_refuses_a_zone_that_is_none(alice: Person) -> None:
    assert alice.browser.post("/me/", {"name": "Alice", "time_zone": "Mars/Crater"}).status_code == 422


def test_an_owner_makes_a_link_for_a_new_password(cast: Cast) -> None:
    alice, bob = cast.alice, cast.bob
    with alice.scope():
        seat = Membership.objects.get(user_id=bob.user.id)
    url = f"/w/{alice.personal}/settings/members/{seat.id}/reset-link/"
    page = alice.browser.post(url, headers={"HX-Request": "true"}).content.decode()
    link = page.split('id="link">')[1].split("<")[0]
    stranger = Client()
    form = stranger.get(link, follow=True)
    target = form.redirect_chain[-1][0]
    stranger.post(target, {"password1": "quite a new one 9", "password2": "quite a new one 9"})
    bob.user.refresh_from_db()
    assert bob.user.check_password("quite a new one 9")


def test_members_are_for_admins(cast: Cast) -> None:
    assert cast.bob.browser.get(f"/w/{cast.bob.personal}/settings/members/").status_code == 403


def test_signed_out_people_are_sent_to_the_login_and_script_is_told(alice: Person) -> None:
    page = Client().get(f"/w/{alice.personal}/")
    assert page["Location"].startswith("/accounts/login/?next=")
    assert Client().get(f"/w/{alice.personal}/", headers={"HX-Request": "true"}).status_code == 401
