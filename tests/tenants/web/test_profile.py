"""Language, zone and appearance of a person."""

from __future__ import annotations

from tests.cast import Client, Person


def test_it_speaks_the_language_that_a_person_chose(alice: Person) -> None:
    body = {"name": "爱丽丝", "language": "zh-hans", "time_zone": "Asia/Shanghai", "theme": "dark"}
    page = alice.browser.post("/me/", body, follow=True).content.decode()
    assert '<html lang="zh-Hans" data-theme="dark">' in page
    assert "个人资料" in page
    assert "js/keys.js" not in page  # the shortcuts were left unticked


def test_it_refuses_a_zone_that_is_none(alice: Person) -> None:
    assert alice.browser.post("/me/", {"name": "Alice", "time_zone": "Mars/Crater"}).status_code == 422


def test_signed_out_people_are_sent_to_the_login_and_script_is_told(alice: Person) -> None:
    page = Client().get(f"/w/{alice.personal}/")
    assert page["Location"].startswith("/accounts/login/?next=")
    assert Client().get(f"/w/{alice.personal}/", headers={"HX-Request": "true"}).status_code == 401
